// The memory of a Lua state: small blocks from free lists, and an upper limit.
//
// A Lua program that asks for more than the limit gets Lua's "not enough memory" error, so a
// hostile script ends with an error reply and does not kill the process. The limit counts the bytes
// that Lua has requested, not those kept in the free lists. A second limit bounds the total size of
// all large blocks ever allocated, freed or not, and thereby the time that a program can spend on
// copying. Not thread-safe, like the state that it serves.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

namespace lockstep::lua {

class Memory {
 public:
  explicit Memory(std::size_t bytes_max) : bytes_max_(bytes_max) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() = default;

  /// A lua_Alloc; `memory` is a Memory*.
  static void* allocate(void* memory, void* block, std::size_t old_bytes, std::size_t new_bytes);

  /// Limits the total size of the large blocks allocated from now on. Beyond it Lua raises "not
  /// enough memory".
  void allow_large_blocks(std::size_t bytes) {
    large_bytes_left_ = bytes;
    has_refused_large_block_ = false;
  }
  void allow_all_large_blocks() { allow_large_blocks(std::numeric_limits<std::size_t>::max()); }
  /// Counts from the last call of allow_large_blocks or allow_all_large_blocks.
  [[nodiscard]] bool has_refused_large_block() const { return has_refused_large_block_; }

  /// Suspends the limit while it lives: no allocation raises a Lua error, so C++ objects may live
  /// across calls into Lua that only create values. May be nested.
  class Unlimited {
   public:
    explicit Unlimited(Memory& memory) : memory_(memory) { ++memory_.unlimited_; }
    Unlimited(const Unlimited&) = delete;
    Unlimited& operator=(const Unlimited&) = delete;
    ~Unlimited() { --memory_.unlimited_; }

   private:
    Memory& memory_;
  };

 private:
  static constexpr std::size_t small_bytes_max = 256;
  static constexpr std::size_t size_classes = small_bytes_max / 16 + 1;
  static constexpr std::size_t slab_bytes = std::size_t{64} * 1024;

  struct FreeBlock {
    FreeBlock* next;
  };

  [[nodiscard]] static bool is_small(std::size_t bytes);
  [[nodiscard]] bool refuses(std::size_t old_bytes, std::size_t new_bytes);
  void count_large(std::size_t old_bytes, std::size_t new_bytes);
  void* take(std::size_t bytes);
  void give_back(void* block, std::size_t bytes);
  void* resize(void* block, std::size_t old_bytes, std::size_t new_bytes);
  void* carve(std::size_t bytes);

  std::size_t bytes_max_;
  std::size_t bytes_in_use_ = 0;
  std::size_t large_bytes_left_ = std::numeric_limits<std::size_t>::max();
  bool has_refused_large_block_ = false;
  int unlimited_ = 0;
  std::array<FreeBlock*, size_classes> free_{};  ///< by size in granules of 16 bytes
  std::vector<std::unique_ptr<std::byte[]>> slabs_;
  std::byte* slab_next_ = nullptr;
  std::size_t slab_left_bytes_ = 0;
};

}  // namespace lockstep::lua
