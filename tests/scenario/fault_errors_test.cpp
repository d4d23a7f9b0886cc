// What is wrong in faults: keys, names, moments, and what can never strike.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_group.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/faults/open_faults.h"
#include "scenario/file/file_keys.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "tests/scenario/invalid_scenarios.h"
#include "tests/support/source_folder.h"

namespace lockstep::model::fault_errors {
namespace {

TEST(FaultErrors, PointAtKeysAndKinds) {
  constexpr InvalidScenario cases[] = {
      {"⟦[fault]\n", "'fault' is a table; expected tables, each under [[fault]]"},
      {"⟦[[fault]]\n",
       "this [[fault]] does not say what strikes; expected one of the keys {kinds}"},
      {"[[fault]]\n⟦pauze = \"a\"\n",
       "unknown key 'pauze'; did you mean 'pause'? (a [[fault]] has one of {kinds}, and says more "
       "with "
       "its keys)"},
      {"[[fault]]\n⟦puase = \"a\"\nat = \"1s\"\n",
       "unknown key 'puase'; did you mean 'pause'? (a [[fault]] has one of {kinds}, and says more "
       "with "
       "its keys)"},
      {"[[fault]]\n⟦zebra = \"a\"\n",
       "unknown key 'zebra' (a [[fault]] has one of {kinds}, and says more with its keys)"},
      {"[[fault]]\n⟦failover = \"n1\"\n",
       "unknown key 'failover': a failover is the 'crash' or 'isolate' of a master that sentinels "
       "or "
       "a cluster replace, or the 'promote' of a replica"},
      {"⟦[[fault]]\nfor = \"5s\"\n",
       "this [[fault]] does not say what strikes; expected one of the keys {kinds}"},
      {"[[fault]]\npause = \"a\"\n⟦crash = \"a\"\nat = \"1s\"\n",
       "a [[fault]] has one kind, and this one is 'pause' already; expected another [[fault]] for "
       "'crash'"},
      {"[[fault]]\npause = \"a\"\n⟦by = \"5s\"\n",
       "'pause' has no key 'by' (its keys are pause, for, at, when, after, before, "
       "stays, every and times)"},
      {"[[fault]]\npause = \"a\"\nat = \"1s\"\n⟦fro = \"5s\"\n",
       "'pause' has no key 'fro'; did you mean 'for'? (its keys are pause, for, at, when, after, "
       "before, stays, every and times)"},
      {"[[fault]]\nat = \"1s\"\n⟦fro = \"5s\"\n",
       "unknown key 'fro'; did you mean 'for'? (a [[fault]] has one of {kinds}, and says more with "
       "its keys)"},
      {"[[fault]]\n⟦pause = \"a\"\n",
       "this 'pause' does not say when it strikes; expected 'at' or 'when', as in pause = \"a\", "
       "for = \"15s\", when = \"a acquired\""},
      {"[[fault]]\n⟦crash = \"n1\"\n",
       "this 'crash' does not say when it strikes; expected 'at' or 'when', as in crash = \"n1\", "
       "at = \"5s\""},
      {"[[fault]]\npause = \"a\"\nat = \"1s\"\n⟦when = \"a acquired\"\n",
       "a fault strikes 'at' a time or 'when' something happens, not both"},
      {"[[fault]]\npause = \"a\"\n⟦after = \"1s\"\n",
       "'after' goes with 'when'; expected 'at' for a time since the start"},
      {"[[fault]]\npause = \"a\"\nat = ⟦5\n",
       "'at' is a whole number; expected a duration in quotes, as in \"250ms\" or \"10s\""},
      {"[[fault]]\npause = \"a\"\nat = \"⟦-5s\"\n", "'-5s' is out of range; expected zero or more"},
      {"[[fault]]\npause = \"a\"\nat = \"⟦10m\"\n",
       "the run ends at 10m, before this; expected less, or a larger [limits] horizon"},
      {"[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\nafter = \"⟦-1s\"\n",
       "'-1s' is out of range; expected zero or more"},
      {"[[fault]]\npause = \"a\"\nat = \"0s\"\nfor = \"⟦0s\"\n",
       "'0s' is out of range; expected a duration above zero"},
      {"[[fault]]\npause = \"a\"\nat = \"0s\"\nfor = ⟦15\n",
       "'for' is a whole number; expected a duration in quotes, as in \"250ms\" or \"10s\""},
      {"⟦[[fault]]\ndelay = \"acquire\"\n", "[[fault]] lacks the key 'by', as in by = \"2s\""},
      {"[[fault]]\ndelay = \"acquire\"\nby = \"⟦-1s\"\n",
       "'-1s' is out of range; expected a duration above zero"},
      {"⟦[[fault]]\nclock_step = \"a\"\nat = \"1s\"\n",
       "[[fault]] lacks the key 'by', as in by = \"-3s\""},
      {"[[fault]]\nclock_step = \"a\"\nby = \"⟦0s\"\nat = \"1s\"\n",
       "a step by zero is none; expected as in '-3s'"},
      {"⟦[[fault]]\nclock_drift = \"a\"\n",
       "[[fault]] lacks the key 'rate', as in rate = \"200ppm\""},
      {"[[fault]]\nclock_drift = \"a\"\nrate = \"⟦1s\"\n",
       "'1s' is no rate: a clock's rate is a whole number of ppm, as in 200ppm or -50ppm"},
      {"⟦[[fault]]\ndelete = \"lock\"\nat = \"1s\"\n",
       "[[fault]] lacks the key 'on', as in on = \"n1\""},
      {"[[fault]]\ndrop = \"⟦\"\n", "the message is not named; expected one as in 'acquire'"},
      {"[[fault]]\ndrop = \"acquire\"\nnth = ⟦0\n",
       "'nth' is 0; expected a whole number from 1 to 1000000"},
      {"[[fault]]\ndrop = \"acquire\"\ntimes = ⟦0\n",
       "'times' is 0; expected a whole number from 1 to 1000000"},
      {"[[fault]]\ndrop = \"acquire\"\ntimes = \"⟦often\"\n",
       "'often' is no number of times; expected a whole number, a range as in \"1..3\", or "
       "\"always\""},
      {"⟦[[fault]]\nreorder = \"acquire\"\n",
       "[[fault]] lacks the key 'behind', as in behind = \"release\""},
      {"[[fault]]\nreorder = \"acquire\"\nbehind = \"⟦\"\n",
       "the message is not named; expected one as in 'acquire'"},
      {"⟦[[fault]]\nslow = \"n1\"\n", "[[fault]] lacks the key 'by', as in by = \"2s\""},
      {"⟦[[fault]]\nclog = [\"a\", \"n1\"]\n", "[[fault]] lacks the key 'by', as in by = \"2s\""},
      {"⟦[[fault]]\nswizzle = [\"a\", \"n1\"]\n",
       "[[fault]] lacks the key 'for', as in for = \"6s\""},
      {"[[fault]]\n⟦half_open = [\"a\", \"n1\"]\n",
       "this 'half_open' does not say when it strikes; expected 'at' or 'when', as in half_open = "
       "[\"a\", \"n1\"], when = \"a acquired\""},
      {"[[fault]]\ndrop = \"acquire\"\n⟦for = \"1s\"\n",
       "'drop' has no key 'for' (its keys are drop, from, to, nth, times, at, when, after, "
       "before and stays)"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head).append(clients), wrong, "");
}

TEST(FaultErrors, PointAtNames) {
  constexpr InvalidScenario cases[] = {
      {"[[fault]]\npause = ⟦3\n", "'pause' is a whole number; expected a string in quotes"},
      {"[[fault]]\npause = \"⟦c\"\nat = \"1s\"\n",
       "there is no client or node 'c' (there are a, b and n1)"},
      {"[[fault]]\npause = \"⟦n2\"\nat = \"1s\"\n",
       "there is no client or node 'n2' (there are a, b and n1)"},
      {"[[fault]]\npause = \"⟦a/1\"\nat = \"1s\"\n",
       "'a/1' is a client's thread; expected a client or node: its process is 'a'"},
      {"[[fault]]\npause = \"⟦resource\"\nat = \"1s\"\n",
       "'resource' is the protected resource; expected a client or node"},
      {"[[fault]]\npause = \"⟦\"\nat = \"1s\"\n",
       "there is no client or node '' (there are a, b and n1)"},
      {"[[fault]]\npromote = \"⟦n1\"\nat = \"1s\"\n",
       "'n1' is no replica; expected one; this scenario has none, [redis] replicas adds them"},
      {"[[fault]]\npromote = \"⟦a\"\nat = \"1s\"\n",
       "'a' is no replica; expected one; this scenario has none, [redis] replicas adds them"},
      {"[[fault]]\npromote = \"⟦n1-replica-1\"\nat = \"1s\"\n",
       "there is no client or node 'n1-replica-1' (there are a, b and n1; [redis] replicas = 1 "
       "adds "
       "one to each master)"},
      {"[[fault]]\ncut = ⟦\"a\"\n", "'cut' is a string; expected a list of strings in brackets"},
      {"[[fault]]\ncut = ⟦[\"a\"]\n",
       "'cut' names 1 hosts; expected the two that can't reach each other"},
      {"[[fault]]\ncut = ⟦[\"a\", \"b\", \"n1\"]\n",
       "'cut' names 3 hosts; expected the two that can't reach each other"},
      {"[[fault]]\ncut = [\"a\", ⟦1]\n", "'cut' lists a whole number; expected strings in quotes"},
      {"[[fault]]\ncut = [\"n1\", \"⟦n1\"]\n",
       "a host can't be parted from itself; expected another"},
      {"[[fault]]\ncut = [\"a\", \"⟦b\"]\n",
       "'a' and 'b' never talk to each other; expected a client and a node or the resource, or two "
       "nodes of one shard"},
      {"[[fault]]\ncut = [\"n1\", \"⟦resource\"]\n",
       "'n1' and 'resource' never talk to each other; expected a client and a node or the "
       "resource, or two nodes of one shard"},
      {"[[fault]]\ncut = [\"⟦a/1\", \"n1\"]\n",
       "'a/1' is a client's thread; expected a host: its process is 'a'"},
      {"[[fault]]\ncut = [\"a\", \"⟦m1\"]\n",
       "there is no host 'm1'; did you mean 'n1'? (there are a, b, n1 and resource)"},
      {"[[fault]]\nhalf_open = ⟦[\"a\"]\nat = \"1s\"\n",
       "'half_open' names 1 hosts; expected the one that believes in its connections, and the one "
       "that has forgotten them"},
      {"[[fault]]\nrefuse = \"⟦a\"\n", "nobody connects to the client 'a'; expected a server"},
      {"[[fault]]\npartition = ⟦[[\"a\", \"n1\"]]\n",
       "'partition' has 1 group; expected two or more, as in [[\"a\", \"n1\"], [\"b\"]]"},
      {"[[fault]]\npartition = [⟦\"a\", \"n1\"]\n",
       "'partition' lists a string; expected lists of strings in brackets"},
      {"[[fault]]\npartition = [[\"a\"], [\"n1\", \"⟦a\"]]\n",
       "'a' is named twice; expected each host once"},
      {"[[fault]]\npartition = ⟦[[\"a\"], [\"b\"]]\n",
       "no host of one group ever talks to one of another; this parts nobody"},
      {"[[fault]]\nring = ⟦[\"a\", \"n1\"]\n", "'ring' names 2 hosts; expected 3 or more"},
      {"[[fault]]\nring = [\"a\", \"n1\", \"⟦b\"]\n",
       "'a' and 'b' never talk to each other; expected a client and a node or the resource, or two "
       "nodes of one shard"},
      {"[[fault]]\nstall = \"⟦n1\"\n",
       "'n1' is no replica; expected one; this scenario has none, [redis] replicas adds them"},
      {"[[fault]]\ndrop = \"acquire\"\nfrom = \"⟦c\"\n",
       "there is no client, thread or node 'c' (there are a, a/1, b, b/1, n1 and resource)"},
      {"[[fault]]\ndrop = \"acquire\"\nto = \"⟦b/2\"\n",
       "there is no client, thread or node 'b/2' (there are a, a/1, b, b/1, n1 and resource)"},
      {"[[fault]]\ndrop = \"acquire\"\nfrom = \"a\"\nto = \"⟦b\"\n",
       "'a' and 'b' never talk to each other; expected a client and a node or the resource, or two "
       "nodes of one shard"},
      {"[[fault]]\ndrop = \"acquire\"\nfrom = \"n1\"\nto = \"⟦n1\"\n",
       "a host can't be parted from itself; expected another"},
      {"[[fault]]\ndrop = \"acquire\"\nfrom = \"a/1\"\nto = \"⟦b/1\"\n",
       "'a/1' and 'b/1' never talk to each other; expected a client and a node or the resource, or "
       "two nodes of one shard"},
      {"[[fault]]\nclock_step = \"⟦resource\"\nby = \"1s\"\nat = \"1s\"\n",
       "'resource' is the protected resource; expected a client or node"},
      {"[[fault]]\ndelete = \"⟦lok\"\non = \"n1\"\nat = \"1s\"\n",
       "no step uses a lock 'lok'; did you mean 'lock'? (they use lock)"},
      {"[[fault]]\ndelete = \"lock\"\non = \"⟦a\"\nat = \"1s\"\n",
       "'a' is a client; expected a node"},
      {"[[fault]]\ndelete = \"lock\"\non = \"n1\"\nat = \"1s\"\nkey = \"⟦\"\n",
       "the key has no name; expected one as in '{name}:tickets'"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head).append(clients), wrong, "");
}

TEST(FaultErrors, PointAtMoments) {
  constexpr InvalidScenario cases[] = {
      {"[[fault]]\npause = \"b\"\nwhen = ⟦3\n",
       "'when' is a whole number; expected a string in quotes"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦\"\n",
       "'' is no moment; expected who and what, as in 'a acquired'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a\"\n",
       "'a' is no moment; expected who and what, as in 'a acquired'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦c acquired\"\n",
       "there is no client, thread or node 'c' (there are a, a/1, b, b/1, n1 and resource)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a/2 acquired\"\n",
       "there is no client, thread or node 'a/2' (there are a, a/1, b, b/1, n1 and resource)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"n1 executed acquire of ⟦n1\"\n",
       "'n1' asks for nothing; expected a client or one of its threads"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦3s after a acquired\"\n",
       "this says two things; expected when = 'a acquired' and after = '3s'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦1ms before the lease of a ends\"\n",
       "this says two things; expected when = 'the lease of a ends' and before = '1ms'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦3s\"\n",
       "'3s' is no moment; expected who and what, as in 'a acquired', or at = '3s'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a ⟦aquired\"\n",
       "'aquired' is no milestone; did you mean 'acquired'? ('a' has acquired, refused, releasing, "
       "released, read, wrote, sent, finished, paused, resumed, crashed and logged)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"n1 ⟦acquired\"\n",
       "'acquired' never happens to 'n1' ('n1' has executed, sent, paused, resumed, crashed, "
       "restarted and stopped)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a ⟦executed\"\n",
       "'executed' never happens to 'a' ('a' has acquired, refused, releasing, released, read, "
       "wrote, sent, finished, paused, resumed, crashed and logged)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a ⟦promoted\"\n",
       "'promoted' never happens to 'a' ('a' has acquired, refused, releasing, released, read, "
       "wrote, sent, finished, paused, resumed, crashed and logged)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"resource ⟦paused\"\n",
       "'paused' never happens to 'resource' ('resource' has sent)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a/1 ⟦crashed\"\n",
       "'crashed' never happens to 'a/1' ('a/1' has acquired, refused, releasing, released, read, "
       "wrote, finished and logged)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a/1 ⟦sent write\"\n",
       "'sent' never happens to 'a/1' ('a/1' has acquired, refused, releasing, released, read, "
       "wrote, finished and logged)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a wrote ⟦twice\"\n",
       "unexpected 'twice' after 'wrote'; expected nothing more, or as in 'for the 2nd time'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a acquired lock ⟦twice\"\n",
       "unexpected 'twice' after 'lock'; expected nothing more, or as in 'for the 2nd time'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a acquired for the ⟦2th time\"\n",
       "'2th' is no ordinal; expected one as in '2nd'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a acquired for the ⟦second time\"\n",
       "'second' is no ordinal; expected one as in '2nd'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"a acquired for the ⟦0th time\"\n",
       "'0th' is no ordinal; expected one as in '2nd'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦b wrote\"\n",
       "this moment never comes: no step of 'b' brings about 'wrote'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a acquired orders\"\n",
       "this moment never comes: 'a' has no lock 'orders' (it has lock)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a acquired lokc\"\n",
       "this moment never comes: 'a' has no lock 'lokc'; did you mean 'lock'? (it has lock)"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a acquired for the 2nd time\"\n",
       "this moment never comes: the steps of 'a' bring about 'acquired' 1 time at most"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a paused\"\n",
       "this moment never comes: a is never paused; expected a [[fault]] pause = \"a\""},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦b paused\"\n",
       "this moment never comes: b is never paused; expected a [[fault]] pause = \"b\""},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦n1 crashed\"\n",
       "this moment never comes: n1 is never crashed; expected a [[fault]] crash = \"n1\" or a "
       "step 'crash'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦a crashed\"\n",
       "this moment never comes: a is never crashed; expected a [[fault]] crash = \"a\" or a step "
       "'crash'"},
      {"[[fault]]\npause = \"b\"\nwhen = \"⟦n1 restarted\"\n",
       "this moment never comes: n1 is never restarted; expected a [[fault]] restart = \"n1\""},
      {"[[fault]]\npause = \"b\"\nwhen = \"a ⟦restarted\"\n",
       "'restarted' never happens to 'a' ('a' has acquired, refused, releasing, released, read, "
       "wrote, sent, finished, paused, resumed, crashed and logged)"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head).append(clients), wrong, "");
}

