#include "foretell/integration/joined/joined_family.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/model/check.h"
#include "foretell/model/scenario.h"

namespace foretell::integration {
namespace {

using model::Named;

bool Has(const std::vector<Named>& all, const std::string& name) {
  return std::any_of(all.begin(), all.end(), [&](const Named& one) { return one.name == name; });
}

bool NamesAreUnique(const std::vector<Named>& all) {
  std::set<std::string> names;
  for (const Named& one : all) names.insert(one.name);
  return names.size() == all.size();
}

// The scenarios that `bug` can be planted in: what a user meant who took another one.
std::string ScenariosOf(const model::Catalog& parts, const std::string& bug) {
  std::vector<std::string> names;
  for (const auto& part : parts) {
    if (!Has(part->bugs(), bug)) continue;
    for (const Named& one : part->scenarios()) {
      if (part->Make(one.name, bug).ok()) names.push_back(one.name);
    }
  }
  return names.empty() ? "none" : absl::StrJoin(names, ", ");
}

}  // namespace

JoinedFamily::JoinedFamily(Named named, model::Catalog parts)
    : named_(std::move(named)), parts_(std::move(parts)) {
  FORETELL_CHECK(!parts_.empty());
  for (const auto& part : parts_) FORETELL_CHECK(part->parameters().empty());
  FORETELL_CHECK(NamesAreUnique(scenarios()));
  FORETELL_CHECK(NamesAreUnique(bugs()));
}

std::vector<Named> JoinedFamily::scenarios() const {
  std::vector<Named> all;
  for (const auto& part : parts_) {
    for (Named& one : part->scenarios()) all.push_back(std::move(one));
  }
  return all;
}

std::vector<Named> JoinedFamily::bugs() const {
  std::vector<Named> all;
  for (const auto& part : parts_) {
    for (Named& one : part->bugs()) all.push_back(std::move(one));
  }
  return all;
}

std::string JoinedFamily::live_scenario() const {
  for (const auto& part : parts_) {
    if (!part->live_scenario().empty()) return part->live_scenario();
  }
  return "";
}

std::string JoinedFamily::version() const {
  std::set<std::string> versions;
  for (const auto& part : parts_) versions.insert(part->version());
  return absl::StrJoin(versions, "+");
}

absl::StatusOr<model::System> JoinedFamily::Make(const std::string& scenario,
                                                 const std::string& bug) const {
  const auto spec = model::ParseScenario(scenario);
  if (!spec.ok()) return spec.status();
  for (const auto& part : parts_) {
    if (!Has(part->scenarios(), spec->name)) continue;
    if (!bug.empty() && !Has(part->bugs(), bug)) {
      return absl::InvalidArgumentError(absl::StrCat("bug ", bug, " does not go with scenario ",
                                                     spec->name, " but with ",
                                                     ScenariosOf(parts_, bug)));
    }
    return part->Make(scenario, bug);
  }
  return absl::InvalidArgumentError(absl::StrCat("there is no scenario ", spec->name));
}

}  // namespace foretell::integration
