#include "foretell/model/process/mpi/communicator.h"

#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::model::process::mpi {

Communicator::Communicator(std::string name, uint32_t rank, uint32_t size)
    : name_(std::move(name)), rank_(rank), size_(size) {
  FORETELL_CHECK(rank < size);
}

void Communicator::RequireRank(uint32_t rank) const {
  if (rank < size_) return;
  throw AssertionFailed(
      absl::StrCat("names rank ", rank, " of ", name_, ", which has ", size_, " ranks"));
}

std::string Communicator::Box(uint32_t from, uint32_t to, uint32_t tag) const {
  RequireRank(from);
  RequireRank(to);
  return absl::StrCat(name_, " ", from, ">", to, " tag ", tag);
}

std::string Communicator::CollectiveBox(uint32_t from, uint32_t to) const {
  RequireRank(from);
  RequireRank(to);
  return absl::StrCat(name_, " ", from, ">", to);
}

std::vector<uint32_t> Communicator::Sources(uint32_t source) const {
  if (source != kAnySource) return {source};
  std::vector<uint32_t> all(size_);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void AddRanks(Program& program, uint32_t size, const std::function<Task<>(Communicator)>& rank) {
  const std::string world = "world";
  program.AddMailboxes(world);
  for (uint32_t r = 0; r < size; ++r) {
    program.AddProcess(absl::StrCat("rank ", r),
                       [=] { return rank(Communicator(world, r, size)); });
  }
}

}  // namespace foretell::model::process::mpi
