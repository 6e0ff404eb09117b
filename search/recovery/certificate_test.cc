#include "foretell/search/recovery/certificate.h"

#include <gtest/gtest.h>

#include "foretell/model/family.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/recovery/oracle.h"
#include "foretell/search/recovery/property_view.h"
#include "foretell/search/testing/ask_protocol.h"

namespace foretell::search {
namespace {

// Node 1 is deaf, node 0 asks again and again: dead, and there are certificates of every kind.
class CertificateTest : public testing::Test {
 protected:
  CertificateTest() {
    const auto enabled = model::PlainSystem(*service_, start_).Enabled();
    model::PlainSystem system(*service_, start_);
    for (const model::PathStep& step : enabled) {
      if (step.node != NodeId(1)) continue;
      EXPECT_TRUE(system.Apply(step).ok());
    }
    dead_ = system.state();
  }

  Certificate Certify(model::DeathProof::How how) {
    return oracle_.Certify(oracle_.Place(dead_),
                           {.fate = Oracle::Fate::kDead, .proof = {.how = how}});
  }
  absl::Status Check(const Certificate& certificate) {
    return CheckCertificate({*service_, 0, model::CountOn::kCalls, dead_}, certificate);
  }

  // With any one of `parts` left out, which are some of `certificate`, it does not stand.
  template <class Part>
  void FallsWithoutAny(const Certificate& certificate, std::vector<Part>& parts) {
    ASSERT_FALSE(parts.empty());
    const std::vector<Part> all = parts;
    for (size_t i = 0; i < all.size(); ++i) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(Check(certificate).ok()) << i;
      parts = all;
    }
  }

  const std::unique_ptr<model::Service> service_ =
      model::MakeService(AskProtocol{.retries = true, .goes_deaf = true});
  const model::SystemCut start_ = model::InitialCut(*service_);
  const PropertyView view_{*service_, 0};
  model::TransitionTable table_{view_};
  model::InvariantTable invariants_{table_};
  RecoveryMoves moves_{table_, invariants_, model::CountOn::kCalls};
  Oracle oracle_{invariants_, moves_, {}, 1};
  model::SystemCut dead_;
};

TEST_F(CertificateTest, LocalOnesStandAndFallWithEachState) {
  Certificate certificate = Certify(model::DeathProof::How::kLocal);
  EXPECT_TRUE(Check(certificate).ok()) << Check(certificate);
  ASSERT_GT(certificate.nodes[0].size(), 1u);
  for (auto& states : certificate.nodes) FallsWithoutAny(certificate, states);
  FallsWithoutAny(certificate, certificate.messages);
}

TEST_F(CertificateTest, CoveredOnesStandAndFallWithEachCut) {
  Certificate certificate = Certify(model::DeathProof::How::kCovered);
  EXPECT_TRUE(Check(certificate).ok()) << Check(certificate);
  FallsWithoutAny(certificate, certificate.covered);
}

// A way out cannot be hidden by calling the states that it leads to dead as well.
TEST_F(CertificateTest, NoneHasAStateInWhichThePredicateHolds) {
  Certificate local = Certify(model::DeathProof::How::kLocal);
  Certificate covered = Certify(model::DeathProof::How::kCovered);
  model::PlainSystem system(*service_, start_);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(system.Apply(system.Enabled().front()).ok());
  ASSERT_TRUE(HoldsIn(*service_, 0, system.state()));
  local.nodes[0].push_back(system.state().nodes[0]);
  covered.covered.push_back({system.state().nodes, {}});
  EXPECT_FALSE(Check(local).ok());
  EXPECT_FALSE(Check(covered).ok());
}

TEST_F(CertificateTest, CoveredOnesNeedAsMuchAsPilesUp) {
  Certificate certificate = Certify(model::DeathProof::How::kCovered);
  bool any = false;
  for (CoveredCut& cut : certificate.covered) {
    for (auto& [message, count] : cut.in_flight) {
      any = any || count == CoveredCut::kAnyNumber;
      count = 1;
    }
  }
  EXPECT_TRUE(any);  // Questions pile up.
  EXPECT_FALSE(Check(certificate).ok());
}

TEST_F(CertificateTest, WhatIsAliveHasNone) {
  Certificate certificate = Certify(model::DeathProof::How::kCovered);
  dead_ = start_;
  EXPECT_FALSE(Check(certificate).ok());
}

TEST_F(CertificateTest, ClosedOnesStandAndFallWithEachState) {
  const auto service = model::MakeService(AskProtocol{});
  const model::SystemCut start = model::InitialCut(*service);
  // Nobody calls, and nothing else can happen: closed, with one state.
  const DeathClaim claim{*service, 0, model::CountOn::kHelpful, start};
  EXPECT_TRUE(CheckCertificate(claim, {.region = {start}}).ok());
  EXPECT_FALSE(CheckCertificate(claim, {}).ok());
  const DeathClaim with_calls{*service, 0, model::CountOn::kCalls, start};
  EXPECT_FALSE(CheckCertificate(with_calls, {.region = {start}}).ok());
}

}  // namespace
}  // namespace foretell::search
