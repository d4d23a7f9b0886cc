// What is wrong in a file as a whole, in its tables, its clients and their steps.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "scenario/faults/fault_forms.h"
#include "scenario/file/file_keys.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "tests/scenario/invalid_scenarios.h"

namespace lockstep::model::scenario_errors {
namespace {

TEST(ScenarioErrors, PointIntoTheFile) {
  constexpr InvalidScenario cases[] = {
      {"⟦",
       "this file is empty; expected a scenario: title, lock, expect and at least one [[client]]"},
      {"⟦ \n\t\r\n\n",
       "this file is empty; expected a scenario: title, lock, expect and at least one [[client]]"},
      {"title⟦", "this is not TOML: error while parsing key-value pair: encountered end-of-file"},
      {"title = \"t⟦",
       "this is not TOML: error while parsing string: encountered end-of-file; is a string not "
       "closed "
       "on this line?"},
      {"title = \"t\"\nhorizon = 10⟦ms\n",
       "this is not TOML: error while parsing decimal integer: expected digit, saw 'm'; what has a "
       "unit goes in quotes, as in \"250ms\""},
      {"title = \"a\"\ntitle = ⟦\"b\"\n",
       "this is not TOML: error while parsing key-value pair: cannot redefine existing string "
       "'title'"},
      {"title = \"t\"\n[client⟦\n",
       "this is not TOML: error while parsing table header: expected ']', saw '\\n'"},
      {"title = \"t\"\nlock = ⟦plain\n",
       "this is not TOML: error while parsing value: could not determine value type"},
      {"⟦titel = \"t\"", "unknown key 'titel'; did you mean 'title'? {keys}"},
      {"title = \"t\"\n⟦locks = \"plain\"", "unknown key 'locks'; did you mean 'lock'? {keys}"},
      {"title = \"t\"\n⟦zebra = 1", "unknown key 'zebra' {keys}"},
      {"[[⟦clients]]", "unknown key 'clients'; did you mean 'client'? {keys}"},
      {"⟦lock = \"plain\"",
       "a scenario lacks the key 'title', as in title = \"A pause longer than the lease\""},
      {"⟦title = \"t\"\n", "a scenario lacks the key 'lock', as in lock = \"plain\""},
      {"⟦title = \"t\"\nlock = \"plain\"\n",
       "a scenario lacks the key 'expect', as in expect = { holds = [\"mutual-exclusion\"] }"},
      {"⟦title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }",
       "there is no client; expected at least one [[client]]"},
      {"title = ⟦3", "'title' is a whole number; expected a string in quotes"},
      {"title = \"⟦\"", "'title' is empty"},
      {"title = \"⟦ \"", "'title' is empty"},
      {"title = \"t\"\nlock = ⟦[\"plain\"]", "'lock' is a list; expected a string in quotes"},
      {"title = \"t\"\nlock = \"⟦\"", "'lock' is empty"},
      {"title = \"t\"\nlock = \"plain\"\nlock_name = \"⟦\"", "the lock's name is empty"},
      {"title = \"t\"\nlock = \"plain\"\nlock_name = \"my⟦ orders\"",
       "a lock's name has no blanks and no '='"},
      {"title = \"t\"\nlock = \"plain\"\nlock_name = 'bücher⟦=x'",
       "a lock's name has no blanks and no '='"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = ⟦\"harm\"",
       "'expect' is a string; expected a table, [expect]"},
      {"title = \"t\"\nlock = \"plain\"\n⟦expect = {}",
       "this expects nothing; expected 'violates' or 'holds' with a property, as in expect = { "
       "holds = [\"mutual-exclusion\"] }"},
      {"title = \"t\"\nlock = \"plain\"\n⟦expect = { violates = [], holds = [] }",
       "this expects nothing; expected 'violates' or 'holds' with a property, as in expect = { "
       "holds = [\"mutual-exclusion\"] }"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { ⟦violate = \"harm\" }",
       "unknown key 'violate'; did you mean 'violates'? ([expect] has violates, holds, sometimes, "
       "overlap_at_most, wait_at_most and requests_per_second_at_most)"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { violates = \"⟦mutual_exclusion\" }",
       "there is no property 'mutual_exclusion'; did you mean 'mutual-exclusion'?"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { holds = [\"harm\", \"⟦linearizability\"] }",
       "there is no property 'linearizability'; did you mean 'lease-linearizability'?"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { holds = [\"harm\", \"⟦harm\"] }",
       "'harm' is listed twice"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"⟦harm\", violates = \"harm\" }",
       "'harm' can't both hold and be violated; expected it in one list"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { holds = ⟦true }",
       "'holds' is true or false; expected a string, or a list of strings in brackets"},
      {"title = \"t\"\nlock = \"plain\"\nexpect = { holds = [\"harm\", ⟦1] }",
       "'holds' lists a whole number; expected strings in quotes"},
  };
  for (const InvalidScenario& wrong : cases) expect_invalid("", wrong, "");
}

TEST(ScenarioErrors, PointIntoTheTables) {
  constexpr InvalidScenario cases[] = {
      {"redis = ⟦\"one\"\n", "'redis' is a string; expected a table, [redis]"},
      {"⟦[[redis]]\n", "'redis' is a list; expected a table, [redis]"},
      {"[redis]\n⟦master = 1\n",
       "unknown key 'master'; did you mean 'masters'? ([redis] has masters, replicas, topology, "
       "sentinel, cluster, latency, config, version and nodes)"},
      {"[redis]\nconfig = { ⟦apendonly = \"yes\" }\n",
       "'apendonly' is no setting of Redis; did you mean 'appendonly'? (expected one of "
       "appendonly, "
       "appendfsync, save, maxmemory, maxmemory-policy, min-replicas-to-write, "
       "min-replicas-max-lag, repl-backlog-size, replica-ignore-maxmemory, busy-reply-threshold, "
       "lazyfree-lazy-eviction, lazyfree-lazy-expire, lazyfree-lazy-user-del, "
       "hash-max-listpack-entries, hash-max-listpack-value, set-max-intset-entries, "
       "zset-max-listpack-entries, zset-max-listpack-value, cluster-allow-reads-when-down, "
       "cluster-replica-no-failover, cluster-replica-validity-factor or "
       "cluster-require-full-coverage)"},
      {"[redis]\nconfig = { appendonly = ⟦\"si\" }\n",
       "Redis refuses appendonly = 'si': argument must be 'yes' or 'no'"},
      {"[redis]\nconfig = { save = ⟦1.5 }\n",
       "the setting 'save' is a number with a fraction; expected a string, a whole number or true "
       "or "
       "false"},
      {"[redis]\nmasters = ⟦0\n", "'masters' is 0; expected a whole number from 1 to 100"},
      {"[redis]\nmasters = ⟦101\n", "'masters' is 101; expected a whole number from 1 to 100"},
      {"[redis]\nmasters = ⟦1.0\n",
       "'masters' is a number with a fraction; expected a whole number from 1 to 100"},
      {"[redis]\nmasters = ⟦\"1\"\n",
       "'masters' is a string; expected a whole number from 1 to 100"},
      {"[redis]\nreplicas = ⟦-1\n", "'replicas' is -1; expected a whole number from 0 to 10"},
      {"[redis]\nlatency = ⟦1\n", "'latency' is a whole number; expected a string in quotes"},
      {"[redis]\nlatency = \"⟦1\"\n",
       "'1' is no duration: the unit is missing: one of ns, us, ms, s, m or h"},
      {"[redis]\nlatency = \"⟦999ns\"\n", "'999ns' is out of range; a hop takes at least 1us"},
      {"[redis]\nlatency = \"2ms..⟦1ms\"\n",
       "'2ms..1ms' ends before it begins; expected least..most"},
      {"[redis]\nlatency = \"1ms..⟦\"\n",
       "'' is no duration: a duration begins with digits, as in 250ms, 1.5s or 10m"},
      {"[redis]\nlatency = \"⟦..1ms\"\n",
       "'' is no duration: a duration begins with digits, as in 250ms, 1.5s or 10m"},
      {"[redis]\nlatency = \"1ms..⟦2ms..3ms\"\n",
       "'2ms..3ms' is no duration: 'ms..3ms' is not a unit: one of ns, us, ms, s, m or h"},
      {"[options]\ntimeout = \"⟦3 s\"\n",
       "'3 s' is no duration: ' s' is not a unit: one of ns, us, ms, s, m or h"},
      {"[options]\ntimeout = \"⟦1.5us\"\n",
       "'1.5us' is not a whole number of milliseconds, in which Redis counts"},
      {"[options]\ntimeout = \"⟦-3s\"\n", "'-3s' is out of range; expected zero or more"},
      {"[options]\nmode = \"⟦\"\n", "the option 'mode' is empty"},
      {"[options]\nretries = ⟦1.5\n",
       "the option 'retries' is a number with a fraction; expected a whole number, a word, a "
       "duration or true or false"},
      {"[options]\nretries = ⟦[1]\n",
       "the option 'retries' is a list; expected a whole number, a word, a duration or true or "
       "false"},
      {"[options]\ntimeout = \"3s\"\n⟦timeout_ms = 3000\n",
       "the option 'timeout_ms' is given twice"},
      {"[scripts]\nacquire = ⟦3\n", "'acquire' is a whole number; expected a string in quotes"},
      {"[scripts]\nacquire = \"⟦\"\n", "the path is empty; expected as in \"acquire.lua\""},
      {"[resource]\nfencing = ⟦\"yes\"\n", "'fencing' is a string; expected true or false"},
      {"[resource]\n⟦fence = true\n", "unknown key 'fence' ([resource] has fencing)"},
      {"[clocks]\ndeclared_drift = ⟦100\n",
       "'declared_drift' is a whole number; expected a clock's rate in quotes, as in \"200ppm\""},
      {"[clocks]\ndeclared_drift = \"⟦100\"\n",
       "'100' is no rate: a clock's rate is a whole number of ppm, as in 200ppm or -50ppm"},
      {"[clocks]\ndeclared_drift = \"⟦-1ppm\"\n", "a bound on drift is zero or more"},
      {"[clocks]\ndeclared_drift = \"⟦1000000ppm\"\n",
       "'1000000ppm' is out of range; expected less than 1000000ppm"},
      {"[limits]\nhorizon = \"⟦0s\"\n", "'0s' is out of range; expected a duration above zero"},
      {"[limits]\nhorizon = \"⟦9000h\"\n", "'9000h' is too long; expected at most a year (8760h)"},
      {"[limits]\nevents = ⟦0\n", "'events' is 0; expected a whole number from 1 to 1000000000000"},
      {"[limits]\n⟦event = 5\n",
       "unknown key 'event'; did you mean 'events'? ([limits] has horizon and events)"},
  };
  for (const InvalidScenario& wrong : cases) expect_invalid(head, wrong, "");
}

TEST(ScenarioErrors, PointIntoTheClients) {
  constexpr InvalidScenario cases[] = {
      {"client = ⟦3\n", "'client' is a whole number; expected tables, each under [[client]]"},
      {"⟦[client]\nname = \"a\"\n", "'client' is a table; expected tables, each under [[client]]"},
      {"client = [⟦3]\n", "'client' lists a whole number; expected tables, each under [[client]]"},
      {"⟦[[client]]\nrun = [\"lock\"]\n", "[[client]] lacks the key 'name', as in name = \"a\""},
      {"[[client]]\nname = \"a\"\n⟦names = \"x\"\n",
       "unknown key 'names'; did you mean 'name'? ([[client]] has name, count, command, folder, "
       "reuse, thread_order, "
       "connect, env, run, generate, "
       "thread, threads, rounds, start, wall_offset, drift and options)"},
      {"⟦[[client]]\nname = \"a\"\n",
       "[[client]] lacks the key 'run', as in run = [\"lock lease=10s\", \"write\", \"unlock\"]"},
      {"[[client]]\nname = \"⟦\"\n", "the client's name is empty"},
      {"[[client]]\nname = ⟦1\n", "'name' is a whole number; expected a string in quotes"},
      {"[[client]]\nname = \"⟦1a\"\n",
       "'1a' is no client's name; expected a letter, then letters, digits, '-' and '_'"},
      {"[[client]]\nname = \"⟦a/1\"\n",
       "'a/1' is no client's name; expected a letter, then letters, digits, '-' and '_'"},
      {"[[client]]\nname = \"⟦n1\"\n",
       "'n1' is taken: nodes are named n1, n1-replica-1 …, and there are 'resource' and 'faults'"},
      {"[[client]]\nname = \"⟦n7-replica-2\"\n",
       "'n7-replica-2' is taken: nodes are named n1, n1-replica-1 …, and there are 'resource' and "
       "'faults'"},
      {"[[client]]\nname = \"⟦resource\"\n",
       "'resource' is taken: nodes are named n1, n1-replica-1 …, and there are 'resource' and "
       "'faults'"},
      {"[[client]]\nname = \"⟦faults\"\n",
       "'faults' is taken: nodes are named n1, n1-replica-1 …, and there are 'resource' and "
       "'faults'"},
      {"[[client]]\nname = \"⟦abcdefghijklmnopqrstuvwxyzabcdefghijklmno\"\n",
       "a client's name has at most 40 letters"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\n[[client]]\nname = \"⟦a\"\nrun = [\"lock\"]\n",
       "there is a client 'a' already, on line 5; expected another name"},
      {"[[client]]\nname = \"a\"\nrun = ⟦\"lock\"\n",
       "'run' is a string; expected a list of strings in brackets"},
      {"[[client]]\nname = \"a\"\nrun = ⟦[]\n",
       "there is no step to run; expected as in run = [\"lock lease=10s\", \"write\", \"unlock\"]"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\", ⟦3]\n",
       "'run' lists a whole number; expected strings in quotes"},
      {"[[client]]\nname = \"a\"\n⟦run = [\"lock\"]\n[[client.thread]]\nrun = [\"lock\"]\n",
       "a client has 'run' for itself, or [[client.thread]] for several threads that differ, not "
       "both"},
      {"[[client]]\nname = \"a\"\n⟦[[client.thread]]\n",
       "[[client.thread]] lacks the key 'run', as in run = [\"lock lease=10s\", \"write\", "
       "\"unlock\"]"},
      {"[[client]]\nname = \"a\"\n[[client.thread]]\nrun = [\"lock\"]\n⟦rounds = 2\n",
       "unknown key 'rounds' ([[client.thread]] has run and generate)"},
      {"[[client]]\nname = \"a\"\nthread = ⟦[]\n",
       "there is no thread; expected [[client.thread]]"},
      {"[[client]]\nname = \"a\"\nthread = ⟦{ run = [\"lock\"] }\n",
       "'thread' is a table; expected tables, each under [[client.thread]]"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\nrounds = ⟦0\n",
       "'rounds' is 0; expected a whole number from 1 to 1000000"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\nstart = \"⟦-5ms\"\n",
       "'-5ms' is out of range; expected zero or more"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\nstart = \"⟦10m\"\n",
       "the run ends at 10m, before this client starts"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\nstart = ⟦5\n",
       "'start' is a whole number; expected a duration in quotes, as in \"250ms\", or a range, as "
       "in \"1s..5s\""},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\nwall_offset = \"⟦1 day\"\n",
       "'1 day' is no duration: ' day' is not a unit: one of ns, us, ms, s, m or h"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\ndrift = \"⟦50\"\n",
       "'50' is no rate: a clock's rate is a whole number of ppm, as in 200ppm or -50ppm"},
      {"[[client]]\nname = \"a\"\nrun = [\"lock\"]\ndrift = \"⟦-1000000ppm\"\n",
       "'-1000000ppm' is out of range; expected less than 1000000ppm"},
  };
  for (const InvalidScenario& wrong : cases) expect_invalid(head, wrong, "");
}

TEST(ScenarioErrors, PointIntoTheSteps) {
  constexpr InvalidScenario cases[] = {
      {"\"⟦\"", "this step is empty; expected one as in 'lock lease=10s'"},
      {"\"⟦  \"", "this step is empty; expected one as in 'lock lease=10s'"},
      {"\"⟦lok\"", "unknown step 'lok'; did you mean 'lock'? {steps}"},
      {"\"lock\", \"⟦ulnock\"", "unknown step 'ulnock'; did you mean 'unlock'? {steps}"},
      {"\"lock\", \"   ⟦reed\"", "unknown step 'reed' {steps}"},
      {"\"lock ⟦leese=10s\"",
       "'lock' has no option 'leese'; did you mean 'lease'? (its options are lease and name)"},
      {"\"lock lease=⟦10\"",
       "'10' is no duration: the unit is missing: one of ns, us, ms, s, m or h"},
      {"\"lock lease=⟦\"",
       "'' is no duration: a duration begins with digits, as in 250ms, 1.5s or 10m"},
      {"\"lock lease=⟦0s\"", "'0s' is out of range; expected a duration above zero"},
      {"\"lock lease=⟦-1s\"", "'-1s' is out of range; expected a duration above zero"},
      {"\"lock lease=⟦1us\"", "'1us' is not a whole number of milliseconds, in which Redis counts"},
      {"\"lock  lease=10s\t⟦lease=11s\"", "'lease' is given twice"},
      {"\"lock ⟦wait=1s\"", "'lock' has no option 'wait' (its options are lease and name)"},
      {"\"try_lock wait=⟦0s\"", "'0s' is out of range; expected a duration above zero"},
      {"\"lock ⟦10s\"",
       "unexpected '10s' after 'lock'; expected lease or name with '=', as in 'lease=…'"},
      {"\"lock name=⟦\"", "the lock's name is empty"},
      {"\"lock name=a⟦=b\"", "a lock's name has no blanks and no '='"},
      {"\"lock\", \"unlock ⟦lease=1s\"", "'unlock' has no option 'lease' (its options are name)"},
      {"\"lock\", \"write ⟦5\"",
       "unexpected '5' after 'write'; expected name with '=', as in 'name=…'"},
      {"\"⟦sleep\"", "'sleep' lacks its duration, as in 'sleep 5s'"},
      {"\"sleep ⟦5\"", "'5' is no duration: the unit is missing: one of ns, us, ms, s, m or h"},
      {"\"sleep 5s ⟦6s\"", "unexpected '6s' after 'sleep'; expected nothing more"},
      {"\"sleep 5s ⟦name=x\"", "unexpected 'name=x' after 'sleep'; expected nothing more"},
      {"\"⟦lock_all\"", "'lock_all' lacks the locks' names, as in 'lock_all names=a,b lease=10s'"},
      {"\"⟦unlock_all\"", "'unlock_all' lacks the locks' names, as in 'unlock_all names=a,b'"},
      {"\"lock_all names=a,⟦a\"", "'a' is named twice"},
      {"\"lock_all names=a,⟦\"", "the lock's name is empty"},
      {"\"acquire permits=⟦0\"", "'0' is no whole number from 1 to 1000000"},
      {"\"acquire permits=⟦2x\"", "'2x' is no whole number from 1 to 1000000"},
      {"\"try_set_count count=⟦\"", "'' is no whole number from 1 to 1000000"},
      {"\"acquire permits=2\", \"release\", \"⟦release permits=2\"",
       "there is no acquire or try_acquire of 'lock' before this release that it could end"},
      {"\"acquire permits=2\", \"try_acquire\", \"⟦release permits=3\"",
       "this release gives back more than 'try_acquire' takes, so it could not be passed over "
       "where "
       "that is refused; expected one for each"},
      {"\"read_lock\", \"⟦write_unlock\"",
       "there is no write_lock or try_write_lock of 'lock' before this write_unlock that it could "
       "end"},
      {"\"lock_all names=a,b\", \"⟦unlock_all names=b,a\"",
       "there is no lock_all or try_lock_all of 'b,a' before this unlock_all that it could end"},
      {"\"crash ⟦now\"", "unexpected 'now' after 'crash'; expected nothing more"},
      {"\"⟦unlock\"",
       "there is no lock or try_lock of 'lock' before this unlock that it could end"},
      {"\"lock\", \"unlock\", \"  ⟦unlock\"",
       "there is no lock or try_lock of 'lock' before this unlock that it could end"},
      {"\"lock name=x\", \"⟦unlock\"",
       "there is no lock or try_lock of 'lock' before this unlock that it could end"},
      {"\"lock\", \"⟦unlock name=x\"",
       "there is no lock or try_lock of 'x' before this unlock that it could end"},
      {"\"lock\",\n  \"sleep ⟦1x\"",
       "'1x' is no duration: 'x' is not a unit: one of ns, us, ms, s, m or h"},
      {"\"lock\", '⟦lokk'", "unknown step 'lokk'; did you mean 'lock'? {steps}"},
      {"\"⟦ß\", \"lock\"", "unknown step 'ß' {steps}"},
      {"\"write name=ü ⟦x\"",
       "unexpected 'x' after 'write'; expected name with '=', as in 'name=…'"},
      {"⟦\"lock lease\\u003d10\"",
       "'10' is no duration: the unit is missing: one of ns, us, ms, s, m or h"},
      {"⟦\"\"\"lok\"\"\"", "unknown step 'lok'; did you mean 'lock'? {steps}"},
      {"⟦'''\nlok'''", "unknown step 'lok'; did you mean 'lock'? {steps}"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head) + "[[client]]\nname = \"a\"\nrun = [", wrong, "]\n");
}

}  // namespace

}  // namespace lockstep::model::scenario_errors

// What is wrong in what a file expects, draws, and says of single nodes and links; the types of
// keys.

namespace lockstep::model::language_errors {
namespace {

TEST(ScenarioErrors, InExpectations) {
  constexpr std::string_view before = "title = \"t\"\nlock = \"plain\"\n";
  constexpr InvalidScenario cases[] = {
      {"expect = { sometimes = [\"⟦c acquired\"] }\n",
       "there is no client, thread or node 'c' (there are a, a/1, b, b/1, n1 and resource)"},
      {"expect = { sometimes = \"b acquired while ⟦n1 believes\" }\n",
       "'n1' believes nothing; expected a client or a thread"},
      {"expect = { sometimes = \"b acquired while ⟦a\" }\n",
       "expected who believes to have a lock, as in 'while a believes'"},
      {"expect = { sometimes = \"b acquired ⟦while\" }\n",
       "expected who believes to have a lock, as in 'while a believes'"},
      {"expect = { sometimes = \"⟦pauze struck\" }\n",
       "there is no fault 'pauze'; did you mean 'pause'?"},
      {"expect = { sometimes = \"⟦crash struck while a believes\" }\n",
       "this never strikes; expected a [[fault]] crash"},
      {"expect = { sometimes = \"⟦pause of b struck\" }\n",
       "this never strikes; expected a [[fault]] pause = \"b\""},
      {"expect = { sometimes = \"⟦pause struck for the 3rd time\" }\n",
       "this strikes 2 times at most; 'times' lets a [[fault]] strike again"},
      {"expect = { sometimes = \"⟦b wrote\" }\n",
       "this moment never comes: no step of 'b' brings about 'wrote'"},
      {"expect = { sometimes = \"⟦a acquired for the 2nd time\" }\n",
       "this moment never comes: the steps of 'a' bring about 'acquired' 1 time at most"},
      {"expect = { sometimes = \"⟦a finished for the 2nd time\" }\n",
       "this moment never comes: 'a' finishes once"},
      {"expect = { sometimes = \"⟦n1 crashed\" }\n",
       "this moment never comes: n1 is never crashed; expected a [[fault]] crash = \"n1\" or a "
       "step "
       "'crash'"},
      {"expect = { sometimes = \"b acquired while a believes ⟦orders\" }\n",
       "this never happens: no step of 'a' takes 'orders'"},
      {"expect = { sometimes = \"b acquired after ⟦a crashed\" }\n",
       "this moment never comes: a is never crashed; expected a [[fault]] crash = \"a\" or a step "
       "'crash'"},
      {"expect = { sometimes = \"b acquired ⟦after a\" }\n",
       "expected what has happened before, as in 'b acquired after a crashed'"},
      {"expect = { sometimes = \"⟦crash of n1 struck after a acquired\" }\n",
       "this never strikes; expected a [[fault]] crash = \"n1\""},
      {"expect = { sometimes = \"b acquired after ⟦reset struck\" }\n",
       "this never strikes; expected a [[fault]] reset"},
      {"expect = { sometimes = \"pause struck ⟦twice\" }\n",
       "unexpected 'twice' after 'struck'; expected nothing more, or as in 'for the 2nd time'"},
      {"expect = { overlap_at_most = \"⟦5\" }\n",
       "'5' is no duration: the unit is missing: one of ns, us, ms, s, m or h"},
      {"expect = { wait_at_most = \"⟦-1s\" }\n", "'-1s' is out of range; expected zero or more"},
      {"expect = { requests_per_second_at_most = ⟦\"5\" }\n",
       "'requests_per_second_at_most' is a string; expected a whole number from 0 to 1000000000"},
      {"expect = { wait_at_most = ⟦1 }\n",
       "'wait_at_most' is a whole number; expected a duration in quotes, as in \"250ms\" or "
       "\"10s\""},
  };
  const std::string after = std::string(clients).append(
      "[[fault]]\npause = \"a\"\nat = \"1s\"\nfor = \"1s\"\nevery = \"9s\"\ntimes = 2\n");
  for (const InvalidScenario& wrong : cases) expect_invalid(before, wrong, after);
}

TEST(ScenarioErrors, OfPartsThatHaveNothingToDoWithEachOtherAreToldTogether) {
  const auto complaints = [](const std::string& text) {
    std::vector<std::string> told;
    try {
      static_cast<void>(scenario::parse_scenario("s.toml", text));
    } catch (const scenario::InputError& error) {
      told.emplace_back(error.what());
      for (const scenario::InputError& other : error.also()) told.emplace_back(other.what());
    }
    for (std::string& each : told) each.resize(each.find(' '));
    return told;
  };
  const std::string wrong_parts =
      "lock = 5\nexpect = { hold = \"harm\" }\n[redis]\nmaster = 1\n[[client]]\nname = \"a\"\n"
      "run = [\"lokc\", \"wirte\"]\n[[client]]\nname = \"a b\"\nrun = [\"lock\"]\n";
  const std::vector<std::string> expected = {
      "s.toml:1:8:", "s.toml:2:12:", "s.toml:4:1:", "s.toml:7:9:", "s.toml:9:9:", "s.toml:1:1:"};
  EXPECT_EQ(complaints(wrong_parts), expected);
  std::string story = std::string(head).append(clients);
  EXPECT_EQ(complaints(story + "[[fault]]\npause = \"c\"\nat = \"1s\"\n[[fault]]\nat = \"1s\"\n"),
            (std::vector<std::string>{"s.toml:11:10:", "s.toml:13:1:"}));
  EXPECT_EQ(complaints(story + "[[fault]]\npause = \"a\"\nwhen = \"b wrote\"\n"
                               "[[fault]]\nrestart = \"n1\"\nat = \"1s\"\n"),
            (std::vector<std::string>{"s.toml:12:9:", "s.toml:14:1:"}));
  for (int i = 0; i < 20; ++i) story += "[[fault]]\npause = \"c\"\nat = \"1s\"\n";
  EXPECT_EQ(complaints(story).size(), scenario::ErrorCollector::reported_max);
}

TEST(ScenarioErrors, InNodesAndLinks) {
  constexpr InvalidScenario cases[] = {
      {"[redis]\nnodes = ⟦3\n",
       "'nodes' is a table of the nodes by name; how many there are is said as in masters = 3"},
      {"[redis.nodes.⟦n2]\ndrift = \"1ppm\"\n", "there is no node 'n2' (there is n1)"},
      {"[redis.nodes.n1]\n⟦offset = \"1s\"\n",
       "unknown key 'offset' ([redis.nodes.n1] has wall_offset, drift, latency, config and "
       "version)"},
      {"[redis.nodes.n1]\nversion = \"⟦6.2\"\n",
       "the version '6.2' is not simulated; the nearest are redis-6.0 and redis-7.0; there are "
       "redis-6.0, redis-7.0, redis-8.0, valkey-8.0, valkey-8.1, valkey-9.1"},
      {"[redis]\nversion = \"⟦8\"\n",
       "the version '8' is not simulated; the nearest is redis-8.0; there are redis-6.0, "
       "redis-7.0, redis-8.0, valkey-8.0, valkey-8.1, valkey-9.1"},
      {"⟦[[link]]\nfrom = \"a\"\nto = \"n1\"\n",
       "[[link]] lacks the key 'latency', as in latency = \"20ms..30ms\""},
      {"[[link]]\nfrom = \"a\"\nto = \"⟦b\"\nlatency = \"1ms\"\n",
       "'a' and 'b' never talk to each other; expected two hosts that do"},
      {"[[link]]\nfrom = \"a\"\nto = \"n1\"\nlatency = \"1ms\"\n"
       "[[link]]\nfrom = \"⟦a\"\nto = \"n1\"\nlatency = \"1ms\"\n",
       "there is a [[link]] from 'a' to 'n1' already"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head).append(clients), wrong, "");
}

TEST(ScenarioErrors, InDrawnSteps) {
  constexpr std::string_view before =
      "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = \"c\"\n";
  constexpr InvalidScenario cases[] = {
      {"⟦generate = { steps = 5 }\n",
       "[client.generate] lacks the key 'mix', as in mix = { lock = 5, try_lock = 3, write = 8 }"},
      {"generate = { mix = { lock = ⟦0 } }\n",
       "'lock' is 0; expected a whole number from 1 to 1000"},
      {"generate = { mix = ⟦{ write = 1 } }\n",
       "nothing here takes a lock; expected as in mix = { lock = 5, try_lock = 3, write = 8 }"},
      {"generate = { mix = ⟦{ is_locked = 1, write = 1 } }\n",
       "'write' and 'extend' need something that takes a lock; expected lock, try_lock or the like "
       "too"},
      {"generate = { mix = { lock = 1 }, ⟦wait = \"1s\" }\n",
       "nothing of the mix has use for 'wait'; expected try_lock, try_acquire, await or the like "
       "in "
       "it"},
      {"generate = { mix = { lock = 1 }, ⟦permits = 3 }\n",
       "nothing of the mix has use for 'permits'; expected acquire or try_acquire in it"},
      {"generate = { mix = { acquire = 1 }, permits = \"3..⟦1\" }\n",
       "'1' is no whole number from 3 to 1000000"},
      {"generate = { mix = { lock = 1 }, hold = \"5ms..⟦1ms\" }\n",
       "'5ms..1ms' ends before it begins; expected least..most"},
      {"generate = { mix = { lock = 1 }, steps = ⟦10001 }\n",
       "'steps' is 10001; expected a whole number from 1 to 10000"},
      {"generate = { mix = { lock = 1 }, locks = [\"x\", \"⟦x\"] }\n", "'x' is named twice"},
      {"generate = { mix = { ⟦\"lock wait=5s\" = 1 } }\n",
       "'lock' has no option 'wait' (its options are lease and name)"},
      {"generate = { mix = { ⟦\"lock name=x\" = 1 } }\n",
       "which lock is drawn; expected the names in 'locks'"},
      {"generate = { mix = { ⟦\"acquire permits=2\" = 1 } }\n",
       "how many is drawn; expected 'permits' beside the mix"},
      {"generate = { mix = { lock = 1 }, spread = \"⟦lag\" }\n",
       "unknown spread 'lag'; did you mean 'log'? (it is even or log)"},
      {"generate = { mix = { lock = 1 }, nesting = ⟦0 }\n",
       "'nesting' is 0; expected a whole number from 1 to 20"},
      {"run = [\"lock lease=5s..⟦1s\"]\n", "'5s..1s' ends before it begins; expected least..most"},
      {"run = [\"sleep 1ms..⟦\"]\n",
       "'' is no duration: a duration begins with digits, as in 250ms, 1.5s or 10m"},
      {"count = ⟦101\nrun = [\"lock\"]\n", "'count' is 101; expected a whole number from 1 to 100"},
      {"⟦run = [\"lock\"]\n[[client.thread]]\nrun = [\"lock\"]\n",
       "a client has 'run' for itself, or [[client.thread]] for several threads that differ, not "
       "both"},
  };
  for (const InvalidScenario& wrong : cases) expect_invalid(before, wrong, "");
}

/// Of three holds inside one another each is used, and the outer two again after the next one.
TEST(ScenarioErrors, CountEachUseOfNestedHolds) {
  const auto text = [](int nth) {
    return fmt::format(
        "title = \"t\"\nlock = \"plain\"\nexpect = {{ holds = \"harm\" }}\n"
        "[[client]]\nname = \"a\"\n"
        "generate = {{ steps = 2, nesting = 3, mix = {{ lock = 1, write = 1 }} }}\n"
        "[[fault]]\npause = \"a\"\nfor = \"1s\"\nwhen = \"⟦a wrote for the {}th time\"\n",
        nth);
  };
  std::string most = text(10);
  most.erase(most.find(mark), mark.size());
  EXPECT_NO_THROW(static_cast<void>(scenario::parse_scenario("s.toml", most)));
  const std::string more = text(11);
  expect_invalid(
      "", {more, "this moment never comes: the steps of 'a' bring about 'wrote' 10 times at most"},
      "");
}

TEST(ScenarioErrors, OfTooMuch) {
  const auto complaint = [](const std::string& text) {
    try {
      static_cast<void>(scenario::parse_scenario("s.toml", text));
    } catch (const scenario::InputError& error) {
      return error.message();
    }
    return std::string("accepted");
  };
  std::string many(head);
  for (int i = 0; i < 201; ++i) {
    many += "[[client]]\nname = \"c" + std::to_string(i) + "\"\nrun = [\"lock\"]\n";
  }
  EXPECT_EQ(complaint(many), "this makes more than 200 clients or 1000 threads in all");
  std::string steps;
  for (int i = 0; i < 1'001; ++i) steps += "\"write\", ";
  EXPECT_EQ(complaint(std::string(head) + "[[client]]\nname = \"a\"\nrun = [" + steps + "]\n"),
            "a thread has at most 1000 steps; 'rounds' repeats them, and 'generate' draws more");
  std::string dots = "a";
  for (int i = 0; i < 300'000; ++i) dots += ".a";
  EXPECT_EQ(complaint(dots + " = 1\n"), "too many dots on one line; a key has at most 64 parts");
}

TEST(Faults, MayComeAtOnceOrLater) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "s.toml", std::string(head).append(clients) +
                    "[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\nafter = \"0s..1s\"\n");
  EXPECT_EQ(scenario.faults[0].describe(), "pause a 0s to 1s after a acquired");
}

TEST(Keys, OfFaultsHaveTypes) {
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    for (const std::string_view key : form.keys) {
      EXPECT_NO_THROW(static_cast<void>(scenario::type_of_fault_key(key))) << key;
    }
  }
  for (const std::string_view key : scenario::repetition_keys(scenario::fault_forms().front())) {
    EXPECT_NO_THROW(static_cast<void>(scenario::type_of_fault_key(key))) << key;
  }
  for (const std::string_view key : scenario::trigger_keys()) {
    EXPECT_NO_THROW(static_cast<void>(scenario::type_of_fault_key(key))) << key;
  }
  EXPECT_ANY_THROW(static_cast<void>(scenario::type_of_fault_key("none")));
}

}  // namespace
}  // namespace lockstep::model::language_errors
