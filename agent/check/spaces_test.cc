#include "foretell/agent/check/spaces.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "foretell/agent/testing/toy_path.h"

namespace foretell::agent {
namespace {

class NothingExplorer final : public model::Explorer {
 public:
  absl::StatusOr<model::Report> Explore(const model::SystemCut&, model::Budget&) override {
    return model::Report{.complete = true};
  }
};

// Results of one space are not true of another.
TEST(SpacesTest, EverySpaceHasAJournalOfItsOwn) {
  const model::System system = *ToyFamily().Make("fresh", "");
  const std::vector<model::Imagined> spaces(3, {system.start, system.start, ""});
  std::vector<std::string> journals;
  const predictors::Engine engine{
      .name = "nothing",
      .make = [&](const model::Service&, const predictors::EngineOptions& options) {
        journals.push_back(options.journal);
        return std::make_unique<NothingExplorer>();
      }};
  for (const char* const journal : {"", "file"}) {
    predictors::EngineOptions options;
    options.journal = journal;
    model::Budget budget = model::Budget::Unlimited();
    const auto report = ExploreSpaces(engine, options, *system.service, spaces,
                                      /*first_only=*/false, budget);
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_TRUE(report->report.complete);
  }
  EXPECT_EQ(journals, (std::vector<std::string>{"", "", "", "file", "file.2", "file.3"}));
}

TEST(SpacesTest, AViolationIsDrawnFromItsFocusIfThatShowsIt) {
  const model::System system = *ToyFamily().Make("fresh", "says-yes");
  const model::Violation violation{"never-elected", "", ToyPath()};
  model::SystemCut imagined = system.start;
  imagined.in_flight.push_back({model::NodeId(1), model::NodeId(0),
                                model::Encode(ToyProtocol::Message(ToyProtocol::Vote{}))});
  EXPECT_EQ(DrawingStart(*system.service, imagined, system.start, violation), system.start);
  model::SystemCut unrelated = system.start;
  unrelated.nodes[0].body = model::Encode(ToyProtocol::State{.asked = 1});
  EXPECT_EQ(DrawingStart(*system.service, imagined, unrelated, violation), imagined);
  EXPECT_EQ(DrawingStart(*system.service, imagined, {}, violation), imagined) << "an older file";
}

}  // namespace
}  // namespace foretell::agent
