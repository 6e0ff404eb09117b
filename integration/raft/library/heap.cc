#include "foretell/integration/raft/library/heap.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

extern "C" {
#include <raft.h>
}

namespace foretell::integration::raft {
namespace {

constexpr size_t kAlignment = 16;

// Precedes each piece of memory, for Reallocate.
struct alignas(kAlignment) Header {
  size_t size;
};

// The library calls its heap without saying for whom, so that can only be known by thread.
thread_local Arena* active = nullptr;
thread_local Arena own_arena;

void* Malloc(void*, size_t size) { return active ? active->Allocate(size) : std::malloc(size); }

void* Calloc(void*, size_t count, size_t size) {
  if (active == nullptr) return std::calloc(count, size);
  if (size != 0 && count > SIZE_MAX / size) return nullptr;
  return active->Allocate(count * size);
}

void* Realloc(void*, void* pointer, size_t size) {
  return active ? active->Reallocate(pointer, size) : std::realloc(pointer, size);
}

void Free(void*, void* pointer) {
  if (active == nullptr) return std::free(pointer);
  if (pointer != nullptr && !active->Owns(pointer)) active->freed_foreign = true;
}

void* AlignedAlloc(void*, size_t alignment, size_t size) {
  // Only the library's own disk and fixture ask for it, and these never run in an arena.
  return std::aligned_alloc(alignment, size);
}

void AlignedFree(void*, size_t, void* pointer) { std::free(pointer); }

}  // namespace

void* Arena::Allocate(size_t size) {
  const size_t needed = sizeof(Header) + (size + kAlignment - 1) / kAlignment * kAlignment;
  if (needed < size) return nullptr;
  if (chunks_.empty() || chunks_.back().size - chunks_.back().used < needed) {
    const size_t chunk_size = std::max(kChunkSize, 2 * needed);
    chunks_.push_back({std::make_unique<char[]>(chunk_size), chunk_size, 0});
  }
  Chunk& chunk = chunks_.back();
  char* at = chunk.memory.get() + chunk.used;
  chunk.used += needed;
  std::memset(at, 0, needed);
  reinterpret_cast<Header*>(at)->size = size;
  return at + sizeof(Header);
}

void* Arena::Reallocate(void* old, size_t size) {
  void* moved = Allocate(size);
  if (old == nullptr || moved == nullptr) return moved;
  if (!Owns(old)) {
    freed_foreign = true;
    return moved;
  }
  const Header* header = static_cast<const Header*>(old) - 1;
  std::memcpy(moved, old, std::min(size, header->size));
  return moved;
}

bool Arena::Owns(const void* pointer) const {
  const auto* at = static_cast<const char*>(pointer);
  return std::any_of(chunks_.begin(), chunks_.end(), [at](const Chunk& chunk) {
    return at >= chunk.memory.get() && at < chunk.memory.get() + chunk.used;
  });
}

void Arena::Reset() {
  // One large chunk is better than several: the next node will be about as large.
  if (chunks_.size() > 1) {
    size_t total = 0;
    for (const Chunk& chunk : chunks_) total += chunk.size;
    chunks_.clear();
    chunks_.push_back({std::make_unique<char[]>(total), total, 0});
  }
  if (!chunks_.empty()) chunks_[0].used = 0;
  freed_foreign = false;
}

Arena* BorrowArena() {
  if (own_arena.in_use) return nullptr;
  own_arena.in_use = true;
  own_arena.Reset();
  return &own_arena;
}

HeapScope::HeapScope(Arena* arena) : outer_(std::exchange(active, arena)) {}
HeapScope::~HeapScope() { active = outer_; }

void InstallHeap() {
  static std::once_flag once;
  // The library keeps the pointer.
  static raft_heap heap = {nullptr, Malloc, Free, Calloc, Realloc, AlignedAlloc, AlignedFree};
  std::call_once(once, [] { raft_heap_set(&heap); });
}

}  // namespace foretell::integration::raft
