// The rows of `expect`.
#pragma once

#include <array>

#include "scenario/file/field.h"

namespace lockstep::scenario {

// Codecs.
ReadCode<Expectation> read_violated;
ReadCode<Expectation> read_held;
WriteCode<Expectation> write_violated;
WriteCode<Expectation> write_held;
/// Once it is known who takes part and what goes wrong.
///
///   sometimes := (moment | probe) ["after" (moment | probe)] ["while" client "believes" [lock]]
///   probe     := fault ["of" name] "struck" ["for the" ordinal "time"]   fault: see fault_table.h
///   moment    := see triggers.h
ReadCode<Expectation> read_sometimes;
WriteCode<Expectation> write_sometimes;

inline constexpr std::string_view sometimes_key = "sometimes";

inline constexpr std::array expect_fields = {
    row<Expectation>("violates", KeyType::property_or_properties,
                     "Properties that are violated in every run")
        .covers<&Expectation::violates>()
        .reads(read_violated)
        .writes(write_violated),
    row<Expectation>("holds", KeyType::property_or_properties, "Properties that hold in every run")
        .covers<&Expectation::holds>()
        .reads(read_held)
        .writes(write_held),
    row<Expectation>(
        sometimes_key, KeyType::text_or_texts,
        "Moments that come, or faults that strike, in at least one run: \"b acquired while a "
        "believes\", \"pause of a struck\"")
        .covers<&Expectation::sometimes>()
        .finishes(read_sometimes)
        .writes(write_sometimes),
    field<Duration, &Expectation::overlap_at_most_ns>(
        "overlap_at_most", "For how long two may believe at once that they have the lock",
        {.sign = DurationSign::not_negative}),
    field<Duration, &Expectation::wait_at_most_ns>("wait_at_most",
                                                   "How long a thread may wait for the lock",
                                                   {.sign = DurationSign::not_negative}),
    field<WholeNumber, &Expectation::requests_per_second_at_most>(
        "requests_per_second_at_most",
        "How many requests a client may send to servers in any second, all its threads together",
        {.numbers = {0, 1'000'000'000}}),
};
inline constexpr std::size_t expect_places = 1;
static_assert(members_of(expect_fields) + expect_places == member_count<Expectation>());

/// Reads all but `sometimes`. Throws InputError, also where nothing is expected.
ReadCode<Scenario> read_expectation;
ReadCode<Scenario> finish_expectation;
WriteCode<Scenario> write_expectation;

}  // namespace lockstep::scenario