TEST(FaultErrors, SayWhatCanNeverStrike) {
  constexpr InvalidScenario cases[] = {
      {"[redis]\nreplicas = 1\n[[fault]]\n⟦restart = \"n1\"\nat = \"1s\"\n",
       "'n1' never ends, so it can't restart; expected a [[fault]] crash, power_loss or shutdown "
       "= \"n1\" too"},
      {"[redis]\nreplicas = 1\n[[fault]]\nrestart = \"⟦a\"\nat = \"1s\"\n",
       "'a' is a client; expected a node"},
      {"[redis]\nreplicas = 1\n[[fault]]\n⟦delete = \"lock\"\non = \"n1-replica-1\"\nat = \"1s\"\n",
       "'n1-replica-1' is a read-only replica; expected a master, or a [[fault]] promote = "
       "\"n1-replica-1\" too"},
      {"[redis]\nreplicas = 1\n[[fault]]\npause = \"b\"\nwhen = \"⟦n1-replica-1 promoted\"\n",
       "this moment never comes: n1-replica-1 is never promoted; expected a [[fault]] promote = "
       "\"n1-replica-1\""},
      {"[redis]\nreplicas = 1\n[[fault]]\npromote = \"⟦n1\"\nat = \"1s\"\n",
       "'n1' is no replica; expected one, as in 'n1-replica-1'"},
      {"[redis]\nreplicas = 1\n[[fault]]\npromote = \"⟦n1-replica-2\"\nat = \"1s\"\n",
       "there is no client or node 'n1-replica-2' (there are a, b, n1 and n1-replica-1)"},
      {"[redis]\nmasters = 2\nreplicas = 1\n[[fault]]\ncut = [\"n1\", \"⟦n2-replica-1\"]\n",
       "'n1' and 'n2-replica-1' never talk to each other; expected a client and a node or the "
       "resource, or two nodes of one shard"},
      {"[redis]\nmasters = 2\n[[fault]]\ncut = [\"n1\", \"⟦n2\"]\n",
       "'n1' and 'n2' never talk to each other; expected a client and a node or the resource, or "
       "two nodes of one shard"},
      {"[limits]\nhorizon = \"2s\"\n[[fault]]\npause = \"b\"\nat = \"⟦2s\"\n",
       "the run ends at 2s, before this; expected less, or a larger [limits] horizon"},
      {"[redis]\nmasters = 20\n[[fault]]\ncrash = \"⟦n21\"\nat = \"1s\"\n",
       "there is no client or node 'n21' (there are a, b, n1, n2, n3, n4, n5, "
       "n6, n7, n8, n9, n10, n11, n12, n13 and n14 … (22 in all))"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head).append(clients), wrong, "");
}

