// Fields of a scenario file: each key is one row, which reads, writes, compares and explains it.
//
//   constexpr std::array cluster_fields = {
//       field<Duration, &ClusterSpec::node_timeout_ns>(
//           "node_timeout", "cluster-node-timeout", {.sign = DurationSign::positive}),
//   };
//
// A row that needs code of its own hangs its functions in: row<Owner>(…).reads(…).writes(…). Rows
// are read and written in their order, or by rank.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenario/file/file_keys.h"
#include "scenario/file/table_text.h"
#include "scenario/participants.h"
#include "scenario/scenario.h"
#include "scenario/text/toml_reader.h"

namespace lockstep::scenario {

/// What custom rows need to know of the rest of the file.
struct ReadContext {
  const Scenario& scenario;                    ///< as far as it is read
  const Participants* participants = nullptr;  ///< null until clients and nodes are read
};
struct WriteContext {
  const Scenario& scenario;
  const std::filesystem::path& path;  ///< where the text is to stand
  std::size_t client_count = 0;       ///< [[client]]: its `count`; 0: it has none
};

/// The keys in which two scenarios differ: "redis.sentinel.quorum".
class Differences {
 public:
  void add(std::string_view key) { found_.push_back(prefix_ + std::string(key)); }
  template <typename Compare>
  void within(std::string_view key, Compare compare) {
    const std::string outer = std::exchange(prefix_, fmt::format("{}{}.", prefix_, key));
    compare();
    prefix_ = outer;
  }
  [[nodiscard]] const std::vector<std::string>& found() const { return found_; }

 private:
  std::string prefix_;
  std::vector<std::string> found_;
};

// A path of members: &Scenario::redis, &RedisSpec::masters.
template <typename Owner, typename Value>
Owner owner_of(Value Owner::*);
template <auto First, auto...>
struct PathBegin {
  using Owner = decltype(owner_of(First));
};
template <auto... Path>
using OwnerOf = typename PathBegin<Path...>::Owner;

constexpr auto& end_of(auto& owner) { return owner; }
constexpr auto& end_of(auto& owner, auto first, auto... rest) {
  return end_of(owner.*first, rest...);
}
/// What the path leads to; the owner itself where it is empty.
template <auto... Path>
constexpr auto& member(auto& owner) {
  return end_of(owner, Path...);
}
template <auto... Path>
using ValueOf = std::remove_cvref_t<decltype(member<Path...>(std::declval<OwnerOf<Path...>&>()))>;

/// What a value may be, for the types that have limits.
struct ValueLimits {
  NumberRange numbers{0, 0};
  DurationSign sign = DurationSign::any;
};

/// When explain() mentions a field.
enum class Mention : std::uint8_t { always, if_changed };

// The functions of a row. A codec is declared by its type: ReadCode<RedisSpec> read_topology;
template <typename Owner>
struct Field;
/// May throw InputError.
template <typename Owner>
using ReadCode = void(const TableReader&, const Field<Owner>&, const ReadContext&, Owner&);
/// May throw InputError.
template <typename Owner>
using CheckCode = void(const TableReader&, const Field<Owner>&, const Owner&);
template <typename Owner>
using WriteCode = void(const Field<Owner>&, const Owner&, const WriteContext&, TableText&);
template <typename Owner>
using CompareCode = void(const Field<Owner>&, const Owner&, const Owner&, Differences&);
template <typename Owner>
using ShowCode = std::string(const Owner&);

template <typename OwnerType>
struct Field {
  using Owner = OwnerType;
  using Read = ReadCode<Owner>*;
  using Check = CheckCode<Owner>*;
  using Write = WriteCode<Owner>*;
  using Compare = CompareCode<Owner>*;
  using Show = ShowCode<Owner>*;

  KeyForm form;
  std::size_t members = 0;  ///< how many members of the owner it covers
  ValueLimits limits = {};
  std::string_view example = {};   ///< of a required key
  std::string_view phrase = "{}";  ///< explain(): "drift {}"
  int read_rank = 0;
  int write_rank = 0;
  bool is_in_part_of_previous = false;  ///< not read where the row before it is wrong
  Read read = nullptr;
  Check check = nullptr;  ///< behind `read`
  Read finish = nullptr;  ///< once all of the table is read
  Write write = nullptr;
  Compare compare = nullptr;
  Show show = nullptr;

