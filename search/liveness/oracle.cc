#include "foretell/search/liveness/oracle.h"

#include <algorithm>
#include <vector>

#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/local_closure.h"
#include "foretell/search/liveness/region.h"

namespace foretell::search {

using model::DeathProof;
using model::MessageId;
using model::NodeId;

namespace {

Copies UsualCopies(const model::Service& service) {
  return {.max = 1 + service.network().duplicates_max};
}

// The mailbox of `to` with the content of one of `from`, each message once if `once`.
MailboxId Moved(const GlobalSpace& from, GlobalSpace& to, NodeId node, MailboxId mailbox,
                bool once) {
  const auto content = from.mailboxes().Content(node, mailbox);
  std::vector<MessageId> messages(content.begin(), content.end());
  if (once) messages.erase(std::unique(messages.begin(), messages.end()), messages.end());
  return to.InternMailbox(node, std::move(messages));
}

}  // namespace

Oracle::Oracle(model::InvariantTable& invariants, RecoveryMoves& moves,
               const model::Weights& weights, uint64_t seed)
    : invariants_(invariants),
      moves_(moves),
      datagrams_(moves.table().service().network().kind == model::NetworkKind::kDatagrams),
      space_(moves.table(), UsualCopies(moves.table().service())),
      kept_(moves.table(), {.max = 1, .kept = true}),
      walker_(space_, moves, weights, seed),
      alive_(2 * size_t{moves.table().node_count()}),
      dead_(2 * size_t{moves.table().node_count()}) {}

GlobalState Oracle::Place(const GlobalSpace& other, const GlobalState& state, bool emptied) {
  GlobalState here = state;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    const NodeId node(n);
    here.set_mailbox(
        node, emptied ? MailboxId(0) : Moved(other, space_, node, state.mailbox(node), false));
  }
  return here;
}

GlobalState Oracle::PlaceKept(const GlobalState& state) {
  GlobalState kept = state;
  for (uint32_t n = 0; n < state.node_count(); ++n) {
    kept.set_mailbox(NodeId(n), Moved(space_, kept_, NodeId(n), state.mailbox(NodeId(n)), true));
  }
  return kept;
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
      unknown.walks += 4 + round;
      if (round == 0) unknown.walk_steps = 64 * factor;
    }
    if (auto answer = CloseLocally(state, 1'000ull * factor, budget, effort)) return *answer;
    if (auto answer = CloseKept(state, 64 * factor, budget, effort)) return *answer;
    if (!effort.walks && !effort.locally && !effort.kept) break;
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

std::optional<Oracle::Answer> Oracle::CloseKept(const GlobalState& state, uint32_t states_max,
                                                model::Budget& budget, Effort& effort) {
  if (!effort.kept || !datagrams_) {
    effort.kept = false;
    return std::nullopt;
  }
  Region region(kept_, invariants_, moves_);
  const Region::End end = region.Close(PlaceKept(state), states_max, budget);
  effort.kept = end == Region::End::kCutOff;
  if (end != Region::End::kClosed) return std::nullopt;
  return Answer{.fate = Fate::kDead,
                .proof = {.how = DeathProof::How::kCovered, .states = region.state_count()}};
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
  model::Budget enough = model::Budget::Unlimited();
  Certificate certificate{.how = answer.proof.how};
  if (answer.proof.how == DeathProof::How::kLocal) {
    LocalClosure closure(invariants_, moves_);
    closure.Close(space_, state, UINT64_MAX, enough);
    model::TransitionTable& table = moves_.table();
    for (uint32_t n = 0; n < state.node_count(); ++n) {
      certificate.nodes.emplace_back();
      for (const model::StateId s : closure.States(n)) {
        certificate.nodes.back().push_back(table.StateOf(NodeId(n), s));
      }
      for (const MessageId message : closure.Messages(n)) {
        certificate.messages.push_back({table.sender(message), NodeId(n),
                                        table.EventOf(model::EventId::Deliver(message)).body});
      }
    }
    return certificate;
  }
  const bool covered = answer.proof.how == DeathProof::How::kCovered;
  GlobalSpace& space = covered ? kept_ : space_;
  Region region(space, invariants_, moves_);
  region.Close(covered ? PlaceKept(state) : state, UINT32_MAX, enough);
  region.VisitAll([&](const GlobalState& s) {
    certificate.region.push_back(
        model::PlainSystem(moves_.table().service(), space.CutOf(s)).Canonical());
  });
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
  if (region.Close(state, kStatesMax, budget) != Region::End::kLive) return std::nullopt;
  return region.PathToLive();
}

}  // namespace foretell::search