TEST(FaultErrors, PointAtClocksCallbacksLeasesAndRepetition) {
  constexpr InvalidScenario cases[] = {
      {"[[fault]]\nclock_step = \"n1\"\nby = \"⟦-3s\"\nclock = \"both\"\nat = \"1s\"\n",
       "a monotonic clock never goes back; expected a step forward, or clock = \"wall\""},
      {"[[fault]]\nclock_freeze = \"n1\"\nclock = \"⟦wal\"\nat = \"1s\"\n",
       "'wal' is no clock; did you mean 'wall'?; expected wall, monotonic or both"},
      {"⟦[[fault]]\nclock_strobe = \"n1\"\nby = \"2s\"\nfor = \"1s\"\nat = \"1s\"\n",
       "[[fault]] lacks the key 'every', as in every = \"10ms\""},
      {"[[fault]]\nclock_strobe = \"n1\"\nby = \"2s\"\nevery = \"⟦1us\"\nfor = \"1s\"\nat = "
       "\"1s\"\n",
       "a clock strobes every 1ms at most; expected more"},
      {"[[fault]]\ninterrupt = \"⟦n1\"\nat = \"1s\"\n",
       "'n1' is no client's thread; expected one as in 'a/1'"},
      {"[[fault]]\n⟦postpone = \"a\"\nby = \"1s\"\n",
       "a postponement is of one callback; expected either 'task' with the name of a task, or "
       "'reply' with the name of a script or command"},
      {"[[fault]]\npause = \"a\"\nwhen = \"⟦the lease of a is over\"\n",
       "this is no moment; expected one as in 'the lease of a ends'"},
      {"[[fault]]\npause = \"a\"\nwhen = \"the lease of ⟦n1 ends\"\n",
       "'n1' has no lease; expected a client or one of its threads"},
      {"[[fault]]\npause = \"a\"\nwhen = \"⟦the lease of a on other ends\"\n",
       "this moment never comes: no step of 'a' takes 'other'"},
      {"[[fault]]\npause = \"a\"\nwhen = \"⟦3rd message to n1\"\n",
       "this is no moment; expected one as in '3rd message from a to n2'"},
      {"[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\n⟦before = \"1ms\"\n",
       "only the end of a lease is known before it comes; expected 'before' with when = \"the "
       "lease "
       "of a ends\""},
      {"[[fault]]\npause = \"a\"\nat = \"1s\"\n⟦times = 2\n",
       "'times' goes with 'when' or 'every'; expected one of them too"},
      {"[[fault]]\npause = \"a\"\nat = \"1s\"\nevery = \"1s\"\ntimes = \"⟦often\"\n",
       "'often' is no number of times; expected a whole number, a range as in \"1..3\", or "
       "\"always\""},
      {"[[fault]]\npause = \"a\"\nat = \"5s..⟦1s\"\n",
       "'5s..1s' ends before it begins; expected least..most"},
      {"[[fault]]\npause = \"a\"\nevery = \"⟦1us\"\n",
       "a fault strikes every 1ms at most; expected more"},
      {"[[fault]]\npause = \"a\"\nwhen = \"any\"\n⟦times = 2\n",
       "\"any\" is one moment of a run; expected 'every' beside 'times', or neither"},
      {"[[fault]]\npause = ⟦[]\nat = \"5s\"\n", "nobody to choose from; expected names"},
      {"[heal]\nat = \"⟦20m\"\n",
       "the run ends at 10m, before this; expected less, or a larger [limits] horizon"},
  };
  for (const InvalidScenario& wrong : cases) {
    expect_invalid(std::string(head) + std::string(clients), wrong, {});
  }
}

}  // namespace

}  // namespace lockstep::model::fault_errors

