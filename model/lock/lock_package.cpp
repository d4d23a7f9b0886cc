#include "model/lock/lock_package.h"

#include <cassert>
#include <variant>

#include "checker/property.h"
#include "scenario/options.h"

namespace lockstep::model {

LockPackage::LockPackage() = default;
LockPackage::LockPackage(const LockPackage&) = default;
LockPackage::LockPackage(LockPackage&&) noexcept = default;
LockPackage& LockPackage::operator=(const LockPackage&) = default;
LockPackage& LockPackage::operator=(LockPackage&&) noexcept = default;
LockPackage::~LockPackage() = default;

std::string LockPackage::full_name() const { return variant.empty() ? name : name + "/" + variant; }

// FNV-1a: it is in findings and corpora, so that it can't be another from one version to the next.
std::uint64_t digest_of(const LockPackage& package) {
  std::uint64_t digest = 14695981039346656037ULL;
  const auto feed = [&](std::string_view text) {
    for (const char character : text) {
      digest = (digest ^ static_cast<unsigned char>(character)) * 1099511628211ULL;
    }
    digest = (digest ^ 0xffU) * 1099511628211ULL;
  };
  feed(package.client_source);
  for (const LockLibrary& library : package.libraries) {
    feed(library.name);
    feed(library.source);
  }
  for (const LockScript& script : package.scripts) {
    feed(script.name);
    feed(script.body);
  }
  return digest;
}

const LockScript* LockPackage::script(std::string_view script_name) const {
  for (const LockScript& each : scripts) {
    if (each.name == script_name) return &each;
  }
  return nullptr;
}

std::optional<std::int64_t> LockPackage::find_number(std::string_view option) const {
  const auto found = options->find(option);
  if (found == options->end() || !std::holds_alternative<std::int64_t>(found->second)) {
    return std::nullopt;
  }
  return std::get<std::int64_t>(found->second);
}

std::int64_t LockPackage::number_option(std::string_view option) const {
  const auto found = options->find(option);
  assert(found != options->end());
  return std::get<std::int64_t>(found->second);
}

const scenario::Options& LockPackage::options_of(std::string_view client) const {
  const auto own = options_of_clients->find(client);
  return own == options_of_clients->end() ? *options : own->second;
}

}  // namespace lockstep::model