  // Each makes the same row with something added.
  [[nodiscard]] constexpr Field reads(Read function, int rank = 0) const {
    return with(&Field::read, function).with(&Field::read_rank, rank);
  }
  [[nodiscard]] constexpr Field reads_at(int rank) const { return with(&Field::read_rank, rank); }
  [[nodiscard]] constexpr Field in_part_of_previous() const {
    return with(&Field::is_in_part_of_previous, true);
  }
  [[nodiscard]] constexpr Field checks(Check function) const {
    return with(&Field::check, function);
  }
  [[nodiscard]] constexpr Field finishes(Read function) const {
    return with(&Field::finish, function);
  }
  [[nodiscard]] constexpr Field writes(Write function, int rank = 0) const {
    return with(&Field::write, function).with(&Field::write_rank, rank);
  }
  [[nodiscard]] constexpr Field writes_at(int rank) const { return with(&Field::write_rank, rank); }
  [[nodiscard]] constexpr Field says(std::string_view words) const {
    return with(&Field::phrase, words);
  }
  [[nodiscard]] constexpr Field shows(Show function) const { return with(&Field::show, function); }
  [[nodiscard]] constexpr Field requires_as_in(std::string_view words) const {
    Field copy = with(&Field::example, words);
    copy.form.is_required = true;
    return copy;
  }
  [[nodiscard]] constexpr Field with_keys(std::vector<KeyForm> (*keys)()) const {
    Field copy = *this;
    copy.form.keys = keys;
    return copy;
  }
  [[nodiscard]] constexpr Field covers_members(std::size_t covered) const {
    return with(&Field::members, covered);
  }
  [[nodiscard]] constexpr Field compares(Compare function, std::size_t covered) const {
    return with(&Field::compare, function).with(&Field::members, covered);
  }
  /// Compares these members.
  template <auto... Members>
  [[nodiscard]] constexpr Field covers() const {
    return compares(
        [](const Field& self, const Owner& one, const Owner& other, Differences& differences) {
          if (!((one.*Members == other.*Members) && ...)) differences.add(self.form.key);
        },
        sizeof...(Members));
  }
  /// Compares the member at the end of a path.
  template <auto... Path>
  [[nodiscard]] constexpr Field covers_path() const {
    return compares(
        [](const Field& self, const Owner& one, const Owner& other, Differences& differences) {
          if (member<Path...>(one) != member<Path...>(other)) differences.add(self.form.key);
        },
        1);
  }

 private:
  template <typename Value>
  [[nodiscard]] constexpr Field with(Value Field::*part, std::type_identity_t<Value> value) const {
    Field copy = *this;
    copy.*part = value;
    return copy;
  }
};

/// A row without code, to which some is added.
template <typename Owner>
constexpr Field<Owner> row(std::string_view key, KeyType type, std::string_view summary) {
  return {.form = {key, type, summary}};
}

template <typename Value>
struct WithoutOptional {
  using Type = Value;
};
template <typename Value>
struct WithoutOptional<std::optional<Value>> {
  using Type = Value;
};

template <typename Owner>
const Owner& default_of() {
  // Behind a pointer: GCC 12 takes the destruction of a half-made static for a use of what is not
  // set.
  static const auto value = std::make_unique<const Owner>();
  return *value;
}

/// "1 event", "2 events"
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view thing);

// Codecs: how a value of a type is read, and written as TOML and in words.
struct WholeNumber {
  static constexpr KeyType type = KeyType::whole_number;
  static auto read(const TableReader& table, std::string_view key, const ValueLimits& limits) {
    return table.whole_number(key, limits.numbers);
  }
  static std::string words(auto value) { return std::to_string(value); }
  static std::string toml(auto value) { return words(value); }
};
struct Boolean {
  static constexpr KeyType type = KeyType::boolean;
  static auto read(const TableReader& table, std::string_view key, const ValueLimits&) {
    return table.boolean(key);
  }
  static std::string words(bool value) { return value ? "with" : "without"; }
  static std::string toml(bool value) { return value ? "true" : "false"; }
};
struct Duration {
  static constexpr KeyType type = KeyType::duration;
  static auto read(const TableReader& table, std::string_view key, const ValueLimits& limits) {
    return table.duration(key, limits.sign);
  }
  static std::string words(sim::DurationNs value);
  static std::string toml(sim::DurationNs value) { return toml_string(words(value)); }
};
struct Ppm {
  static constexpr KeyType type = KeyType::ppm;
  static auto read(const TableReader& table, std::string_view key, const ValueLimits&) {
    return table.ppm(key);
  }
  static std::string words(std::int64_t value) { return fmt::format("{}ppm", value); }
  static std::string toml(std::int64_t value) { return toml_string(words(value)); }
};
struct LatencyRange {
  static constexpr KeyType type = KeyType::latency;
  static std::optional<sim::Latency> read(const TableReader& table, std::string_view key,
                                          const ValueLimits&);
  static std::string words(const sim::Latency& value);
  static std::string toml(const sim::Latency& value) { return toml_string(words(value)); }
};
/// Its limits say the sign; whole milliseconds.
struct MillisecondRange {
  static constexpr KeyType type = KeyType::duration_range;
  static auto read(const TableReader& table, std::string_view key, const ValueLimits& limits) {
    return table.duration_range(key, limits.sign, Granularity::milliseconds);
  }
  static std::string words(const DurationRange& value);
  static std::string toml(const DurationRange& value) { return toml_string(words(value)); }
};
struct NanosecondRange : MillisecondRange {
  static auto read(const TableReader& table, std::string_view key, const ValueLimits& limits) {
    return table.duration_range(key, limits.sign);
  }
};
struct Text {
  static constexpr KeyType type = KeyType::text;
  static std::optional<std::string> read(const TableReader& table, std::string_view key,
                                         const ValueLimits&);
  static std::string words(const std::string& value) { return value; }
  static std::string toml(const std::string& value) { return toml_string(value); }
};

