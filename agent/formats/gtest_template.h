#pragma once

// The parts of the test that a path becomes; $WORDS are filled in.

namespace foretell::agent {

inline constexpr const char* kGtest = R"test($HEAD//
// Written by `foretell explain --format gtest`. Takes the steps of that path as far as they are
// possible: it fails while the trouble is there, and passes once the service goes another way.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

$BUILTIN#include "foretell/model/describe.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
$PLUGIN
namespace {

namespace model = foretell::model;

$SERVICES
$START
struct Step {
  std::string event;
  std::vector<uint32_t> choices;  // What the handler chooses, in order.
  size_t place;                   // Among steps that look the same.
};

// clang-format off
const std::vector<Step> kPath = {
$STEPS};
// clang-format on

// Nothing if there is no such step now.
std::optional<model::PathStep> Find(const model::Service& service, const model::PlainSystem& system,
                                    const Step& step) {
  size_t place = 0;
  for (const model::PathStep& possible : system.Enabled()) {
    if (possible.choices != step.choices) continue;
    if (model::Describe(service, possible.node, possible.event) != step.event) continue;
    if (place++ == step.place) return possible;
  }
  return std::nullopt;
}

// What does not hold now, and why; empty if all is well.
std::string Broken(const model::PlainSystem& system) {
  std::string text;
  for (const std::string& name : system.Violated()) {
    text += name + " does not hold: " + system.Explain(name) + "\n";
  }
  return text;
}

TEST($SUITE, $CASE) {
  const std::string service = $SERVICE;
  const std::string scenario = $SCENARIO;
  const std::string bug = $BUG;
  const model::Catalog services = Services();
  const model::ServiceFamily* const family = model::FindFamily(services, service);
  ASSERT_NE(family, nullptr) << "there is no service " << service;
  const auto system = family->Make(scenario, bug);
  ASSERT_TRUE(system.ok()) << system.status();
  const model::SystemCut start = Start(*system);
  const absl::Status valid = model::ValidateCut(*system->service, start);
  ASSERT_TRUE(valid.ok()) << "the start is none of this service any more: " << valid;
  model::PlainSystem replay(*system->service, start);
  ASSERT_EQ(Broken(replay), "") << "at the start";
  size_t taken = 0;
  for (const Step& step : kPath) {
    const std::optional<model::PathStep> next = Find(*system->service, replay, step);
    if (!next) break;
    ASSERT_TRUE(replay.Apply(*next).ok());
    ++taken;
    ASSERT_EQ(Broken(replay), "") << "after step " << taken << ", " << step.event;
  }
  RecordProperty("steps_taken", static_cast<int>(taken));
  if (taken == 0) GTEST_SKIP() << "not even the first step is possible: look for a new path";
}

}  // namespace
)test";

inline constexpr const char* kBuiltinInclude = R"test(#include "foretell/integration/catalog.h"
)test";
inline constexpr const char* kBuiltinServices =
    R"test(model::Catalog Services() { return foretell::integration::BuiltinServices(); }
)test";

inline constexpr const char* kPluginInclude = R"test(#include "foretell/model/foreign/load_plugin.h"

#ifndef FORETELL_TEST_PLUGINS
#define FORETELL_TEST_PLUGINS $PLUGINS
#endif
)test";
inline constexpr const char* kPluginServices =
    R"test(// A test that is linked with the service can make its family here instead.
model::Catalog Services() {
  model::Catalog services;
  for (const char* const path : {FORETELL_TEST_PLUGINS}) {
    auto families = model::LoadPlugin(path);
    EXPECT_TRUE(families.ok()) << families.status();
    if (!families.ok()) continue;
    for (auto& family : *families) services.push_back(std::move(family));
  }
  return services;
}
)test";

inline constexpr const char* kScenarioStart =
    R"test(model::SystemCut Start(const model::System& system) { return system.start; }
)test";
inline constexpr const char* kRecordedStart =
    R"test(model::FaultCounts Faults(const std::vector<uint8_t>& used) {
  model::FaultCounts counts;
  for (size_t i = 0; i < used.size(); ++i) counts[model::kFaults[i].kind] = used[i];
  return counts;
}

std::string Bytes(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

// The cut that was recorded.
model::SystemCut Start(const model::System&) {
  model::SystemCut start;
$CUT  return start;
}
)test";

}  // namespace foretell::agent
