#include "foretell/integration/random/random_spec.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/typed/render.h"

namespace foretell::integration {
namespace {

std::string ShapeText(const RandomServiceSpec& spec) {
  switch (spec.shape) {
    case Shape::kAcyclic: return "acyclic";
    case Shape::kEnergy: return absl::StrCat("energy ", spec.energy_max);
    case Shape::kCirculating: return "circulating";
  }
  return "";
}

std::string NetworkText(const RandomServiceSpec& spec) {
  if (spec.network == model::NetworkKind::kStreams) return "streams";
  return absl::StrCat("datagrams, duplicates_max ", spec.duplicates_max);
}

std::string StateText(const RandomState& state) {
  return absl::StrCat("(value ", state.value, ", left ", state.left, ", chosen ", state.chosen,
                      ")");
}

std::string NodeText(const NodeSpec& node) {
  const char* const status[] = {"up", "down", "failed"};
  std::string budget;
  std::string faults;
  for (const model::FaultKindInfo& fault : model::kFaults) {
    absl::StrAppend(&budget, ", ", fault.limit, " ", node.budget[fault.kind]);
    absl::StrAppend(&faults, ", ", fault.used, " ", node.faults[fault.kind]);
  }
  return absl::StrCat(
      "initial ", StateText(node.initial), budget, ", keeps", node.keeps_value ? " value" : "",
      node.keeps_left ? " left" : "", node.keeps_chosen ? " chosen" : "", "; starts ",
      status[static_cast<size_t>(node.status)], " as ", StateText(node.start), faults);
}

std::string BranchText(const BranchSpec& branch) {
  if (branch.failure == Failure::kRequire) return "fails an assertion";
  if (branch.failure == Failure::kThrow) return "throws";
  std::string text = absl::StrCat("value ", branch.next);
  if (branch.choose != 0) absl::StrAppend(&text, ", choose ", branch.choose);
  for (const SendSpec& send : branch.sends) {
    absl::StrAppend(&text, ", send m", send.kind, " to ",
                    send.to ? absl::StrCat("node ", *send.to) : "the peer");
  }
  return text;
}

std::string RuleText(const RuleSpec& rule) {
  std::string trigger;
  switch (rule.trigger) {
    case Trigger::kMessage: trigger = absl::StrCat("message m", rule.kind); break;
    case Trigger::kAction: trigger = absl::StrCat("action a", rule.kind); break;
    case Trigger::kRestart: trigger = "restart"; break;
    case Trigger::kBreak: trigger = "break"; break;
  }
  return absl::StrCat(
      "rule: node ", rule.node, " with value ", rule.at, " on ", trigger, ": ",
      absl::StrJoin(rule.branches, " | or ", [](std::string* out, const BranchSpec& branch) {
        absl::StrAppend(out, BranchText(branch));
      }));
}

std::string KeyText(int8_t key) {
  if (key == kAnyKey) return "any";
  if (key == kNoKey) return "none";
  return absl::StrCat(static_cast<int>(key));
}

std::string InvariantText(const InvariantSpec& invariant) {
  std::string text = absl::StrCat(
      "invariant ", invariant.name, ": ", model::ScopeName(invariant.scope),
      invariant.stable ? ", stable" : "", invariant.eventually ? ", eventually" : "", "; keys by ",
      invariant.of_chosen ? "chosen " : "value ", model::RenderLine(invariant.keys), "; bad");
  for (const std::vector<int8_t>& combination : invariant.bad) {
    absl::StrAppend(
        &text, " [",
        absl::StrJoin(combination, " ",
                      [](std::string* out, int8_t key) { absl::StrAppend(out, KeyText(key)); }),
        "]");
  }
  return text;
}

}  // namespace

std::vector<std::string> DescribeSpec(const RandomServiceSpec& spec) {
  std::vector<std::string> lines;
  lines.push_back(
      absl::StrCat(spec.nodes.size(), " nodes, ", NetworkText(spec), ", ", ShapeText(spec)));
  for (size_t n = 0; n < spec.nodes.size(); ++n) {
    lines.push_back(absl::StrCat("node ", n, ": ", NodeText(spec.nodes[n])));
  }
  for (const FlightSpec& flight : spec.in_flight) {
    lines.push_back(absl::StrCat("in flight: m", flight.kind, " from node ", flight.from,
                                 " to node ", flight.to));
  }
  for (const RuleSpec& rule : spec.rules) lines.push_back(RuleText(rule));
  for (const InvariantSpec& invariant : spec.invariants) lines.push_back(InvariantText(invariant));
  return lines;
}

}  // namespace foretell::integration
