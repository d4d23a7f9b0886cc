#include "model/program/host_addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>

namespace lockstep::model {
namespace {

constexpr std::uint32_t loopback = 0x7f000001;
constexpr std::uint32_t first_address = 0x0a4d0001;  // 10.77.0.1
constexpr std::int32_t redis_port = 6379;
constexpr unsigned byte_bits = 8;

/// "10.0.0.1"; none where it is a name.
std::optional<std::uint32_t> parse_address(std::string_view text) {
  std::uint32_t address = 0;
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (text.empty() || text.front() != '.') return std::nullopt;
      text.remove_prefix(1);
    }
    std::uint8_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    address = address << byte_bits | number;
  }
  return text.empty() ? std::optional(address) : std::nullopt;
}

}  // namespace

std::uint32_t HostAddresses::address_of(std::string_view name) {
  if (name == "localhost" || name == "::1") return loopback;
  if (const auto address = parse_address(name)) return *address;
  const auto known = std::find_if(names_.begin(), names_.end(),
                                  [&](const ProgramHost& each) { return each.name == name; });
  if (known != names_.end()) return known->address;
  const auto address = static_cast<std::uint32_t>(first_address + names_.size());
  names_.push_back({std::string(name), address});
  return address;
}

void HostAddresses::add(std::string_view name, sim::HostId host, std::int32_t port) {
  places_[{address_of(name), port}] = host;
  hosts_.emplace_back(name, host);
  if (port != redis_port) return;
  // The masters come first, one after the other.
  const auto next = static_cast<std::int32_t>(redis_port + hosts_.size() - 1);
  places_.emplace(std::pair{loopback, next}, host);
}

void HostAddresses::finish() {
  for (const auto& connect : program_.connect) {
    const std::string& place = connect.first;
    const std::size_t colon = place.rfind(':');
    const std::uint32_t address = address_of(std::string_view(place).substr(0, colon));
    const auto host = std::find_if(hosts_.begin(), hosts_.end(),
                                   [&](const auto& each) { return each.first == connect.second; });
    assert(host != hosts_.end());
    places_[{address, std::stoi(place.substr(colon + 1))}] = host->second;
  }
}

std::optional<sim::HostId> HostAddresses::find(std::uint32_t address, std::int32_t port) const {
  for (const std::int32_t each : {port, any_port}) {
    const auto found = places_.find({address, each});
    if (found != places_.end()) return found->second;
  }
  return std::nullopt;
}

std::string HostAddresses::describe(std::uint32_t address, std::int32_t port) const {
  if (address == loopback) return fmt::format("localhost:{}", port);
  const auto known = std::ranges::find(names_, address, &ProgramHost::address);
  if (known != names_.end()) return fmt::format("{}:{}", known->name, port);
  return fmt::format("{}.{}.{}.{}:{}", address >> 24U, address >> 16U & 255U, address >> 8U & 255U,
                     address & 255U, port);
}

}  // namespace lockstep::model
