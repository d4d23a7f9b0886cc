// A member whose type need not be complete where its owner is declared.
//
// What C++26 calls std::indirect: a value on the heap that is copied with its owner. Headers that
// many read keep what few look into in one, so that not everybody reads its header too. The owner
// declares its special members and defaults them where the type is complete.
#pragma once

#include <memory>
#include <utility>

namespace lockstep::sim {

/// Holds a T, except after it was moved from.
template <typename T>
class Boxed {
 public:
  Boxed() : value_(std::make_unique<T>()) {}
  Boxed(T value)  // NOLINT(google-explicit-constructor)
      : value_(std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(std::make_unique<T>(*other)) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) value_ = std::make_unique<T>(*other);
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  [[nodiscard]] T& operator*() { return *value_; }
  [[nodiscard]] const T& operator*() const { return *value_; }
  [[nodiscard]] T* operator->() { return value_.get(); }
  [[nodiscard]] const T* operator->() const { return value_.get(); }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace lockstep::sim
