#include "foretell/agent/commands/service_listing.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"

namespace foretell::agent {
namespace {

using model::FaultBudget;
using model::NetworkKind;

std::string NetworkText(const model::Network& network) {
  if (network.kind == NetworkKind::kStreams) return "streams, first in, first out";
  if (network.duplicates_max == 0) return "datagrams, unordered, can be lost";
  return absl::StrCat("datagrams, unordered, can be lost or arrive up to ",
                      network.duplicates_max + 1, " times");
}

std::string Plural(uint32_t count, const char* one, const char* many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

// "no faults", "1 crash per node", "1 crash (node 2)".
std::string FaultsText(const std::vector<FaultBudget>& faults) {
  std::vector<std::string> parts;
  const auto add = [&](auto member, const char* one, const char* many) {
    uint32_t most = 0;
    for (const FaultBudget& node : faults) most = std::max<uint32_t>(most, node.*member);
    std::vector<size_t> nodes;
    for (size_t n = 0; n < faults.size(); ++n) {
      if (faults[n].*member > 0) nodes.push_back(n);
    }
    if (nodes.empty()) return;
    parts.push_back(absl::StrCat(
        "up to ", Plural(most, one, many), " ",
        nodes.size() == faults.size()
            ? "per node"
            : absl::StrCat("at node", nodes.size() > 1 ? "s " : " ", absl::StrJoin(nodes, ", "))));
  };
  add(&FaultBudget::crashes_max, "crash", "crashes");
  add(&FaultBudget::breaks_max, "broken stream", "broken streams");
  return parts.empty() ? "no faults" : absl::StrJoin(parts, ", ");
}

std::string SetupText(const ScenarioInfo& scenario) {
  std::string text = absl::StrCat(Plural(scenario.nodes, "node", "nodes"), "; ",
                                  NetworkText(scenario.network), "; ", FaultsText(scenario.faults));
  if (scenario.in_flight > 0) {
    absl::StrAppend(&text, "; ", scenario.in_flight, " in flight at the start");
  }
  return text;
}

std::string MarksOf(const model::InvariantInfo& invariant) {
  std::vector<std::string> marks;
  if (invariant.stable) marks.push_back("stable");
  if (invariant.eventually) marks.push_back("eventually");
  return marks.empty() ? "" : absl::StrCat(" (", absl::StrJoin(marks, ", "), ")");
}

// A name in the left column and a text that keeps to the right one.
class Listing {
 public:
  explicit Listing(const Look& look) : look_(look) {}
  void Head(const model::Named& named) {
    absl::StrAppend(&out_, Inked(Clean(named.name), Ink::kHead, look_), "\n");
    Text(named.text, 2);
  }
  void Text(const std::string& text, size_t indent) {
    Table table({.columns = {{Table::Align::kLeft}}, .indent = indent, .wraps = true});
    table.Add({Clean(text)});
    for (const std::string& line : table.Lines(look_)) absl::StrAppend(&out_, line, "\n");
  }
  void Section(const char* title) {
    absl::StrAppend(&out_, "  ", Inked(title, Ink::kDim, look_), "\n");
  }
  void Item(const std::string& name, const std::string& text, size_t longest) {
    constexpr auto kLeft = Table::Align::kLeft;
    Table table({.columns = {{kLeft, longest, Ink::kMark}, {kLeft}}, .indent = 4, .wraps = true});
    table.Add({Clean(name), Clean(text)});
    for (const std::string& line : table.Lines(look_)) absl::StrAppend(&out_, line, "\n");
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string Clean(const std::string& text) const { return Printable(text, look_.utf8); }
  const Look& look_;
  std::string out_;
};

// The longest name of a service, so that all its texts line up.
size_t LongestName(const ServiceInfo& service) {
  size_t longest = 12;
  for (const auto& scenario : service.scenarios) {
    longest = std::max(longest, Width(scenario.named.name));
  }
  for (const auto& bug : service.bugs) longest = std::max(longest, Width(bug.name));
  for (const auto& invariant : service.invariants) {
    longest = std::max(longest, Width(invariant.name));
  }
  return longest;
}

// What most scenarios share is said once; the others say how they differ.
void AppendScenarios(Listing& listing, const ServiceInfo& service, size_t longest) {
  const std::string setup = SetupText(service.scenarios.front());
  listing.Section("system");
  listing.Text(setup, 4);
  listing.Section("scenarios");
  for (size_t i = 0; i < service.scenarios.size(); ++i) {
    const ScenarioInfo& scenario = service.scenarios[i];
    std::string text = scenario.named.text;
    if (i == 0) text += " (default)";
    if (SetupText(scenario) != setup) absl::StrAppend(&text, " [", SetupText(scenario), "]");
    listing.Item(scenario.named.name, text, longest);
  }
}

}  // namespace

absl::StatusOr<std::vector<ServiceInfo>> ListServices(const model::Catalog& catalog) {
  std::vector<ServiceInfo> services;
  for (const auto& family : catalog) {
    ServiceInfo info{{family->name(), family->text()}, {}, family->bugs(), {}};
    for (const model::Named& named : family->scenarios()) {
      auto system = family->Make(named.name, "");
      if (!system.ok()) {
        return absl::InternalError(absl::StrCat(info.named.name, ", scenario ", named.name, ": ",
                                                std::string(system.status().message())));
      }
      const model::Service& service = *system->service;
      ScenarioInfo scenario{
          named, service.node_count(), service.network(), {}, system->start.in_flight.size()};
      for (uint32_t n = 0; n < scenario.nodes; ++n) {
        scenario.faults.push_back(service.faults(model::NodeId(n)));
      }
      if (info.scenarios.empty()) {
        info.invariants.assign(service.invariants().begin(), service.invariants().end());
      }
      info.scenarios.push_back(std::move(scenario));
    }
    services.push_back(std::move(info));
  }
  return services;
}

std::string ListingText(const std::vector<ServiceInfo>& services, const Look& look) {
  std::string out;
  for (const ServiceInfo& service : services) {
    Listing listing(look);
    const size_t longest = LongestName(service);
    listing.Head(service.named);
    AppendScenarios(listing, service, longest);
    if (!service.bugs.empty()) listing.Section("planted bugs");
    for (const model::Named& bug : service.bugs) listing.Item(bug.name, bug.text, longest);
    listing.Section("invariants");
    for (const model::InvariantInfo& invariant : service.invariants) {
      listing.Item(invariant.name, invariant.text + MarksOf(invariant), longest);
    }
    absl::StrAppend(&out, out.empty() ? "" : "\n", listing.Take());
  }
  return out;
}

}  // namespace foretell::agent
