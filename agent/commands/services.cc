#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/agent/check/found_plugins.h"
#include "foretell/agent/check/selection.h"
#include "foretell/agent/commands/command.h"
#include "foretell/agent/console/console.h"
#include "foretell/agent/console/files.h"
#include "foretell/agent/console/table.h"
#include "foretell/agent/console/text.h"
#include "foretell/agent/console/text_canvas.h"
#include "foretell/agent/console/version.h"
#include "foretell/model/family.h"

namespace foretell::agent {
namespace {

// A scenario and what its system is made of.
struct ScenarioInfo {
  model::Named named;
  uint32_t nodes = 0;
  model::Network network;
  std::vector<model::FaultBudget> faults;  // One per node.
  size_t in_flight = 0;
};

// All that a user can know about a service before checking it.
struct ServiceInfo {
  model::Named named;
  std::vector<ScenarioInfo> scenarios;  // The first is the default. Empty: it cannot be loaded.
  std::vector<model::Named> bugs;
  std::vector<model::InvariantInfo> invariants;  // Of all scenarios, by name.
  std::vector<model::Named> goals;
  std::vector<model::Parameter> parameters;
};

// Adds those of a further scenario whose names are not known yet.
template <class Info>
void AddNew(std::span<const Info> more, std::vector<Info>& known) {
  for (const Info& one : more) {
    const auto same_name = [&one](const Info& other) { return other.name == one.name; };
    if (std::none_of(known.begin(), known.end(), same_name)) known.push_back(one);
  }
}

absl::StatusOr<ServiceInfo> Describe(const model::ServiceFamily& family) {
  ServiceInfo info{.named = {family.name(), family.text()},
                   .bugs = family.bugs(),
                   .parameters = family.parameters()};
  for (const model::Named& named : family.scenarios()) {
    auto system = family.Make(named.name, "");
    if (!system.ok() && IsFound(family)) {
      info.named.text = std::string(system.status().message());
      break;
    }
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
    AddNew(service.invariants(), info.invariants);
    AddNew(service.goals(), info.goals);
    info.scenarios.push_back(std::move(scenario));
  }
  return info;
}

// In the order of `names`; without names all.
absl::StatusOr<std::vector<ServiceInfo>> ListServices(const model::Catalog& catalog,
                                                      const std::vector<std::string>& names) {
  std::vector<const model::ServiceFamily*> wanted;
  for (const std::string& name : names) {
    const auto family = SelectFamily(catalog, name);
    if (!family.ok()) return family.status();
    wanted.push_back(*family);
  }
  for (const auto& family : catalog) {
    if (names.empty()) wanted.push_back(family.get());
  }
  std::vector<ServiceInfo> services;
  for (const model::ServiceFamily* family : wanted) {
    auto info = Describe(*family);
    if (!info.ok()) return info.status();
    services.push_back(*std::move(info));
  }
  return services;
}

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
  if (invariant.when_stuck) marks.push_back("when stuck");
  return marks.empty() ? "" : absl::StrCat(" (", absl::StrJoin(marks, ", "), ")");
}

// A name in the left column and a text that keeps to the right one.
class Listing {
 public:
  explicit Listing(const TerminalStyle& style) : style_(style) {}
  void Head(const model::Named& named) {
    absl::StrAppend(&out_, Coloured(Clean(named.name), Colour::kHead, style_), "\n");
    Text(named.text, 2);
  }
  void Text(const std::string& text, size_t indent) {
    Table table({.columns = {{Table::Align::kLeft}}, .indent = indent, .wraps = true});
    table.Add({Clean(text)});
    for (const std::string& line : table.Lines(style_)) absl::StrAppend(&out_, line, "\n");
  }
  void Section(const char* title) {
    absl::StrAppend(&out_, "  ", Coloured(title, Colour::kDim, style_), "\n");
  }
  void Item(const std::string& name, const std::string& text, size_t longest) {
    constexpr auto kLeft = Table::Align::kLeft;
    Table table(
        {.columns = {{kLeft, longest, Colour::kMark}, {kLeft}}, .indent = 4, .wraps = true});
    table.Add({Clean(name), Clean(text)});
    for (const std::string& line : table.Lines(style_)) absl::StrAppend(&out_, line, "\n");
  }
  std::string Take() { return std::move(out_); }

