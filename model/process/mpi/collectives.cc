#include "foretell/model/process/mpi/collectives.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::model::process::mpi {

std::string ContentFor(const Call& call, uint32_t from, const std::string& message) {
  const std::string begin = call.text + ": ";
  if (message.compare(0, begin.size(), begin) == 0) return message.substr(begin.size());
  throw AssertionFailed(absl::StrCat("is in ", call.text, " of ", call.comm.name(), ", and rank ",
                                     from, " in ", message.substr(0, message.find(':')),
                                     ": ranks call different collectives"));
}

Task<> Barrier(Communicator comm) {
  const Call call = {comm, "Barrier"};
  const uint32_t nothing = 0;
  const std::vector<uint32_t> for_all(comm.size(), nothing);
  co_await Collect(call, 0, nothing);
  co_await Spread(call, 0, for_all);
}

Task<Communicator> Split(Communicator comm, std::string name, uint32_t colour, uint32_t key) {
  const Call call = {comm, "Split"};
  // Of all ranks: colour, key.
  const std::vector<uint32_t> own = {colour, key};
  const std::vector<std::vector<uint32_t>> wishes = co_await Collect(call, 0, own);
  std::vector<uint32_t> all;
  for (const auto& wish : wishes) all.insert(all.end(), wish.begin(), wish.end());
  const std::vector<std::vector<uint32_t>> for_all(comm.size(), all);
  all = co_await Spread(call, 0, for_all);
  Assert(all.size() == 2 * comm.size(), "a Split of another size");
  std::vector<std::pair<uint32_t, uint32_t>> members;  // Key, rank.
  for (uint32_t rank = 0; rank < comm.size(); ++rank) {
    if (all[2 * rank] == colour) members.emplace_back(all[2 * rank + 1], rank);
  }
  std::sort(members.begin(), members.end());
  const auto self = std::find(members.begin(), members.end(), std::pair(key, comm.rank()));
  co_return Communicator(absl::StrCat(comm.name(), ".", name, colour),
                         static_cast<uint32_t>(self - members.begin()),
                         static_cast<uint32_t>(members.size()));
}

}  // namespace foretell::model::process::mpi