// What every kind of fault has to have, walked over the table of kinds. That each row is whole, and
// that no kind lacks one, is checked where the table is compiled.

namespace lockstep::scenario {
namespace {

std::string text_of(const std::string& file) {
  std::ifstream stream(source_folder() + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(FaultTable, SaysOfEachKindWhenItMattered) {
  std::set<std::string_view> words;
  for (const FaultForm& form : fault_forms()) {
    EXPECT_TRUE(words.insert(form.word).second) << form.word;
    EXPECT_GT(form.mattered.size(), 20U) << form.word;
    EXPECT_NE(form.mattered.back(), '.') << form.word << ": a clause, for a sentence to end";
  }
  EXPECT_EQ(words.size(), fault_kind_count);
}

TEST(FaultTable, DescribesEachKindBeforeAnythingIsNamed) {
  for (const FaultForm& form : fault_forms()) {
    FaultSpec fault = fault_of(form.kind);
    EXPECT_EQ(fault.kind, form.kind);
    const std::string text = fault.describe();
    EXPECT_GT(text.size(), 8U) << form.word;
    EXPECT_EQ(text.find('{'), std::string::npos) << text;
  }
}

TEST(FaultTable, HasATypeForEachKeyAndAnExampleOfItsWord) {
  for (const FaultForm& form : fault_forms()) {
    for (const std::string_view key : form.keys) {
      EXPECT_NO_THROW(static_cast<void>(type_of_fault_key(key))) << form.word << ": " << key;
    }
    EXPECT_TRUE(form.example.starts_with(form.word)) << form.example;
  }
}

TEST(FaultTable, IsWhatTheDocumentTellsOf) {
  const std::string document = text_of("docs/faults.md");
  ASSERT_FALSE(document.empty());
  for (const FaultForm& form : fault_forms()) {
    EXPECT_NE(document.find("`" + std::string(form.word) + " = "), std::string::npos) << form.word;
  }
}

}  // namespace
}  // namespace lockstep::scenario

// Faults that a scenario leaves open: what a file may say, and what is refused.

namespace lockstep::model::open_faults {
namespace {

constexpr std::string_view client =
    "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"unlock\"]\n";

scenario::Scenario read(std::string_view text) {
  std::string whole(head);
  whole += text;
  whole += client;
  return scenario::parse_scenario("test.toml", whole);
}

TEST(OpenFaults, AreNoneWhereTheFileSaysNothing) {
  EXPECT_FALSE(read("").open_faults.has_value());
  EXPECT_FALSE(read("").heal_at_ns.has_value());
}

TEST(OpenFaults, OfAnyKindAreThreeAtMostAndHealAfterTwoMinutes) {
  const scenario::Scenario scenario = read("faults = \"any\"\n");
  ASSERT_TRUE(scenario.open_faults.has_value());
  EXPECT_TRUE(scenario.open_faults->any);
  EXPECT_EQ(scenario.open_faults->kinds.size(), scenario::fault_kind_count - 3);
  EXPECT_EQ(scenario.open_faults->at_most, 3U);
  EXPECT_EQ(scenario.heal_at_ns, 120 * sim::second_ns);
}

// No lock survives that its key is taken away.
TEST(OpenFaults, TakeNoKeysAwayUnlessThatIsNamed) {
  const auto kinds = {scenario::FaultKind::delete_key, scenario::FaultKind::evict,
                      scenario::FaultKind::flush_all};
  const scenario::Scenario any = read("faults = \"any\"\n[budget]\nevict = 0\n");
  for (const scenario::FaultKind kind : kinds) EXPECT_FALSE(any.open_faults->allows(kind));
  const scenario::Scenario named = read("faults = [\"any\", \"evict\"]\n[budget]\nevict = 1\n");
  EXPECT_TRUE(named.open_faults->any);
  EXPECT_TRUE(named.open_faults->allows(scenario::FaultKind::evict));
  EXPECT_TRUE(named.open_faults->allows(scenario::FaultKind::pause));
  EXPECT_FALSE(named.open_faults->allows(scenario::FaultKind::flush_all));
  EXPECT_EQ(scenario::parse_scenario("test.toml", scenario::write_scenario(named, "test.toml"))
                .open_faults,
            named.open_faults);
}

TEST(OpenFaults, AreOfTheKindsThatAreNamedWithinTheirBudget) {
  const scenario::Scenario scenario = read(
      "faults = [\"drop\", \"pause\"]\n[heal]\nat = \"30s\"\n[budget]\nfaults = 5\npause = 0\n");
  const scenario::OpenFaults& open = *scenario.open_faults;
  EXPECT_EQ(open.kinds, (std::vector<scenario::FaultKind>{scenario::FaultKind::pause,
                                                          scenario::FaultKind::drop}));
  EXPECT_EQ(open.at_most, 5U);
  EXPECT_FALSE(open.allows(scenario::FaultKind::pause));
  EXPECT_TRUE(open.allows(scenario::FaultKind::drop));
  EXPECT_FALSE(open.allows(scenario::FaultKind::crash));
  EXPECT_EQ(scenario.heal_at_ns, 30 * sim::second_ns);
}

TEST(OpenFaults, HealOnlyWithinTheHorizon) {
  EXPECT_FALSE(read("faults = \"any\"\n[limits]\nhorizon = \"2m\"\n").heal_at_ns.has_value());
}

TEST(OpenFaults, RefuseWhatTheyAreNot) {
  const auto complaint = [](std::string_view text) -> std::string {
    try {
      (void)read(text);
    } catch (const scenario::InputError& error) {
      return error.message();
    }
    return "none";
  };
  EXPECT_EQ(complaint("faults = \"paus\"\n").substr(0, 80),
            "'paus' is no kind of fault; did you mean 'pause'? (expected \"any\", or some of pa");
  EXPECT_EQ(complaint("faults = []\n"),
            "no kind of fault is named; expected \"any\", or a list as in [\"pause\"]");
  EXPECT_EQ(complaint("faults = [\"pause\", \"any\"]\n"),
            "\"any\" has 'pause' already; expected beside it only delete, evict and flush_all");
  EXPECT_EQ(complaint("faults = [\"pause\", \"pause\"]\n"), "'pause' is named twice");
  EXPECT_EQ(complaint("[budget]\nfaults = 2\n"),
            "[budget] is for faults that are left open; expected faults = \"any\" too");
  EXPECT_EQ(complaint("faults = [\"pause\"]\n[budget]\ncrash = 2\n"),
            "unknown key 'crash' in [budget] (its keys are faults and pause)");
  EXPECT_EQ(complaint("faults = \"any\"\n[budget]\nfaults = 0\n"),
            "a budget of no faults leaves nothing open; expected 1 or more");
  EXPECT_NE(complaint("faults = \"any\"\n[budget]\npause = -1\n"), "none");
  EXPECT_NE(complaint("faults = 3\n"), "none");
}

}  // namespace
}  // namespace lockstep::model::open_faults

// The rows of a survival table.

namespace lockstep::scenario {
namespace {

TEST(FaultGroups, EachHasAKindAndAShortNameOfItsOwn) {
  std::set<FaultGroup> groups;
  for (std::size_t i = 0; i < fault_kind_count; ++i) {
    groups.insert(group_of(static_cast<FaultKind>(i)));
  }
  EXPECT_EQ(groups.size(), fault_group_count);
  for (const FaultGroup group : groups) {
    EXPECT_LE(to_string(group).size(), 14U);
    EXPECT_EQ(fault_group_from(to_string(group)), group);
  }
  EXPECT_FALSE(fault_group_from("no fault"));
}

}  // namespace
}  // namespace lockstep::scenario
