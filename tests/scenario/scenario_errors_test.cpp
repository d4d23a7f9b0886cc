// What is wrong in a file as a whole, in its tables, its clients and their steps.
#include <gtest/gtest.h>

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
