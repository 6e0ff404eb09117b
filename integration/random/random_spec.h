#pragma once

// Random services as plain data: tables that say what each node does on each event. Being data
// they can be printed, compared and made smaller while an engine still gets them wrong.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/cut.h"
#include "foretell/model/service.h"
#include "foretell/model/typed/fields.h"

namespace foretell::integration {

// Why the state space is finite.
enum class Shape : uint8_t {
  kAcyclic,      // A rule that sends moves its node to a higher value.
  kEnergy,       // Values go round, but each node can send only `energy_max` messages.
  kCirculating,  // Values go round; nothing makes more messages than it consumes.
};

// The kind of failure in a handler.
enum class Failure : uint8_t { kNone, kRequire, kThrow };

enum class Trigger : uint8_t { kMessage, kAction, kRestart, kBreak };

struct SendSpec {
  static constexpr const char* kName = "Send";
  std::optional<uint8_t> to;  // Nothing: to the sender (of a break: the peer), else to itself.
  uint8_t kind = 0;
  FORETELL_FIELDS(to, kind)
};

// One way a handler can go.
struct BranchSpec {
  static constexpr const char* kName = "Branch";
  uint8_t next = 0;    // The node's value afterwards.
  uint8_t choose = 0;  // Written into `chosen` unless something is there; 0: nothing.
  Failure failure = Failure::kNone;
  std::vector<SendSpec> sends;
  FORETELL_FIELDS(next, choose, failure, sends)
};

// The reaction of `node` to an event while its value is `at`. No rule: a message, restart or break
// changes nothing, an action is not enabled.
struct RuleSpec {
  static constexpr const char* kName = "Rule";
  uint8_t node = 0;
  uint8_t at = 0;
  Trigger trigger = Trigger::kMessage;
  uint8_t kind = 0;                  // Of the message or the action; else 0.
  std::vector<BranchSpec> branches;  // 1 to 4. Which one is for the checker to choose.
  FORETELL_FIELDS(node, at, trigger, kind, branches)
};

// A node's own state.
struct RandomState {
  static constexpr const char* kName = "State";
  uint8_t value = 0;
  uint8_t left = 0;    // Energy: messages it can still send.
  uint8_t chosen = 0;  // Written once.
  FORETELL_FIELDS(value, left, chosen)
};

struct NodeSpec {
  static constexpr const char* kName = "Node";
  RandomState initial;
  // The persistent parts; the rest is as in `initial` after a crash.
  bool keeps_value = false;
  bool keeps_left = false;
  bool keeps_chosen = false;
  model::FaultBudget budget;
  // The cut to start from.
  RandomState start;
  model::NodeStatus status = model::NodeStatus::kUp;
  model::FaultCounts faults;
  template <class V>
  void Fields(V& v) {
    v("initial", initial);
    v("keeps_value", keeps_value);
    v("keeps_left", keeps_left);
    v("keeps_chosen", keeps_chosen);
    for (const model::FaultKindInfo& fault : model::kFaults) v(fault.limit, budget.*fault.max);
    v("start", start);
    v("status", status);
    for (const model::FaultKindInfo& fault : model::kFaults) v(fault.used, faults[fault.kind]);
  }
};

struct FlightSpec {
  static constexpr const char* kName = "InFlight";
  uint8_t from = 0;
  uint8_t to = 0;
  uint8_t kind = 0;
  FORETELL_FIELDS(from, to, kind)
};

// Entries of a bad combination other than a key.
inline constexpr int8_t kAnyKey = -2;
inline constexpr int8_t kNoKey = -1;

struct InvariantSpec {
  static constexpr const char* kName = "Invariant";
  std::string name;
  model::Scope scope = model::Scope::kNode;
  bool stable = false;
  bool eventually = false;
  bool of_chosen = false;                    // Looks at `chosen`, else at `value`.
  std::vector<std::optional<uint8_t>> keys;  // By value or chosen; beyond the end: nothing.
  std::vector<std::vector<int8_t>> bad;      // Each as long as the scope has keys.
  FORETELL_FIELDS(name, scope, stable, eventually, of_chosen, keys, bad)
};

struct RandomServiceSpec {
  static constexpr const char* kName = "RandomService";
  uint64_t seed = 0;
  Shape shape = Shape::kAcyclic;
  model::NetworkKind network = model::NetworkKind::kDatagrams;
  uint8_t duplicates_max = 0;
  uint8_t energy_max = 0;  // 0: sending is free.
  std::vector<NodeSpec> nodes;
  std::vector<FlightSpec> in_flight;
  std::vector<RuleSpec> rules;
  std::vector<InvariantSpec> invariants;
  FORETELL_FIELDS(seed, shape, network, duplicates_max, energy_max, nodes, in_flight, rules,
                  invariants)
};

// The spec as a person reads it, one fact per line.
std::vector<std::string> DescribeSpec(const RandomServiceSpec& spec);

}  // namespace foretell::integration
