#include "foretell/search/liveness/autopsy.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/check.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/liveness/cures.h"

namespace foretell::search {

using model::Message;
using model::SystemCut;

absl::StatusOr<std::optional<model::Violation>> Autopsy::Examine(const SystemCut& start,
                                                                 const model::Path& path,
                                                                 model::Budget& budget) {
  const auto steps = model::Replay(service_, start, path);
  if (!steps.ok()) return steps.status();
  const SystemCut end = steps->empty() ? start : steps->back().after;
  const std::optional<Dead> dead = Judge(end, budget);
  if (!dead) return std::optional<model::Violation>();
  auto death = std::make_shared<model::Death>();
  death->critical_step = path.size();
  death->by_loss = dead->by_loss;
  death->lost = dead->lost;
  if (absl::Status status = Prove(*dead, *death); !status.ok()) return status;
  if (!IsOfStart(*death)) {
    const auto shared = path.begin() + static_cast<std::ptrdiff_t>(SharedSteps(*death));
    death->twin = Twin(start, {path.begin(), shared}, budget);
  }
  auto cures = FindCures(service_, property_, oracle_, moves_, dead->cut, budget);
  if (!cures.ok()) return cures.status();
  death->cures = *std::move(cures);
  return std::optional(model::Violation{service_.invariants()[property_].name, Text(*dead, *death),
                                        path, std::move(death)});
}

std::optional<Autopsy::Dead> Autopsy::Judge(const SystemCut& end, model::Budget& budget) {
  Dead dead{.cut = end, .answer = oracle_.Judge(oracle_.Place(end), budget)};
  if (dead.answer.fate == Oracle::Fate::kDead) return dead;
  const bool datagrams = service_.network().kind == model::NetworkKind::kDatagrams;
  if (!datagrams || loss_ == Loss::kNone) return std::nullopt;
  dead.cut.in_flight.clear();
  dead.answer = oracle_.Judge(oracle_.Place(dead.cut), budget);
  if (dead.answer.fate != Oracle::Fate::kDead) return std::nullopt;
  dead.by_loss = true;
  return LoseLess(end, std::move(dead), budget);
}

// Of the messages that are lost in `emptied`, keeps as many as it takes to stay dead.
Autopsy::Dead Autopsy::LoseLess(const SystemCut& end, Dead emptied, model::Budget& budget) {
  Dead least = std::move(emptied);
  for (const Message& message : end.in_flight) {
    Dead more = least;
    more.cut.in_flight.push_back(message);
    more.answer = oracle_.Judge(oracle_.Place(more.cut), budget);
    if (more.answer.fate == Oracle::Fate::kDead) {
      least = std::move(more);
    } else {
      least.lost.push_back(message);
    }
  }
  return least;
}

absl::Status Autopsy::Prove(const Dead& dead, model::Death& death) {
  const Certificate certificate = oracle_.Certify(oracle_.Place(dead.cut), dead.answer);
  const DeathClaim claim{service_, property_, moves_.count_on(), dead.cut};
  if (absl::Status status = CheckCertificate(claim, certificate); !status.ok()) return status;
  uint64_t states = certificate.region.size() + certificate.covered.size();
  for (const auto& node : certificate.nodes) states += node.size();
  death.proof = {dead.answer.proof.how, states, true};
  if (IsOfStart(death)) Blame(oracle_.RegionOf(oracle_.Place(dead.cut)), death);
  return absl::OkStatus();
}

model::Path Autopsy::Twin(const SystemCut& start, model::Path shared, model::Budget& budget) {
  model::Path twin = std::move(shared);
  const auto before = model::Replay(service_, start, twin);
  FORETELL_CHECK(before.ok());  // As the whole path did.
  const SystemCut& cut = before->empty() ? start : before->back().after;
  const auto way = oracle_.WayToLive(oracle_.Place(cut), budget);
  if (!way) return {};
  twin.insert(twin.end(), way->begin(), way->end());
  const auto steps = model::Replay(service_, start, twin);
  const bool lives =
      steps.ok() && HoldsIn(service_, property_, steps->empty() ? start : steps->back().after);
  return lives ? twin : model::Path();
}

// Whether the predicate sees the same of the node in all that can follow.
bool Autopsy::LooksTheSame(const std::vector<SystemCut>& region, uint32_t node) const {
  std::optional<std::optional<std::string>> first;
  return std::all_of(region.begin(), region.end(), [&](const SystemCut& cut) {
    if (IsSilent(cut.nodes[node])) return true;
    const auto seen = service_.Project(property_, model::NodeId(node), cut.nodes[node].body);
    if (!first) first = seen;
    return *first == seen;
  });
}

// What of a node's state is the same in all that can follow, of nodes that look the same to the
// predicate. If none does, of all.
void Autopsy::Blame(const std::vector<SystemCut>& region, model::Death& death) const {
  if (region.empty()) return;
  std::vector<uint32_t> nodes(region.front().nodes.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  const auto changes = std::stable_partition(
      nodes.begin(), nodes.end(), [&](uint32_t node) { return LooksTheSame(region, node); });
  if (changes != nodes.begin()) nodes.erase(changes, nodes.end());
  for (const uint32_t n : nodes) {
    std::optional<std::vector<model::Field>> same;
    for (const SystemCut& cut : region) {
      if (IsSilent(cut.nodes[n])) continue;
      const auto fields = service_.RenderState(model::NodeId(n), cut.nodes[n].body);
      if (!same) same = fields;
      std::erase_if(*same, [&](const model::Field& field) {
        return std::find(fields.begin(), fields.end(), field) == fields.end();
      });
    }
    if (!same || same->empty()) continue;
    std::vector<std::string> texts;
    for (const model::Field& field : *same) texts.push_back(field.name + "=" + field.value);
    const std::string where =
        region.size() == 1 ? ", and nothing can follow"
                           : absl::StrCat(" in all ", region.size(), " states that can follow");
    death.blame.push_back(absl::StrCat("node ", n, " has ", absl::StrJoin(texts, ", "), where));
  }
}

std::string Autopsy::Text(const Dead& dead, const model::Death& death) const {
  const model::InvariantInfo& info = service_.invariants()[property_];
  const auto nodes = model::PlainSystem(service_, dead.cut).Culprits(info.name);
  const std::string who = nodes.empty() ? "a node that failed"
                                        : absl::StrCat("node", nodes.size() > 1 ? "s " : " ",
                                                       absl::StrJoin(nodes, ", "));
  return absl::StrCat(
      info.text, " It can never come to that again, because of ", who,
      dead.by_loss ? ", once what is in flight is lost" : "", ". Proved: ", death.proof.states,
      death.proof.states == 1 ? " state, " : " states, ", model::ProofName(death.proof.how), ".");
}

}  // namespace foretell::search