 private:
  std::string Clean(const std::string& text) const { return Printable(text, style_.utf8); }
  const TerminalStyle& style_;
  std::string out_;
};

// The longest name of a service, so that all its texts line up.
size_t LongestName(const ServiceInfo& service) {
  size_t longest = 12;
  for (const auto& scenario : service.scenarios) {
    longest = std::max(longest, Width(scenario.named.name));
  }
  for (const auto& bug : service.bugs) longest = std::max(longest, Width(bug.name));
  for (const auto& goal : service.goals) longest = std::max(longest, Width(goal.name));
  for (const auto& one : service.parameters) longest = std::max(longest, Width(one.named.name));
  for (const auto& invariant : service.invariants) {
    longest = std::max(longest, Width(invariant.name));
  }
  return longest;
}

// "from 2 to 24; default: 3".
std::string RangeText(const model::Parameter& parameter) {
  return absl::StrCat(parameter.named.text, ": from ", parameter.min, " to ", parameter.max,
                      "; default: ", parameter.value);
}

void AppendParameters(Listing& listing, const ServiceInfo& service, size_t longest) {
  if (!service.parameters.empty()) listing.Section("parameters (--param NAME=N)");
  for (const model::Parameter& parameter : service.parameters) {
    listing.Item(parameter.named.name, RangeText(parameter), longest);
  }
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

std::string ListingText(const std::vector<ServiceInfo>& services, const TerminalStyle& style) {
  std::string out;
  for (const ServiceInfo& service : services) {
    Listing listing(style);
    const size_t longest = LongestName(service);
    listing.Head(service.named);
    if (service.scenarios.empty()) {
      absl::StrAppend(&out, out.empty() ? "" : "\n", listing.Take());
      continue;
    }
    AppendScenarios(listing, service, longest);
    if (!service.bugs.empty()) listing.Section("planted bugs");
    for (const model::Named& bug : service.bugs) listing.Item(bug.name, bug.text, longest);
    AppendParameters(listing, service, longest);
    listing.Section("invariants");
    for (const model::InvariantInfo& invariant : service.invariants) {
      listing.Item(invariant.name, invariant.text + MarksOf(invariant), longest);
    }
    if (!service.goals.empty()) listing.Section("goals");
    for (const model::Named& goal : service.goals) listing.Item(goal.name, goal.text, longest);
    absl::StrAppend(&out, out.empty() ? "" : "\n", listing.Take());
  }
  return out;
}

using Json = nlohmann::ordered_json;

Json ScenarioToJson(const ScenarioInfo& scenario, bool is_default) {
  Json faults = Json::array();
  for (const model::FaultBudget& node : scenario.faults) {
    Json& budget = faults.emplace_back(Json::object());
    for (const model::FaultKindInfo& fault : model::kFaults) {
      budget[fault.limit] = node[fault.kind];
    }
  }
  const bool streams = scenario.network.kind == model::NetworkKind::kStreams;
  return {{"name", scenario.named.name},
          {"text", scenario.named.text},
          {"default", is_default},
          {"nodes", scenario.nodes},
          {"network",
           {{"kind", streams ? "streams" : "datagrams"},
            {"duplicates_max", scenario.network.duplicates_max}}},
          {"faults", std::move(faults)},
          {"in_flight", scenario.in_flight}};
}

Json ServiceToJson(const ServiceInfo& service) {
  Json json = {{"name", service.named.name}, {"text", service.named.text}};
  json["scenarios"] = Json::array();
  for (size_t i = 0; i < service.scenarios.size(); ++i) {
    json["scenarios"].push_back(ScenarioToJson(service.scenarios[i], i == 0));
  }
  json["bugs"] = Json::array();
  for (const model::Named& bug : service.bugs) {
    json["bugs"].push_back({{"name", bug.name}, {"text", bug.text}});
  }
  json["parameters"] = Json::array();
  for (const model::Parameter& parameter : service.parameters) {
    json["parameters"].push_back({{"name", parameter.named.name},
                                  {"text", parameter.named.text},
                                  {"default", parameter.value},
                                  {"min", parameter.min},
                                  {"max", parameter.max}});
  }
  json["goals"] = Json::array();
  for (const model::Named& goal : service.goals) {
    json["goals"].push_back({{"name", goal.name}, {"text", goal.text}});
  }
  json["invariants"] = Json::array();
  for (const model::InvariantInfo& invariant : service.invariants) {
    json["invariants"].push_back({{"name", invariant.name},
                                  {"text", invariant.text},
                                  {"scope", model::ScopeName(invariant.scope)},
                                  {"stable", invariant.stable},
                                  {"eventually", invariant.eventually},
                                  {"when_stuck", invariant.when_stuck}});
  }
  return json;
}

std::string ListingJson(const std::vector<ServiceInfo>& services) {
  Json json = {{"foretell", kVersion}, {"services", Json::array()}};
  for (const ServiceInfo& service : services) json["services"].push_back(ServiceToJson(service));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// `foretell services`.
struct ServicesArgs {
  std::vector<std::string> names;  // Empty: all.
  std::string json;                // "-" for one JSON object on `console.out`, a file, or empty.
};

// Lists every service with its scenarios, planted bugs and invariants. Returns an ExitCode.
int RunServices(const ServicesArgs& args, const Parts& parts, Console& console) {
  const auto services = ListServices(parts.catalog, args.names);
  if (!services.ok()) return Fail(console, services.status());
  if (args.json == "-") {
    console.out << ListingJson(*services) << std::flush;
    return kExitNothing;
  }
  if (!args.json.empty()) {
    const absl::Status written = WriteFileAtomically(args.json, ListingJson(*services));
    return written.ok() ? static_cast<int>(kExitNothing) : Fail(console, written);
  }
  console.out << ListingText(*services, console.out_style) << std::flush;
  return kExitNothing;
}

}  // namespace

Command AddServices(CLI::App& root, const Parts&) {
  CLI::App* const app = root.add_subcommand(
      "services", "List services, their scenarios, planted bugs and invariants");
  app->footer("Example:\n  foretell services paxos");
  auto args = std::make_shared<ServicesArgs>();
  app->add_option("NAME", args->names, "Only these services");
  app->add_option("--json", args->json, "Write JSON to FILE instead, - for standard output")
      ->type_name("FILE");
  return {app, AddPluginOption(*app), [args](const Parts& parts, Console& console) {
            return RunServices(*args, parts, console);
          }};
}

}  // namespace foretell::agent
