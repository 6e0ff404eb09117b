#pragma once

// What agent and node say to each other in mode `guard`: the node holds an event that would change
// what a guarded invariant sees of it until the agent has granted it
// (docs/decisions/0047-guard.md).

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace foretell::snapshot {

inline constexpr size_t kGuardedMax = 64;  // Invariants that one agent can guard at a node.
inline constexpr std::chrono::milliseconds kHoldMax{10'000};

// What an agent wants to be asked about. Without invariants: nothing any more.
struct GuardTerms {
  std::vector<std::string> invariants;
  std::chrono::milliseconds hold{50};  // After which an event that is not answered happens.
  friend bool operator==(const GuardTerms&, const GuardTerms&) = default;
};

// What the guarded invariants see of a node: one projection each, in the order of the terms.
using GuardView = std::vector<std::optional<std::string>>;

// Views of one state of a node: as it is, and, if they differ, as a crash and then a restart would
// leave it. Nobody can hold a crash, so whoever grants a state grants these with it.
using GuardViews = std::vector<GuardView>;

// The node as it is when an agent begins to guard it, durable.
struct GuardJoined {
  uint64_t step = 0;
  GuardViews views;  // Not empty.
};

// A change of views. Numbers rise, and each is used once in the life of a node.
struct GuardStep {
  uint64_t number = 0;
  uint64_t base = 0;    // The step that it follows; all between the two will never happen.
  bool forced = false;  // Cannot be held: it happens whatever the answer.
  GuardViews views;     // Not empty.
  std::string event;    // For people.
};

struct GuardAnswer {
  uint64_t step = 0;
  bool granted = true;
  std::string decision;   // Of a refusal; names it in the audit log.
  std::string invariant;  // That it would break.
};

// The node's durable state is that after step `at`; of all others up to `decided` none will happen.
struct GuardSettled {
  uint64_t at = 0;
  uint64_t decided = 0;
};

// How a node reaches an agent that guards it. Called on the node's own thread; none blocks.
struct GuardChannel {
  std::function<void(const GuardStep&)> ask;  // The answer comes by NodeEndpoint::AnswerGuard.
  std::function<void(const GuardSettled&)> settled;
  std::function<void(const std::string& why)> lapsed;  // The node does not wait for it any more.
};

}  // namespace foretell::snapshot