/// A field of a simple type: one member, written where it is not as by default or is required.
template <typename Codec, auto... Path>
constexpr auto field(std::string_view key, std::string_view summary, ValueLimits limits = {}) {
  using Owner = OwnerOf<Path...>;
  using Value = ValueOf<Path...>;
  constexpr bool is_optional = !std::same_as<Value, typename WithoutOptional<Value>::Type>;
  Field<Owner> field = row<Owner>(key, Codec::type, summary);
  field.members = 1;
  field.limits = limits;
  field.read = [](const TableReader& table, const Field<Owner>& self, const ReadContext&,
                  Owner& owner) {
    if (auto value = Codec::read(table, self.form.key, self.limits)) {
      member<Path...>(owner) = static_cast<typename WithoutOptional<Value>::Type>(*value);
    }
  };
  field.write = [](const Field<Owner>& self, const Owner& owner, const WriteContext&,
                   TableText& text) {
    const Value& value = member<Path...>(owner);
    if (!self.form.is_required && value == member<Path...>(default_of<Owner>())) return;
    if constexpr (is_optional) {
      if (value) text.keys.add(self.form.key, Codec::toml(*value));
    } else {
      text.keys.add(self.form.key, Codec::toml(value));
    }
  };
  field.compare = [](const Field<Owner>& self, const Owner& one, const Owner& other,
                     Differences& differences) {
    if (member<Path...>(one) != member<Path...>(other)) differences.add(self.form.key);
  };
  field.show = [](const Owner& owner) {
    const Value& value = member<Path...>(owner);
    if constexpr (is_optional) {
      return value ? Codec::words(*value) : std::string();
    } else {
      return Codec::words(value);
    }
  };
  return field;
}

// What is done with the rows of a table.

template <typename Rows>
std::vector<KeyForm> forms_of(const Rows& rows) {
  std::vector<KeyForm> forms;
  for (const auto& field : rows) forms.push_back(field.form);
  return forms;
}

template <typename Rows>
constexpr std::size_t members_of(const Rows& rows) {
  std::size_t members = 0;
  for (const auto& field : rows) members += field.members;
  return members;
}

/// The rows by a rank, in their order where that is equal.
template <typename Rows, typename Rank>
auto ranked(const Rows& rows, Rank rank) {
  std::array<const typename Rows::value_type*, std::tuple_size_v<Rows>> order;
  std::transform(rows.begin(), rows.end(), order.begin(), [](const auto& each) { return &each; });
  std::stable_sort(order.begin(), order.end(), [rank](const auto* one, const auto* other) {
    return one->*rank < other->*rank;
  });
  return order;
}

template <typename Rows>
void allow_only_keys_of(const Rows& rows, const TableReader& table) {
  std::vector<std::string_view> keys;
  for (const auto& field : rows) keys.push_back(field.form.key);
  table.allow_only(keys);
}

/// Throws InputError.
template <typename Owner>
void read_field(const Field<Owner>& field, const TableReader& table, const ReadContext& context,
                Owner& owner) {
  if (field.read != nullptr) field.read(table, field, context, owner);
  if (field.check != nullptr) field.check(table, field, owner);
}

/// Throws InputError.
template <typename Rows, typename Owner>
void finish_fields(const Rows& rows, const TableReader& table, const ReadContext& context,
                   Owner& owner) {
  for (const auto& field : rows) {
    if (field.finish != nullptr) field.finish(table, field, context, owner);
  }
}

