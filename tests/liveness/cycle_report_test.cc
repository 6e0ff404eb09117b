// A fair cycle as people and programs get to see it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/agent/check/check_record.h"
#include "foretell/agent/check/liveness_text.h"
#include "foretell/agent/drawing/mermaid.h"
#include "foretell/agent/drawing/svg.h"
#include "foretell/agent/drawing/text_diagram.h"
#include "foretell/agent/drawing/wording.h"
#include "foretell/model/family.h"
#include "foretell/model/liveness/liveness.h"
#include "foretell/search/liveness/live_explorer.h"
#include "foretell/search/testing/restless_protocol.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class CycleReportTest : public testing::Test {
 protected:
  CycleReportTest() : service_(model::MakeService(search::RestlessProtocol{.told = true})) {
    record_.start = model::InitialCut(*service_);
    search::LiveOptions options;
    options.property = "arrived";
    options.loss = search::Loss::kNone;
    options.fairness = model::Fairness::kFairLoss;
    model::Budget budget = Steps(100'000);
    record_.report = *search::MakeLiveExplorer(*service_, options)->Explore(record_.start, budget);
  }
  agent::SpaceTime Picture() const {
    return *agent::BuildSpaceTime(*service_, record_.start, record_.report.violations[0], "title");
  }

  const std::unique_ptr<model::Service> service_;
  agent::CheckRecord record_;
};

TEST_F(CycleReportTest, SaysWhatRepeatsAndWhatIsAssumed) {
  EXPECT_THAT(DeathLines(record_, 0),
              ElementsAre("cycle:    steps 2 to 3, again and again",
                          "assumed:  fairness fair-loss: what stays possible happens, and what is "
                          "sent again and again arrives now and then"));
  EXPECT_THAT(LivenessSentence(record_),
              HasSubstr("Fair cycle: arrived can stay away for ever under fairness fair-loss"));
  EXPECT_THAT(record_.report.violations[0].text, HasSubstr("Under fairness fair-loss ("));
}

TEST_F(CycleReportTest, PicturesShowWhereItBegins) {
  const agent::SpaceTime picture = Picture();
  EXPECT_EQ(picture.moments.size(), 3u);
  EXPECT_EQ(picture.cycle_from, 2u);
  EXPECT_THAT(DrawText(picture, {}), HasSubstr(agent::kCycleText));
  EXPECT_THAT(agent::DrawMermaid(picture), HasSubstr("loop from here on"));
  EXPECT_THAT(agent::DrawSvg(picture), HasSubstr(agent::kCycleText));
}

TEST_F(CycleReportTest, JsonBringsItBack) {
  const std::string json = ToJson(record_, {Picture()});
  EXPECT_THAT(json, HasSubstr("\"fairness\": \"fair-loss\""));
  EXPECT_THAT(json, HasSubstr("\"verdict\": \"fair-cycle\""));
  EXPECT_THAT(json, HasSubstr("\"cycle_from\": 2"));
  const auto read = agent::FromJson(json);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->report.violations[0].death->cycle_from, 2u);
}

TEST_F(CycleReportTest, AFileThatClaimsACycleIsNotBelieved) {
  model::Violation violation = record_.report.violations[0];
  for (const size_t from : {1, 3, 4}) {
    auto death = std::make_shared<model::Death>(*violation.death);
    death->cycle_from = from;
    violation.death = death;
    const auto picture = agent::BuildSpaceTime(*service_, record_.start, violation, "title");
    EXPECT_THAT(std::string(picture.status().message()), HasSubstr("do not lead back"));
  }
}

}  // namespace
}  // namespace foretell::tests
