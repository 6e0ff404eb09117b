#include "foretell/integration/paxos/log.h"

#include <algorithm>

namespace foretell::integration::paxos {
namespace {

template <class M>
std::optional<Reply> ReplyWith(bool to_all, const std::optional<M>& message) {
  if (!message) return std::nullopt;
  return Reply{to_all, *message};
}

auto PositionOf(auto& decrees, uint32_t index) {
  return std::find_if(decrees.begin(), decrees.end(),
                      [&](const Decree& decree) { return decree.index >= index; });
}

}  // namespace

const Decree* Log::Find(uint32_t index) const {
  const auto it = PositionOf(decrees, index);
  return it == decrees.end() || it->index != index ? nullptr : &*it;
}

Decree& Log::At(uint32_t index) {
  auto it = PositionOf(decrees, index);
  if (it == decrees.end() || it->index != index) {
    it = decrees.insert(it, Decree{.index = index});
  }
  return *it;
}

void Log::KeepNewest(uint32_t count) {
  if (decrees.size() <= count) return;
  decrees.erase(decrees.begin(), decrees.end() - count);
  floor = decrees.front().index;
}

uint32_t Log::ChosenAt(uint32_t index) const {
  const Decree* decree = Find(index);
  return decree == nullptr ? 0 : decree->learner.chosen;
}

uint32_t IndexOf(const Message& message) {
  return std::visit([](const auto& m) { return m.index; }, message);
}

std::optional<Reply> Handle(Log& log, model::NodeId from, const Message& message,
                            const Rules& rules) {
  if (IndexOf(message) < log.floor) return std::nullopt;
  if (const auto* prepare = std::get_if<Prepare>(&message)) {
    return ReplyWith(false, OnPrepare(log.At(prepare->index), *prepare));
  }
  if (const auto* accept = std::get_if<Accept>(&message)) {
    return ReplyWith(true, OnAccept(log.At(accept->index), *accept));
  }
  if (const auto* promise = std::get_if<Promise>(&message)) {
    // Whoever lost its proposer in a crash may not even know the index any more; an empty instance
    // would be a new state that means the same.
    if (log.Find(promise->index) == nullptr) return std::nullopt;
    return ReplyWith(true, OnPromise(log.At(promise->index), from, *promise, rules));
  }
  const Learn& learn = std::get<Learn>(message);
  OnLearn(log.At(learn.index), from, learn, rules);
  return std::nullopt;
}

Log SurvivorOf(const Log& log, const Rules& rules) {
  Log survivor;
  survivor.floor = log.floor;
  for (const Decree& decree : log.decrees) {
    Decree left = SurvivorOf(decree, rules);
    const bool empty =
        left.acceptor.promised == 0 && left.proposer.ballot == 0 && left.learner.chosen == 0;
    if (!empty) survivor.decrees.push_back(std::move(left));
  }
  return survivor;
}

ChosenValues ChosenIn(const Log& log) {
  ChosenValues chosen;
  for (const Decree& decree : log.decrees) {
    if (decree.learner.chosen != 0) chosen.emplace_back(decree.index, decree.learner.chosen);
  }
  return chosen;
}

bool Disagree(const ChosenValues& a, const ChosenValues& b) {
  auto other = b.begin();
  for (const auto& [index, value] : a) {
    while (other != b.end() && other->first < index) ++other;
    if (other != b.end() && other->first == index && other->second != value) return true;
  }
  return false;
}

}  // namespace foretell::integration::paxos
