#pragma once

// The way to a live state: a scenario plays a script with the real handlers instead of writing node
// states down, so that its start cut is a state the service can reach.

#include <cstdint>
#include <span>

#include "absl/status/statusor.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"

namespace foretell::model {

struct ScriptStep {
  enum class Kind : uint8_t { kAct, kDeliver, kLoseAll };
  Kind kind = Kind::kAct;
  uint32_t from = 0;  // kDeliver: the sender.
  uint32_t node = 0;  // Where it happens.
};

// The first action enabled at `node`.
constexpr ScriptStep Act(uint32_t node) { return {ScriptStep::Kind::kAct, 0, node}; }
// The oldest message in flight from `from` to `node`.
constexpr ScriptStep Deliver(uint32_t from, uint32_t node) {
  return {ScriptStep::Kind::kDeliver, from, node};
}
// Nothing in flight ever arrives.
constexpr ScriptStep LoseAll() { return {ScriptStep::Kind::kLoseAll, 0, 0}; }

// The state after `script`, played from the initial cut. FailedPrecondition, naming the step, if a
// step is not possible.
absl::StatusOr<SystemCut> Play(const Service& service, std::span<const ScriptStep> script);

}  // namespace foretell::model
