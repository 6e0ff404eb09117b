#pragma once

// Ours alone: it needs raft.h, which no other header of ours does.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "foretell/integration/raft/library/heap.h"
#include "foretell/integration/raft/library/instance.h"

extern "C" {
#include <raft.h>
}

namespace foretell::integration::raft {

// The record in which replication.c of version 0.15.0 remembers an append that it waits for.
// Compared with what the library does at each append: see Impl::OnAppend.
struct LeaderAppend {
  ::raft* raft;
  raft_index index;
  raft_entry* entries;
  unsigned n;
  raft_io_append req;
};
struct FollowerAppend {
  ::raft* raft;
  raft_index index;
  raft_append_entries args;
  raft_io_append req;
};

// Also the name of a function.
using ApplyRequest = struct ::raft_apply;

// The answer to a client does not matter here.
inline void Answered(ApplyRequest* request, int, void*) { raft_free(request); }

inline raft_id IdOf(model::NodeId node) { return node.value() + 1; }
inline model::NodeId NodeOf(raft_id id) { return model::NodeId(static_cast<uint32_t>(id - 1)); }

// The library's log as it lies in memory. Snapshots are never taken, so it begins with index 1.
inline uint64_t LastIndex(const raft_log& log) {
  return log.front <= log.back ? log.back - log.front : log.size - log.front + log.back;
}
inline raft_entry& EntryAt(const raft_log& log, uint64_t index) {
  return log.entries[(log.front + index - 1) % log.size];
}
// Counts one more reference to an entry, which need not be in the log any more.
void AddReference(raft_log& log, raft_index index, raft_term term);

class Instance::Impl {
 public:
  Impl(std::shared_ptr<const Library> library, model::NodeId self, State state, Memory memory);
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // The library's time, in milliseconds, stands still but for these jumps.
  enum class Jump : unsigned { kNone = 0, kHeartbeat = 100, kElection = 1000 };

  // Runs `step` on the library, which is built first if it is not there yet.
  template <class Step>
  void Run(Jump jump, Effects& effects, Step step);

  State state;
  ::raft raft{};
  raft_io io{};

  void StartFromDisk();
  void Receive(model::NodeId from, const Message& message);
  void Submit(const std::string& command);
  void Finish(bool done);
  void Tick() { tick_(&io); }
  void Fail(const std::string& text);
  bool failed() const { return !effects_->failure.empty(); }

  // Of the last append, by who asked for it; for Library::Load.
  Library::Callback appended[2] = {nullptr, nullptr};

 private:
  static constexpr raft_time kNow = 1'000'000;

  // Build: instance_build.cc.
  void Build();
  void Open();
  void BuildCandidate();
  void BuildLeader();
  void BuildPending(const Operation& operation);
  raft_entry* ReferToEntries(const Operation& operation);
  raft_entry MakeEntry(const Entry& entry) const;
  void MakeBatch(const std::vector<Entry>& entries, raft_append_entries& args) const;
  char* MakeAddress(model::NodeId node) const;
  int OnLoad(raft_term* term, raft_id* vote, raft_snapshot** snapshot, raft_index* start,
             raft_entry** entries, size_t* n);
  void Close();
  void ClosePending();
  void ConnectIo();

  // Read: instance_read.cc.
  void Settle();
  void ReadLog();
  void ReadRole();
  void ReadLeader();
  void HoldTime();
  void CheckSane();
  Entry ReadEntry(const raft_entry& entry);
  void CheckConfiguration(const raft_entry& entry);

  // Functions that the library calls: instance.cc.
  int OnSend(raft_io_send* request, const raft_message& message, raft_io_send_cb done);
  int OnAppend(raft_io_append* request, const raft_entry* entries, unsigned n,
               raft_io_append_cb done);
  int OnTruncate(raft_index index);
  int OnSetTerm(raft_term term);
  int OnSetVote(raft_id id);
  bool LoseWrite();
  uint64_t VerifiedIndex() const;
  std::string WhyNotFinish(const Operation& operation, bool done) const;

  std::shared_ptr<const Library> library_;
  model::NodeId self_;
  Memory memory_;
  Arena* arena_ = nullptr;
  bool open_ = false;
  raft_fsm fsm_{};
  raft_io_tick_cb tick_ = nullptr;
  raft_io_recv_cb recv_ = nullptr;
  raft_time now_ = kNow;
  Effects* effects_ = nullptr;
  // One for each of state.pending; null for those that the library does not wait for.
  std::vector<raft_io_append*> pending_;
  std::vector<std::pair<raft_io_send*, raft_io_send_cb>> sent_;
  // During an event.
  uint64_t changed_from_ = UINT64_MAX;  // The log may have changed from here on.
  uint64_t commands_applied_ = 0;
  bool submitting_ = false;
  const AppendEntries* receiving_ = nullptr;
  const Operation* finishing_ = nullptr;
};

template <class Step>
void Instance::Impl::Run(Jump jump, Effects& effects, Step step) {
  effects_ = &effects;
  if (memory_ == Memory::kArena && arena_ == nullptr) arena_ = BorrowArena();
  const HeapScope heap(arena_);
  if (!open_) Build();
  now_ = kNow + 1 + static_cast<raft_time>(jump);
  step();
  // A callback inside send would find the library in the middle of something.
  for (const auto& [request, done] : std::exchange(sent_, {})) done(request, 0);
  Settle();
  effects_ = nullptr;
}

}  // namespace foretell::integration::raft
