#include "search/explore/exploration_file.h"

#include <fstream>
#include <iterator>
#include <limits>
#include <ostream>
#include <string_view>
#include <vector>

#include "checker/property.h"
#include "scenario/text/input_error.h"
#include "sim/mixing.h"
#include "sim/versions.h"

namespace lockstep::search {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::uint64_t no_bound = UINT64_MAX;

std::string first_line() {
  return "lockstep exploration " + std::to_string(exploration_file_version) + "\n";
}

/// Words out, and their checksum.
class WordWriter {
 public:
  explicit WordWriter(std::ostream& stream) : stream_(stream) {}

  void put(std::uint64_t word) {
    sum_ = sim::mixed(sum_, word);
    char bytes[word_bytes];
    for (std::size_t i = 0; i < word_bytes; ++i) {
      bytes[i] = static_cast<char>(static_cast<unsigned char>(word >> (8 * i)));
    }
    stream_.write(bytes, word_bytes);
  }
  void put_text(std::string_view text) {
    put(text.size());
    for (const char byte : text) put(static_cast<unsigned char>(byte));
  }
  void finish() { put(sum_); }

 private:
  std::ostream& stream_;
  std::uint64_t sum_ = 0;
};

/// Words in. All of them have been compared with their checksum; what they mean is doubted still.
class WordReader {
 public:
  explicit WordReader(const std::filesystem::path& path) : place_{path.string(), 0, 0} {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw scenario::InputError(place_, "cannot read it: no search was saved there");
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
    const std::string expected = first_line();
    if (!bytes_.starts_with(expected)) {
      complain("this is no search that was interrupted (or of another version)");
    }
    next_ = expected.size();
    if ((bytes_.size() - next_) % word_bytes != 0 || bytes_.size() - next_ < word_bytes) damaged();
    end_ = bytes_.size() - word_bytes;
    std::uint64_t sum = 0;
    for (std::size_t at = next_; at < end_; at += word_bytes) sum = sim::mixed(sum, word_at(at));
    if (sum != word_at(end_)) damaged();
  }

  [[nodiscard]] std::uint64_t take() {
    if (next_ == end_) damaged();
    const std::uint64_t word = word_at(next_);
    next_ += word_bytes;
    return word;
  }
  /// At most that.
  [[nodiscard]] std::uint64_t take(std::uint64_t most) {
    const std::uint64_t word = take();
    if (word > most) damaged();
    return word;
  }
  [[nodiscard]] std::uint32_t take_small(std::uint32_t most = UINT32_MAX) {
    return static_cast<std::uint32_t>(take(most));
  }
  /// How many things follow, of so many words each at least.
  [[nodiscard]] std::size_t take_count(std::size_t words) {
    return static_cast<std::size_t>(take((end_ - next_) / word_bytes / words));
  }
  [[nodiscard]] std::string take_text() {
    std::string text;
    for (std::size_t left = take_count(1); left > 0; --left) {
      text += static_cast<char>(static_cast<unsigned char>(take(UINT8_MAX)));
    }
    return text;
  }
  void require_end() const {
    if (next_ != end_) damaged();
  }
  [[noreturn]] void complain(const std::string& what) const {
    throw scenario::InputError(place_, what);
  }
  [[noreturn]] void damaged() const { complain("this file is damaged"); }

 private:
  [[nodiscard]] std::uint64_t word_at(std::size_t at) const {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < word_bytes; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes_[at + i])} << (8 * i);
    }
    return word;
  }

  scenario::SourceLocation place_;
  std::string bytes_;
  std::size_t next_ = 0;
  std::size_t end_ = 0;
};

std::vector<std::uint64_t> words_of(const ExploreBounds& bounds) {
  return {bounds.delay_steps,
          bounds.range_steps,
          bounds.faults_max ? std::uint64_t{*bounds.faults_max} : no_bound,
          bounds.deviations_max ? std::uint64_t{*bounds.deviations_max} : no_bound,
          static_cast<std::uint64_t>(bounds.places),
          static_cast<std::uint64_t>(bounds.merging),
          static_cast<std::uint64_t>(bounds.reduction)};
}

}  // namespace

std::uint64_t identity_of(const scenario::Scenario& scenario, std::uint64_t lock_digest) {
  std::uint64_t identity = lock_digest;
  const auto add = [&identity](std::string_view text) {
    for (const char byte : text) {
      identity = sim::mixed(identity, static_cast<unsigned char>(byte));
    }
    identity = sim::mixed(identity, text.size());
  };
  add(scenario.text);
  for (const scenario::SourceFile& base : scenario.bases) add(base.text);
  add(scenario.row);
  return identity;
}

/// Knows what an exploration is made of.
class ExplorationFile {
 public:
  static void save(WordWriter& out, const Exploration& from) {
    const ExploreCounts& counts = from.counts_;
    for (const std::uint64_t number :
         {counts.runs, counts.transitions, counts.foreseen, counts.merged, counts.at_rest,
          counts.out_of_time, counts.out_of_events, std::uint64_t{counts.steps_max},
          std::uint64_t{counts.decisions_max}}) {
      out.put(number);
    }
    out.put(static_cast<std::uint64_t>(from.order_));
    out.put(from.reduces_symmetry_ ? 1 : 0);
    out.put(from.put_to_the_test_);
    out.put_text(from.first_failure_);
    out.put_text(from.first_script_failure_);
    out.put(from.found_.size());
    for (const Counterexample& each : from.found_) save(out, each);
    out.put(from.nodes_.size());
    for (const Exploration::Node& node : from.nodes_) {
      out.put(node.parent);
      out.put(std::uint64_t{node.decision} << 32 | node.answer);
    }
    out.put(from.frontier_.size());
    for (const auto& [cost, layer] : from.frontier_) {
      out.put(std::uint64_t{cost.interventions} << 32 | cost.faults);
      out.put(layer.paths.size() - layer.next);
      for (std::size_t i = layer.next; i < layer.paths.size(); ++i) {
        out.put(std::uint64_t{layer.paths[i].node} << 1 | (layer.paths[i].is_foreseen ? 1 : 0));
        out.put(layer.paths[i].state.high);
        out.put(layer.paths[i].state.low);
      }
    }
    const std::vector<model::StateDigest> states = from.visited_.all();
    out.put(states.size());
    for (const model::StateDigest& state : states) {
      out.put(state.high);
      out.put(state.low);
    }
  }