/// Throws InputError, also for a key that is in no row.
template <typename Rows, typename Owner>
void read_fields(const Rows& rows, const TableReader& table, const ReadContext& context,
                 Owner& owner) {
  allow_only_keys_of(rows, table);
  using Row = typename Rows::value_type;
  for (const Row* field : ranked(rows, &Row::read_rank)) {
    read_field(*field, table, context, owner);
  }
  for (const Row& field : rows) {
    const bool is_missing = !field.example.empty() && !table.has(field.form.key);
    if (is_missing) table.complain_missing(field.form.key, field.example);
  }
}

template <typename Rows, typename Owner>
void write_fields(const Rows& rows, const Owner& owner, const WriteContext& context,
                  TableText& text) {
  using Row = typename Rows::value_type;
  for (const Row* field : ranked(rows, &Row::write_rank)) {
    if (field->write != nullptr) field->write(*field, owner, context, text);
  }
}

template <typename Rows, typename Owner>
void compare_fields(const Rows& rows, const Owner& one, const Owner& other,
                    Differences& differences) {
  for (const auto& field : rows) {
    if (field.compare != nullptr) field.compare(field, one, other, differences);
  }
}

/// Adds "key[i].…" for each item that differs, and "key.size".
template <typename Rows, typename Items>
void compare_each(const Rows& rows, std::string_view key, const Items& some, const Items& others,
                  Differences& differences) {
  if (some.size() != others.size()) return differences.add(fmt::format("{}.size", key));
  for (std::size_t i = 0; i < some.size(); ++i) {
    differences.within(fmt::format("{}[{}]", key, i),
                       [&] { compare_fields(rows, some[i], others[i], differences); });
  }
}

/// "horizon 10m", "1000 events".
template <typename Rows, typename Owner>
std::vector<std::string> explain_fields(const Rows& rows, const Owner& owner, Mention mention) {
  std::vector<std::string> phrases;
  for (const auto& field : rows) {
    if (field.show == nullptr) continue;
    const std::string words = field.show(owner);
    if (mention == Mention::if_changed && words == field.show(default_of<Owner>())) continue;
    phrases.push_back(fmt::format(fmt::runtime(field.phrase), words));
  }
  return phrases;
}

/// A table within a table. Without a path its rows are about the same owner.
template <const auto& Rows, auto... Path>
constexpr auto table(std::string_view key, std::string_view summary) {
  constexpr bool is_same_owner = sizeof...(Path) == 0;
  constexpr auto owner_type = [] {
    if constexpr (is_same_owner) {
      return std::type_identity<typename std::remove_cvref_t<decltype(Rows)>::value_type::Owner>{};
    } else {
      return std::type_identity<OwnerOf<Path...>>{};
    }
  }();
  using Owner = typename decltype(owner_type)::type;
  Field<Owner> field = row<Owner>(key, KeyType::table, summary);
  field.form.keys = [] { return forms_of(Rows); };
  field.members = is_same_owner ? members_of(Rows) : 1;
  field.read = [](const TableReader& outer, const Field<Owner>& self, const ReadContext& context,
                  Owner& owner) {
    const auto inner = outer.table(self.form.key);
    if (!inner) return;
    read_fields(Rows, *inner, context, member<Path...>(owner));
    finish_fields(Rows, *inner, context, member<Path...>(owner));
  };
  field.write = [](const Field<Owner>& self, const Owner& owner, const WriteContext& context,
                   TableText& text) {
    TableText inner = text.below_key(self.form.key);
    write_fields(Rows, member<Path...>(owner), context, inner);
    text.add(self.form.key, inner);
  };
  field.compare = [](const Field<Owner>& self, const Owner& one, const Owner& other,
                     Differences& differences) {
    differences.within(self.form.key, [&] {
      compare_fields(Rows, member<Path...>(one), member<Path...>(other), differences);
    });
  };
  field.show = [](const Owner& owner) {
    return fmt::format(
        "{}", fmt::join(explain_fields(Rows, member<Path...>(owner), Mention::always), ", "));
  };
  return field;
}

// How many members a struct has: in how many parts it can be initialized.
struct AnyMember {
  template <typename Value>
  operator Value() const;  // NOLINT(google-explicit-constructor): declared only
};
template <typename Struct, typename... Members>
consteval std::size_t member_count() {
  if constexpr (requires { Struct{std::declval<Members>()..., std::declval<AnyMember>()}; }) {
    return member_count<Struct, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

}  // namespace lockstep::scenario
