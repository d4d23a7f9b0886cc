// The rows of [[client]], [[client.thread]], `generate` and [[link]].
#pragma once

#include <array>

#include "scenario/file/field.h"

namespace lockstep::scenario {

// Codecs.
ReadCode<ThreadSpec> read_generate;
WriteCode<ThreadSpec> write_generate;
[[nodiscard]] std::vector<KeyForm> generate_keys();
ReadCode<ThreadSpec> read_run;
WriteCode<ThreadSpec> write_run;
ReadCode<ClientSpec> read_name;
ReadCode<ClientSpec> read_count;
WriteCode<ClientSpec> write_count;
ReadCode<ClientSpec> read_command;
WriteCode<ClientSpec> write_command;
ReadCode<ClientSpec> finish_connect;
ReadCode<ClientSpec> read_threads;
WriteCode<ClientSpec> write_threads;
WriteCode<ClientSpec> write_alike_threads;
WriteCode<ClientSpec> write_thread_count;
[[nodiscard]] std::string show_threads_min(const ClientSpec& client);
ReadCode<ClientSpec> read_rounds;
WriteCode<ClientSpec> write_rounds;
[[nodiscard]] std::string show_rounds(const ClientSpec& client);
ReadCode<ClientSpec> read_start;
ReadCode<ClientSpec> require_start_within_run;
WriteCode<ClientSpec> write_start;
[[nodiscard]] std::string show_start(const ClientSpec& client);
ReadCode<ClientSpec> read_client_options;
WriteCode<ClientSpec> write_client_options;
[[nodiscard]] std::string show_client_options(const ClientSpec& client);
ReadCode<LinkSpec> read_from;
ReadCode<LinkSpec> read_to;
CheckCode<LinkSpec> require_latency_text;
ReadCode<LinkSpec> read_link_latency;

inline constexpr std::array thread_fields = {
    row<ThreadSpec>("run", KeyType::steps, "Its steps, in order")
        .covers<&ThreadSpec::steps>()
        .reads(read_run)
        .writes(write_run),
    row<ThreadSpec>("generate", KeyType::table, "Steps that are drawn")
        .with_keys(generate_keys)
        .covers<&ThreadSpec::generate>()
        .reads(read_generate)
        .writes(write_generate),
};
static_assert(members_of(thread_fields) == member_count<ThreadSpec>());

inline constexpr std::string_view name_key = "name";
inline constexpr std::string_view count_key = "count";
inline constexpr std::string_view threads_key = "threads";
inline constexpr std::string_view command_key = "command";
inline constexpr std::string_view folder_key = "folder";
inline constexpr std::string_view reuse_key = "reuse";
inline constexpr std::string_view thread_order_key = "thread_order";
inline constexpr std::string_view connect_key = "connect";
inline constexpr std::string_view env_key = "env";
inline constexpr NumberRange clients_of_table = {1, 100};

// A client has the keys of a thread, for one thread or several that are alike; `thread` reads them.
inline constexpr std::array client_fields = {
    row<ClientSpec>(name_key, KeyType::text, "A letter, then letters, digits, '-' and '_'")
        .requires_as_in("name = \"a\"")
        .covers<&ClientSpec::name>()
        .reads(read_name)
        .writes(field<Text, &ClientSpec::name>("", "").requires_as_in("").write),
    row<ClientSpec>(count_key, KeyType::whole_number, "So many such clients: w1, w2, …")
        .reads(read_count)
        .writes(write_count),
    row<ClientSpec>(command_key, KeyType::text_or_texts,
                    "A real program and its arguments, in place of steps")
        .covers<&ClientSpec::program>()
        .reads(read_command)
        .writes(write_command),
    row<ClientSpec>(folder_key, KeyType::text, "Where the program runs, beside the file"),
    row<ClientSpec>(reuse_key, KeyType::text,
                    "\"process\": each run starts one; \"fork\": each run is a fork of one"),
    row<ClientSpec>(thread_order_key, KeyType::text,
                    "Of the program's threads: \"in turn\", or \"any\", drawn in each run"),
    row<ClientSpec>(connect_key, KeyType::texts_by_name,
                    "Which host and port of the program's is which node")
        .finishes(finish_connect),
    row<ClientSpec>(env_key, KeyType::texts_by_name, "Environment variables of the program"),
    Field<ClientSpec>{.form = thread_fields[0].form}.writes(write_alike_threads, 2),
    Field<ClientSpec>{.form = thread_fields[1].form},
    row<ClientSpec>("thread", KeyType::tables, "Threads that differ")
        .with_keys([] { return forms_of(thread_fields); })
        .covers<&ClientSpec::threads>()
        .reads(read_threads)
        .writes(write_threads, 2),
    row<ClientSpec>(threads_key, KeyType::number_range, "So many threads that do the same")
        .covers<&ClientSpec::threads_min>()
        .writes(write_thread_count)
        .shows(show_threads_min)
        .says("{} of its threads take part"),
    row<ClientSpec>("rounds", KeyType::number_range, "How often each thread runs its steps")
        .covers<&ClientSpec::rounds, &ClientSpec::rounds_max>()
        .reads(read_rounds)
        .writes(write_rounds, 1)
        .shows(show_rounds)
        .says("{} rounds"),
    row<ClientSpec>("start", KeyType::duration_range, "When its threads begin")
        .covers<&ClientSpec::start_ns, &ClientSpec::start_ns_max>()
        .reads(read_start)
        .finishes(require_start_within_run)
        .writes(write_start)
        .shows(show_start)
        .says("starts at {}"),
    field<Duration, &ClientSpec::wall_offset_ns>("wall_offset",
                                                 "By how much its wall clock is wrong")
        .writes_at(1)
        .says("wall clock off by {}"),
    field<Ppm, &ClientSpec::drift_ppm>("drift", "Of both its clocks").writes_at(1).says("drift {}"),
    row<ClientSpec>("options", KeyType::settings_by_name,
                    "Options of the lock as this client has them, over those of all")
        .covers<&ClientSpec::options>()
        .covers_members(2)  // and their places
        .reads(read_client_options)
        .writes(write_client_options, 1)
        .shows(show_client_options)
        .says("with {}"),
};
inline constexpr std::size_t client_places = 1;
static_assert(members_of(client_fields) + client_places == member_count<ClientSpec>());

// Whether two hosts talk to each other is asked once all that is said is there.
inline constexpr std::array link_fields = {
    field<Text, &LinkSpec::from>("from", "A host")
        .requires_as_in("from = \"a\"")
        .finishes(read_from),
    field<Text, &LinkSpec::to>("to", "A host").requires_as_in("to = \"n1\"").finishes(read_to),
    field<LatencyRange, &LinkSpec::latency>("latency", "How long messages take in this direction")
        .requires_as_in("latency = \"20ms..30ms\"")
        .reads(nullptr)
        .checks(require_latency_text)
        .finishes(read_link_latency),
};
static_assert(members_of(link_fields) == member_count<LinkSpec>());

/// Reads one [[client]], or its `count` of them.
ReadCode<Scenario> read_clients;
/// Clients that differ in nothing but their number are one table with a `count`.
WriteCode<Scenario> write_clients;
CompareCode<Scenario> compare_clients;
ReadCode<Scenario> read_links;
WriteCode<Scenario> write_links;
CompareCode<Scenario> compare_links;

}  // namespace lockstep::scenario