  static void load(WordReader& in, Exploration& to) {
    ExploreCounts& counts = to.counts_;
    for (std::uint64_t* number :
         {&counts.runs, &counts.transitions, &counts.foreseen, &counts.merged, &counts.at_rest,
          &counts.out_of_time, &counts.out_of_events}) {
      *number = in.take();
    }
    counts.steps_max = in.take_small();
    counts.decisions_max = in.take_small();
    to.order_ = static_cast<Exploration::Order>(in.take(1));
    to.reduces_symmetry_ = in.take(1) == 1;
    to.put_to_the_test_ = in.take();
    to.first_failure_ = in.take_text();
    to.first_script_failure_ = in.take_text();
    for (std::size_t left = in.take_count(5); left > 0; --left) {
      to.found_.push_back(load_found(in));
    }
    load_nodes(in, to);
    load_frontier(in, to);
    for (std::size_t left = in.take_count(2); left > 0; --left) {
      model::StateDigest state;
      state.high = in.take();
      state.low = in.take();
      to.visited_.insert(state);
    }
    in.require_end();
  }

 private:
  static void save(WordWriter& out, const Counterexample& found) {
    out.put(static_cast<std::uint64_t>(found.property));
    out.put(std::uint64_t{found.faults} << 32 | found.deviations);
    out.put(found.run);
    out.put(found.path.size());
    for (const Deviation& each : found.path) {
      out.put(std::uint64_t{each.decision} << 32 | each.answer);
    }
  }

  static Counterexample load_found(WordReader& in) {
    Counterexample found;
    found.property = checker::all_properties()[in.take(checker::all_properties().size() - 1)];
    const std::uint64_t cost = in.take();
    found.faults = static_cast<std::uint32_t>(cost >> 32);
    found.deviations = static_cast<std::uint32_t>(cost);
    found.run = in.take();
    for (std::size_t left = in.take_count(1); left > 0; --left) {
      const std::uint64_t both = in.take();
      found.path.push_back(
          {static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)});
    }
    return found;
  }

  static void load_nodes(WordReader& in, Exploration& to) {
    to.nodes_.clear();
    for (std::size_t left = in.take_count(2); left > 0; --left) {
      const auto number = static_cast<std::uint32_t>(to.nodes_.size());
      Exploration::Node node;
      node.parent = in.take_small(number == 0 ? 0 : number - 1);
      const std::uint64_t both = in.take();
      node.decision = static_cast<std::uint32_t>(both >> 32);
      node.answer = static_cast<std::uint32_t>(both);
      if ((node.answer == 0) != (number == 0)) in.damaged();
      to.nodes_.push_back(node);
    }
    if (to.nodes_.empty()) in.damaged();
  }

  static void load_frontier(WordReader& in, Exploration& to) {
    to.frontier_.clear();
    const auto last = static_cast<std::uint32_t>(to.nodes_.size() - 1);
    for (std::size_t layers = in.take_count(3); layers > 0; --layers) {
      const std::uint64_t both = in.take();
      Exploration::Layer& layer =
          to.frontier_[{static_cast<std::uint32_t>(both >> 32), static_cast<std::uint32_t>(both)}];
      for (std::size_t left = in.take_count(3); left > 0; --left) {
        const std::uint64_t node = in.take((std::uint64_t{last} << 1) + 1);
        Exploration::QueuedPath& path = layer.paths.emplace_back();
        path.node = static_cast<std::uint32_t>(node >> 1);
        path.is_foreseen = (node & 1) != 0;
        path.state.high = in.take();
        path.state.low = in.take();
      }
      if (layer.paths.empty()) in.damaged();
    }
  }
};

void save_exploration(std::ostream& stream, std::uint64_t identity,
                      const Exploration& exploration) {
  stream << first_line();
  WordWriter out(stream);
  out.put(static_cast<std::uint64_t>(model_version));
  out.put(identity);
  for (const std::uint64_t word : words_of(exploration.plan().bounds)) out.put(word);
  ExplorationFile::save(out, exploration);
  out.finish();
}

void load_exploration(const std::filesystem::path& path, std::uint64_t identity,
                      Exploration& exploration) {
  WordReader in(path);
  const std::uint64_t version = in.take();
  if (version != static_cast<std::uint64_t>(model_version)) {
    in.complain("it was made by version " + std::to_string(version) + " of the model; this is " +
                std::to_string(model_version));
  }
  if (in.take() != identity) {
    in.complain("it is of another scenario, or the scenario or its lock has changed since");
  }
  for (const std::uint64_t word : words_of(exploration.plan().bounds)) {
    if (in.take() != word)
      in.complain("it was made within other bounds; expected the same options");
  }
  ExplorationFile::load(in, exploration);
}

}  // namespace lockstep::search
