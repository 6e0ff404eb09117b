#include "foretell/search/recovery/oracle.h"

#include <algorithm>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/recovery/local_closure.h"
#include "foretell/search/recovery/region.h"

namespace foretell::search {

using model::DeathProof;
using model::MessageId;
using model::NodeId;

namespace {

// The mailbox of `to` with the content of one of `from`.
MailboxId Moved(const GlobalSpace& from, GlobalSpace& to, NodeId node, MailboxId mailbox) {
  const auto content = from.mailboxes().Content(node, mailbox);
  return to.InternMailbox(node, std::vector<MessageId>(content.begin(), content.end()));
}

}  // namespace

Copies UsualCopies(const model::Service& service) {
  return {.max = 1 + service.network().duplicates_max};
}

Oracle::Oracle(model::InvariantTable& invariants, RecoveryMoves& moves,
               const model::Weights& weights, uint64_t seed)
    : invariants_(invariants),
      moves_(moves),
      datagrams_(moves.table().service().network().kind == model::NetworkKind::kDatagrams),
      space_(moves.table(), UsualCopies(moves.table().service())),
      walker_(space_, moves, weights, seed),
      alive_(2 * size_t{moves.table().node_count()}),
      dead_(2 * size_t{moves.table().node_count()}) {}

GlobalState Oracle::Place(const GlobalSpace& other, const GlobalState& state, bool emptied) {
  GlobalState here = state;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const NodeId node(n);
    here.set_mailbox(node,
                     emptied ? MailboxId(0) : Moved(other, space_, node, state.mailbox(node)));
  }
  return here;
}

