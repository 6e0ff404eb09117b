#pragma once

// The library's heap. It has one for the whole process; ours serves each thread by what the thread
// is doing: a live node gets ordinary memory, and a checker, which builds and drops a node with
// each step, an arena that is emptied at once.

#include <cstddef>
#include <memory>
#include <vector>

namespace foretell::integration::raft {

// Memory that is handed out and never taken back one by one. Everything handed out is zero, so that
// nothing depends on what was there before.
class Arena {
 public:
  void* Allocate(size_t size);
  // As realloc: what was in `old`, which may be null, is moved.
  void* Reallocate(void* old, size_t size);
  // True iff `pointer` was handed out. Freeing one that was not is a bug of the library.
  bool Owns(const void* pointer) const;
  // Everything handed out is invalid. Keeps its memory for the next time.
  void Reset();

  // Set if something was freed that was not handed out.
  bool freed_foreign = false;
  bool in_use = false;

 private:
  struct Chunk {
    std::unique_ptr<char[]> memory;
    size_t size = 0;
    size_t used = 0;
  };
  static constexpr size_t kChunkSize = size_t{1} << 18;
  std::vector<Chunk> chunks_;
};

// This thread's arena, or null if it is in use. Give it back with in_use = false.
Arena* BorrowArena();

// While it lives, the library's calls on this thread get their memory from `arena`; null: from
// malloc.
class HeapScope {
 public:
  explicit HeapScope(Arena* arena);
  ~HeapScope();
  HeapScope(const HeapScope&) = delete;
  HeapScope& operator=(const HeapScope&) = delete;

 private:
  Arena* outer_;
};

// Makes the library use this heap, once for the process. Memory that it had from malloc before can
// still be freed.
void InstallHeap();

}  // namespace foretell::integration::raft
