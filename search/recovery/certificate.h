#pragma once

// The evidence that a state is dead, in full states and messages, and a check of it that shares
// nothing with the engine that made it: no ids, no table, no search.

#include <cstdint>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "foretell/model/cut.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/model/liveness/recovery.h"
#include "foretell/model/service.h"

namespace foretell::search {

// One state per node, and the most of each datagram that can be in flight with it.
struct CoveredCut {
  static constexpr uint32_t kAnyNumber = UINT32_MAX;
  std::vector<model::NodeState> nodes;
  std::map<model::Message, uint32_t> in_flight;
};

struct Certificate {
  model::DeathProof::How how = model::DeathProof::How::kClosed;
  // kClosed: states, closed under what recovery counts on. The dead state is one of them.
  std::vector<model::SystemCut> region;
  // kCovered: whatever follows one of them has at most as much in flight as another. So has the
  // dead state.
  std::vector<CoveredCut> covered;
  // kLocal: for each node its states, closed under its own steps and the arrival of `messages`,
  // among which is all that they send.
  std::vector<std::vector<model::NodeState>> nodes;
  std::vector<model::Message> messages;
};

// What is to be shown: in `service`, the liveness predicate number `property` can never hold again
// after `dead`.
struct DeathClaim {
  const model::Service& service;
  size_t property = 0;
  model::CountOn count_on = model::CountOn::kCalls;
  const model::SystemCut& dead;
};

// OK iff `certificate` shows what is claimed; else Internal, naming what is missing.
absl::Status CheckCertificate(const DeathClaim& claim, const Certificate& certificate);

// True iff the predicate holds in `cut`: no node failed, and nobody breaks it.
bool HoldsIn(const model::Service& service, size_t property, const model::SystemCut& cut);

// True iff recovery counts on `step` in `cut`: on its event, and on what its handler chooses.
// REQUIRES: `step` is possible in `cut`.
bool CountedOn(const model::Service& service, model::CountOn count_on, const model::SystemCut& cut,
               const model::PathStep& step);

}  // namespace foretell::search