Oracle::Answer Oracle::Judge(const GlobalState& state, model::Budget& budget, uint32_t rounds) {
  if (moves_.Live(state) || KnownAlive(state)) return {.fate = Fate::kAlive};
  if (dead_.Find(state.fields()) != StateStore::kNone) {
    return {.fate = Fate::kDead, .proof = {.how = DeathProof::How::kClosed}};
  }
  Effort effort;
  Answer unknown;
  for (uint32_t round = 0; round < rounds && !budget.spent(); ++round) {
    const uint32_t factor = 1u << std::min(2 * round, 20u);
    if (auto answer = Close(state, 64 * factor, budget, effort)) return *answer;
    // Where all was visited, there is nothing to walk to.
    if (effort.walks) {
      if (auto answer = Walk(state, 4 + round, 64 * factor, budget)) return *answer;
      // Walks that the budget has cut short say nothing about what they would have come to.
      if (budget.spent()) break;
      unknown.walks += 4 + round;
      if (round == 0) unknown.walk_steps = 64 * factor;
    }
    if (auto answer = CloseLocally(state, 1'000ull * factor, budget, effort)) return *answer;
    if (auto answer = Cover(state, 4'000ull * factor, budget, effort)) return *answer;
    if (!effort.walks && !effort.locally && !effort.cover) break;
  }
  return unknown;
}

std::optional<Oracle::Answer> Oracle::Close(const GlobalState& state, uint32_t states_max,
                                            model::Budget& budget, Effort& effort) {
  if (!effort.walks) return std::nullopt;
  space_.TakeCapped();
  Region region(space_, invariants_, moves_);
  const Region::End end = region.Close(state, states_max, budget,
                                       [this](const GlobalState& s) { return KnownAlive(s); });
  if (end == Region::End::kLive) {
    region.VisitWay([this](const GlobalState& s) { alive_.Insert(s.fields(), StateStore::kNone); });
    return Answer{.fate = Fate::kAlive};
  }
  // Where a copy got lost, more might have been possible.
  if (end != Region::End::kClosed) return std::nullopt;
  effort.walks = false;
  if (space_.TakeCapped()) return std::nullopt;
  region.VisitAll([this](const GlobalState& s) { dead_.Insert(s.fields(), StateStore::kNone); });
  return Answer{.fate = Fate::kDead,
                .proof = {.how = DeathProof::How::kClosed, .states = region.state_count()}};
}

std::optional<Oracle::Answer> Oracle::Walk(const GlobalState& state, uint32_t walks, uint32_t steps,
                                           model::Budget& budget) {
  const auto stop = [this](const GlobalState& s) { return moves_.Live(s) || KnownAlive(s); };
  for (uint32_t i = 0; i < walks; ++i) {
    if (!walker_.Walk(state, steps, budget, stop)) continue;
    for (const GlobalState& s : walker_.visited()) alive_.Insert(s.fields(), StateStore::kNone);
    return Answer{.fate = Fate::kAlive};
  }
  return std::nullopt;
}

// Decides exactly, whatever piles up in flight, once there is effort enough to finish.
std::optional<Oracle::Answer> Oracle::Cover(const GlobalState& state, uint64_t steps_max,
                                            model::Budget& budget, Effort& effort) {
  effort.cover = effort.cover && datagrams_;
  if (!effort.cover) return std::nullopt;
  CoverSearch cover(moves_.table(), &moves_);
  cover.Begin(space_.CutOf(state));
  model::Budget share({.steps_max = steps_max, .deadline = budget.limits().deadline},
                      [&budget] { return budget.Now(); });
  const std::optional<uint32_t> live = LiveSystem(cover, share);
  budget.Charge(share);
  if (live) {
    alive_.Insert(state.fields(), StateStore::kNone);
    return Answer{.fate = Fate::kAlive};
  }
  if (!cover.finished()) return std::nullopt;
  return Answer{.fate = Fate::kDead,
                .proof = {.how = DeathProof::How::kCovered, .states = cover.system_count()}};
}

std::optional<uint32_t> Oracle::LiveSystem(CoverSearch& cover, model::Budget& budget) {
  uint32_t looked_at = 0;
  for (uint32_t target = 16;; target *= 2) {
    for (; looked_at < cover.system_count(); ++looked_at) {
      if (moves_.Live(cover.system(looked_at))) return looked_at;
    }
    if (cover.finished() || budget.spent()) return std::nullopt;
    cover.Grow(target, budget);
  }
}

std::optional<Oracle::Answer> Oracle::CloseLocally(const GlobalState& state, uint64_t steps_max,
                                                   model::Budget& budget, Effort& effort) {
  if (!effort.locally) return std::nullopt;
  LocalClosure closure(invariants_, moves_);
  const LocalClosure::End end = closure.Close(space_, state, steps_max, budget);
  effort.locally = end == LocalClosure::End::kCutOff;
  if (end != LocalClosure::End::kHopeless) return std::nullopt;
  return Answer{.fate = Fate::kDead,
                .proof = {.how = DeathProof::How::kLocal, .states = closure.state_count()}};
}

Certificate Oracle::Certify(const GlobalState& state, const Answer& answer) {
  FORETELL_CHECK(answer.fate == Fate::kDead);
  switch (answer.proof.how) {
    case DeathProof::How::kLocal: return CertifyLocally(state);
    case DeathProof::How::kCovered: return CertifyCover(state);
    case DeathProof::How::kClosed:
    case DeathProof::How::kCycle: break;
  }
  model::Budget enough = model::Budget::Unlimited();
  Certificate certificate{.how = DeathProof::How::kClosed};
  Region region(space_, invariants_, moves_);
  region.Close(state, UINT32_MAX, enough);
  region.VisitAll([&](const GlobalState& s) {
    certificate.region.push_back(
        model::PlainSystem(moves_.table().service(), space_.CutOf(s)).Canonical());
  });
  return certificate;
}

Certificate Oracle::CertifyLocally(const GlobalState& state) {
  model::Budget enough = model::Budget::Unlimited();
  Certificate certificate{.how = DeathProof::How::kLocal};
  LocalClosure closure(invariants_, moves_);
  closure.Close(space_, state, UINT64_MAX, enough);
  const model::TransitionTable& table = moves_.table();
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    certificate.nodes.emplace_back();
    for (const model::StateId s : closure.States(n)) {
      certificate.nodes.back().push_back(table.StateOf(NodeId(n), s));
    }
    for (const MessageId message : closure.Messages(n)) {
      certificate.messages.push_back(
          {table.sender(message), NodeId(n), table.EventOf(model::EventId::Deliver(message)).body});
    }
  }
  return certificate;
}

Certificate Oracle::CertifyCover(const GlobalState& state) {
  model::Budget enough = model::Budget::Unlimited();
  Certificate certificate{.how = DeathProof::How::kCovered};
  CoverSearch cover(moves_.table(), &moves_);
  cover.Begin(space_.CutOf(state));
  cover.Grow(UINT32_MAX, enough);
  const model::TransitionTable& table = moves_.table();
  for (uint32_t system = 0; system < cover.system_count(); ++system) {
    for (const uint32_t at : cover.Widest(system)) {
      CoveredCut& cut = certificate.covered.emplace_back();
      for (uint32_t n = 0; n < state.node_count(); ++n) {
        cut.nodes.push_back(table.StateOf(NodeId(n), cover.system(system)[n]));
      }
      for (const Bags::Entry& entry : cover.bags().Content(cover.tree()[at].bag)) {
        const model::Message message = {table.sender(entry.message), table.receiver(entry.message),
                                        table.EventOf(model::EventId::Deliver(entry.message)).body};
        cut.in_flight[message] = entry.count == Bags::kOmega ? CoveredCut::kAnyNumber : entry.count;
      }
    }
  }
  return certificate;
}

std::vector<model::SystemCut> Oracle::RegionOf(const GlobalState& state) {
  constexpr uint32_t kStatesMax = 1 << 16;
  model::Budget enough = model::Budget::Unlimited();
  std::vector<model::SystemCut> cuts;
  Region region(space_, invariants_, moves_);
  if (region.Close(state, kStatesMax, enough) != Region::End::kClosed) return cuts;
  region.VisitAll([&](const GlobalState& s) { cuts.push_back(space_.CutOf(s)); });
  return cuts;
}

std::optional<model::Path> Oracle::WayToLive(const GlobalState& state, model::Budget& budget) {
  constexpr uint32_t kStatesMax = 1 << 20;
  Region region(space_, invariants_, moves_);
  if (region.Close(state, kStatesMax, budget) == Region::End::kLive) return region.PathToLive();
  if (!datagrams_) return std::nullopt;
  // It may take more copies than usual.
  constexpr size_t kStepsMax = 10'000;
  CoverSearch cover(moves_.table(), &moves_);
  cover.Begin(space_.CutOf(state));
  const std::optional<uint32_t> live = LiveSystem(cover, budget);
  return live ? cover.PathTo(*live, kStepsMax) : std::nullopt;
}

}  // namespace foretell::search
