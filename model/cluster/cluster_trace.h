// The kinds of trace events that a node of a cluster emits, and their fields. All at its own lane:
// each says what that node knows or does.
#pragma once

#include <string_view>

namespace lockstep::model::trace_kind {

inline constexpr std::string_view cluster_suspected = "cluster-suspected";  // node (PFAIL)
inline constexpr std::string_view cluster_trusted = "cluster-trusted";      // node: it answers
inline constexpr std::string_view cluster_failed = "cluster-failed";        // node (FAIL)
inline constexpr std::string_view cluster_recovered = "cluster-recovered";  // node
inline constexpr std::string_view cluster_hindered =
    "cluster-hindered";  // master, silent_ms: its data is too old to stand for election
inline constexpr std::string_view cluster_standing =
    "cluster-standing";  // master, in_ms: it will ask for votes
inline constexpr std::string_view cluster_vote_requested =
    "cluster-vote-requested";                                           // master, epoch
inline constexpr std::string_view cluster_voted = "cluster-voted";      // for, epoch
inline constexpr std::string_view cluster_elected = "cluster-elected";  // in_place_of, epoch
inline constexpr std::string_view cluster_slots_moved = "cluster-slots-moved";  // from, to, epoch
inline constexpr std::string_view cluster_state = "cluster-state";              // state (ok|fail)

}  // namespace lockstep::model::trace_kind
