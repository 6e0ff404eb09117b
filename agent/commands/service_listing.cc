#include "foretell/agent/commands/service_listing.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/console/printable.h"
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

// "up to 1 crash at node 2"; empty if there is none.
std::string FaultText(const std::vector<FaultBudget>& budgets, const model::FaultKindInfo& fault) {
  uint32_t most = 0;
  std::vector<size_t> nodes;
  for (size_t n = 0; n < budgets.size(); ++n) {
    const uint8_t max = budgets[n][fault.kind];
    if (max > 0) nodes.push_back(n);
    most = std::max<uint32_t>(most, max);
  }
  if (nodes.empty()) return "";
  return absl::StrCat(
      "up to ", Plural(most, fault.one, fault.many), " ",
      nodes.size() == budgets.size()
          ? "per node"
          : absl::StrCat("at node", nodes.size() > 1 ? "s " : " ", absl::StrJoin(nodes, ", ")));
}

std::string FaultsText(const std::vector<FaultBudget>& budgets) {
  std::vector<std::string> parts;
  for (const model::FaultKindInfo& fault : model::kFaults) {
    std::string text = FaultText(budgets, fault);
    if (!text.empty()) parts.push_back(std::move(text));
  }
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
    for (const std::string& line : Wrap(Clean(named.text), Room(2))) {
      absl::StrAppend(&out_, "  ", line, "\n");
    }
  }
  void Section(const char* title) {
    absl::StrAppend(&out_, "  ", Inked(title, Ink::kDim, look_), "\n");
  }
  void Item(const std::string& name, const std::string& text, size_t column) {
    const std::string clean = Clean(name);
    absl::StrAppend(&out_, "    ", Inked(clean, Ink::kMark, look_));
    size_t at = 4 + Width(clean);
    for (const std::string& line : Wrap(Clean(text), Room(column))) {
      absl::StrAppend(&out_, std::string(column - std::min(at, column), ' '), line, "\n");
      at = 0;
    }
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string Clean(const std::string& text) const { return Printable(text, look_.utf8); }
  size_t Room(size_t used) const { return std::max<size_t>(look_.columns, used + 40) - used; }
  const Look& look_;
  std::string out_;
};

// Room for the longest name of a service, so that all its texts line up.
size_t ColumnOf(const ServiceInfo& service) {
  size_t longest = 12;
  for (const auto& scenario : service.scenarios) {
    longest = std::max(longest, Width(scenario.named.name));
  }
  for (const auto& bug : service.bugs) longest = std::max(longest, Width(bug.name));
  for (const auto& invariant : service.invariants) {
    longest = std::max(longest, Width(invariant.name));
  }
  return longest + 6;
}

// What most scenarios share is said once; the others say how they differ.
void AppendScenarios(Listing& listing, const ServiceInfo& service, size_t column) {
  const std::string setup = SetupText(service.scenarios.front());
  listing.Section("system");
  listing.Item("", setup, 4);
  listing.Section("scenarios");
  for (size_t i = 0; i < service.scenarios.size(); ++i) {
    const ScenarioInfo& scenario = service.scenarios[i];
    std::string text = scenario.named.text;
    if (i == 0) text += " (default)";
    if (SetupText(scenario) != setup) absl::StrAppend(&text, " [", SetupText(scenario), "]");
    listing.Item(scenario.named.name, text, column);
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
    const size_t column = ColumnOf(service);
    listing.Head(service.named);
    AppendScenarios(listing, service, column);
    if (!service.bugs.empty()) listing.Section("planted bugs");
    for (const model::Named& bug : service.bugs) listing.Item(bug.name, bug.text, column);
    listing.Section("invariants");
    for (const model::InvariantInfo& invariant : service.invariants) {
      listing.Item(invariant.name, invariant.text + MarksOf(invariant), column);
    }
    absl::StrAppend(&out, out.empty() ? "" : "\n", listing.Take());
  }
  return out;
}

}  // namespace foretell::agent
