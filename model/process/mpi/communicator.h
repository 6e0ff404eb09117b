#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "foretell/model/process/program.h"

namespace foretell::model::process::mpi {

// Whoever sends.
inline constexpr uint32_t kAnySource = UINT32_MAX;

// Ranks that talk to each other, as one of them sees it. A value; equal names are one communicator.
class Communicator {
 public:
  // REQUIRES: rank < size.
  Communicator(std::string name, uint32_t rank, uint32_t size);

  const std::string& name() const { return name_; }
  uint32_t rank() const { return rank_; }
  uint32_t size() const { return size_; }

  // Where what `from` sends to `to` is received. Breaks the process if there is no such rank, or if
  // the tag is too large.
  std::string Box(uint32_t from, uint32_t to, uint32_t tag) const;
  // The same for collectives: whatever is called, so that calls that do not match meet.
  std::string CollectiveBox(uint32_t from, uint32_t to) const;
  // Who may send to a receive from `source`. Breaks the process if there is no such rank.
  std::vector<uint32_t> Sources(uint32_t source) const;

 private:
  void RequireRank(uint32_t rank) const;

  std::string name_;
  uint32_t rank_ = 0;
  uint32_t size_ = 0;
};

// A process "rank 0", "rank 1", ... for each of `size` ranks. All of them do the same, and know
// each other as communicator "world".
void AddRanks(Program& program, uint32_t size, const std::function<Task<>(Communicator)>& rank);

}  // namespace foretell::model::process::mpi
