// The scripts that a server knows (EVALSHA, SCRIPT EXISTS), among all that the engine has compiled.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "redis/scripting/script_engine.h"

namespace lockstep::sim {
class Digest;
}

namespace lockstep::redis {

class ScriptCache {
 public:
  /// The script of this SHA1 (any case); null if the server does not know it.
  [[nodiscard]] const ScriptId* find(const ScriptEngine& engine, std::string_view sha1) const {
    const ScriptId* const script = engine.find(sha1);
    return script != nullptr && knows(static_cast<std::size_t>(*script)) ? script : nullptr;
  }
  void add(ScriptId script) {
    const auto index = static_cast<std::size_t>(script);
    if (index >= known_.size()) known_.resize(index + 1, 0);
    known_[index] = generation_;
  }
  void clear() { ++generation_; }
  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(std::count(known_.begin(), known_.end(), generation_));
  }
  void digest_into(sim::Digest& digest, const ScriptEngine& engine) const;

 private:
  [[nodiscard]] bool knows(std::size_t script) const {
    return script < known_.size() && known_[script] == generation_;
  }

  std::vector<std::uint32_t> known_;  // by script: the generation that knows it
  std::uint32_t generation_ = 1;
};

}  // namespace lockstep::redis
