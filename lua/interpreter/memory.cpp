#include "lua/interpreter/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace lockstep::lua {

namespace {

// Under AddressSanitizer every block comes from malloc, so that a view kept into Lua's memory for
// too long is found.
#if defined(__SANITIZE_ADDRESS__)
constexpr bool small_blocks_are_pooled = false;
#elif defined(__has_feature)
constexpr bool small_blocks_are_pooled = !__has_feature(address_sanitizer);
#else
constexpr bool small_blocks_are_pooled = true;
#endif

constexpr std::size_t granule_bytes = 16;

/// How many granules a small block of so many bytes takes.
constexpr std::size_t granules(std::size_t bytes) {
  return (bytes + granule_bytes - 1) / granule_bytes;
}

}  // namespace

bool Memory::is_small(std::size_t bytes) {
  return small_blocks_are_pooled && bytes <= small_bytes_max;
}

bool Memory::refuses(std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes <= old_bytes || unlimited_ != 0) {
    return false;
  }
  if (bytes_in_use_ + (new_bytes - old_bytes) > bytes_max_) {
    return true;
  }
  const bool is_refused = new_bytes > small_bytes_max && new_bytes > large_bytes_left_;
  has_refused_large_block_ = has_refused_large_block_ || is_refused;
  return is_refused;
}

void Memory::count_large(std::size_t old_bytes, std::size_t new_bytes) {
  if (new_bytes > small_bytes_max && new_bytes > old_bytes &&
      large_bytes_left_ != std::numeric_limits<std::size_t>::max()) {
    large_bytes_left_ -= std::min(large_bytes_left_, new_bytes);
  }
}

void* Memory::carve(std::size_t bytes) {
  if (slab_left_bytes_ < bytes) {
    slabs_.push_back(std::make_unique<std::byte[]>(slab_bytes));
    slab_next_ = slabs_.back().get();
    slab_left_bytes_ = slab_bytes;
  }
  std::byte* block = slab_next_;
  slab_next_ += bytes;
  slab_left_bytes_ -= bytes;
  return block;
}

void* Memory::take(std::size_t bytes) {
  if (!is_small(bytes)) {
    return std::malloc(bytes);
  }
  FreeBlock*& first = free_[granules(bytes)];
  if (first == nullptr) {
    return carve(granules(bytes) * granule_bytes);
  }
  FreeBlock* block = first;
  first = block->next;
  return block;
}

void Memory::give_back(void* block, std::size_t bytes) {
  if (!is_small(bytes)) {
    std::free(block);
    return;
  }
  FreeBlock*& first = free_[granules(bytes)];
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = first;
  first = freed;
}

void* Memory::resize(void* block, std::size_t old_bytes, std::size_t new_bytes) {
  if (!is_small(old_bytes) && !is_small(new_bytes)) {
    return std::realloc(block, new_bytes);
  }
  if (is_small(old_bytes) && is_small(new_bytes) && granules(old_bytes) == granules(new_bytes)) {
    return block;
  }
  void* moved = take(new_bytes);
  if (moved != nullptr) {
    std::memcpy(moved, block, std::min(old_bytes, new_bytes));
    give_back(block, old_bytes);
  }
  return moved;
}

void* Memory::allocate(void* memory, void* block, std::size_t old_bytes, std::size_t new_bytes) {
  auto& self = *static_cast<Memory*>(memory);
  if (block == nullptr) {
    old_bytes = 0;  // Lua passes the kind of object here
  }
  if (new_bytes == 0) {
    if (block != nullptr) {
      self.bytes_in_use_ -= old_bytes;
      self.give_back(block, old_bytes);
    }
    return nullptr;
  }
  if (self.refuses(old_bytes, new_bytes)) {
    return nullptr;
  }
  void* result = block == nullptr ? self.take(new_bytes) : self.resize(block, old_bytes, new_bytes);
  if (result == nullptr) {
    std::terminate();  // The machine itself is out of memory; Lua must not turn that into a result.
  }
  self.bytes_in_use_ += new_bytes;
  self.bytes_in_use_ -= old_bytes;
  self.count_large(old_bytes, new_bytes);
  return result;
}

}  // namespace lockstep::lua
