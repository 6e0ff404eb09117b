// A path on which shipping broke agreement: Of the logs of two nodes, one is the beginning
//   of the other. Broken by nodes 0, 1.
//
// Written by `foretell explain --format gtest`. Takes the steps of that path as far as they are
// possible: it fails while the trouble is there, and passes once the service goes another way.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "foretell/integration/catalog.h"
#include "foretell/model/describe.h"
#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"

namespace {

namespace model = foretell::model;

model::Catalog Services() { return foretell::integration::BuiltinServices(); }

model::SystemCut Start(const model::System& system) { return system.start; }

struct Step {
  std::string event;
  std::vector<uint32_t> choices;  // What the handler chooses, in order.
  size_t place;                   // Among steps that look the same.
};

// clang-format off
const std::vector<Step> kPath = {
    {"action Append() at node 0", {}, 0},
    {"break of the stream from node 0 at node 1", {}, 0},
    {"action Append() at node 0", {}, 0},
    {"deliver Entry(index=1, value=2) from node 0 at node 1", {}, 0},
};
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

TEST(ShippingPath, KeepsAgreement) {
  const std::string service = "shipping";
  const std::string scenario = "two-entries";
  const std::string bug = "blind-append";
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
