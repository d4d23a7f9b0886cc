#include "reference_object.h"

#include <algorithm>

namespace lockstep::checker::recorded::testing {

ReferenceObject::ReferenceObject(const Texts& texts, Model model, const Settings& settings)
    : texts_(&texts),
      model_(model),
      initial_(settings.initial_value == "nil" ? "" : settings.initial_value),
      total_(settings.initial_number) {}

bool ReferenceObject::others_hold(const std::map<TextId, int>& holds, TextId owner) const {
  return std::any_of(holds.begin(), holds.end(),
                     [owner](const auto& hold) { return hold.first != owner; });
}

bool ReferenceObject::refuses(const Operation& operation) const {
  const TextId owner = operation.owner;
  const std::int64_t number = operation.number == no_number ? 1 : operation.number;
  switch (operation.function) {
    case Function::acquire:
      if (model_ == Model::mutex) return is_held_;
      if (model_ == Model::semaphore) return total_ - out_ < number;
      if (model_ == Model::owned_mutex || model_ == Model::fifo_mutex) return !holds_.empty();
      return others_hold(holds_, owner);
    case Function::release:
      if (model_ == Model::mutex) return !is_held_;
      if (model_ == Model::semaphore) return out_ < number;
      return !holds(owner);
    case Function::force_release:
      return model_ == Model::mutex ? !is_held_ : holds_.empty();
    case Function::read_acquire:
      return others_hold(holds_, owner);
    case Function::write_acquire:
      return others_hold(holds_, owner) || others_hold(reads_, owner) ||
             (reads_.count(owner) != 0 && holds_.count(owner) == 0);
    case Function::read_release:
      return reads_.count(owner) == 0;
    case Function::write_release:
      return !holds(owner);
    case Function::set_count:
      return model_ == Model::latch && total_ > 0;
    case Function::await:
      return total_ > 0;
    case Function::compare_and_set: {
      std::string expected = text(operation.argument);
      if (expected == "nil") expected.clear();
      return value(operation.key) != expected;
    }
    default:
      return false;
  }
}

void ReferenceObject::execute(const Operation& operation, std::int64_t token) {
  const auto less = [](std::map<TextId, int>& holds, TextId owner) {
    if (--holds[owner] == 0) holds.erase(owner);
  };
  const std::int64_t number = operation.number == no_number ? 1 : operation.number;
  switch (operation.function) {
    case Function::acquire:
    case Function::write_acquire:
      token_ = std::max(token_, token);
      is_held_ = true;
      out_ += number;
      ++holds_[operation.owner];
      break;
    case Function::release:
    case Function::write_release:
      is_held_ = false;
      out_ -= number;
      if (holds(operation.owner)) less(holds_, operation.owner);
      break;
    case Function::force_release:
      is_held_ = false;
      holds_.clear();
      break;
    case Function::read_acquire:
      ++reads_[operation.owner];
      break;
    case Function::read_release:
      less(reads_, operation.owner);
      break;
    case Function::set_count:
      total_ = operation.number;
      break;
    case Function::count_down:
      total_ = std::max<std::int64_t>(0, total_ - 1);
      break;
    case Function::write:
      values_[operation.key] = text(operation.argument);
      break;
    case Function::append:
      values_[operation.key] = value(operation.key) + text(operation.argument);
      break;
    case Function::compare_and_set:
      values_[operation.key] = text(operation.second_argument);
      break;
    default:
      break;
  }
  for (auto& [key, value] : values_) {
    if (value == "nil") value.clear();
  }
}

std::string ReferenceObject::value(TextId key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? initial_ : found->second;
}

std::int64_t ReferenceObject::lowest_token() const { return holds_.empty() ? token_ + 1 : token_; }

void ReferenceObject::leave(std::uint32_t request) {
  queue_.erase(std::remove(queue_.begin(), queue_.end(), request), queue_.end());
}

bool ReferenceObject::is_queued(std::uint32_t request) const {
  return std::find(queue_.begin(), queue_.end(), request) != queue_.end();
}

std::string ReferenceObject::key() const {
  std::string key;
  const auto add = [&key](std::int64_t number) { key += std::to_string(number) + ","; };
  add(is_held_ ? 1 : 0);
  add(token_);
  add(total_);
  add(model_ == Model::semaphore ? out_ : 0);
  for (const std::uint32_t request : queue_) add(request);
  for (const auto* holds : {&holds_, &reads_}) {
    key += ';';
    if (model_ == Model::mutex || model_ == Model::semaphore) continue;
    for (const auto& [owner, count] : *holds) {
      add(static_cast<std::int64_t>(owner));
      add(count);
    }
  }
  for (const auto& [name, value] : values_) {
    add(static_cast<std::int64_t>(name));
    key += value + '\0';
  }
  return key;
}

}  // namespace lockstep::checker::recorded::testing
