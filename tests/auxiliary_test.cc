// Decomposition (DBSS) and its audit: what is auxiliary makes fewer states and no other verdict,
// and what is only said to be auxiliary is found out, by name.

#include <gtest/gtest.h>

#include <functional>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/model/plain/plain_system.h"
#include "foretell/search/explorers.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using integration::synod::State;
using model::Outcome;
using model::Report;

// A service with one more field declared auxiliary, on our word.
class Claim final : public model::ForwardingService {
 public:
  using Forget = std::function<void(State&)>;
  Claim(const model::Service& inner, std::string field, Forget forget)
      : ForwardingService(inner), field_(std::move(field)), forget_(std::move(forget)) {}

  bool has_auxiliary() const override { return true; }
  std::vector<std::string> claimed_auxiliary() const override { return {field_}; }
  std::string Relevant(const std::string& state) const override {
    State shorter = *model::Decode<State>(state);
    forget_(shorter);
    return model::EncodeRelevant(shorter);
  }

 private:
  std::string field_;
  Forget forget_;
};

Report Global(const model::Service& service, const model::SystemCut& start) {
  model::Budget budget = Steps(UINT64_MAX);
  search::SearchOptions options;
  options.minimise = false;  // Classes of node states would do the same without a claim.
  const auto report = search::MakeGlobalExplorer(service, options)->Explore(start, budget);
  EXPECT_TRUE(report.ok()) << report.status();
  return report.ok() ? *report : Report();
}

Report WithClaim(const std::string& field, Claim::Forget forget) {
  const model::System system = MakeOrDie(integration::synod::Family(), "paxos-6");
  return Global(Claim(*system.service, field, std::move(forget)), system.start);
}

TEST(AuxiliaryAuditTest, NamesFieldsThatAreNotAuxiliary) {
  const std::pair<std::string, Claim::Forget> lies[] = {
      {"proposer.best", [](State& s) { s.proposer.best.reset(); }},
      {"proposer.got", [](State& s) { s.proposer.got.clear(); }},
      {"learner.got", [](State& s) { s.learner.got.clear(); }},
      {"acceptor.accepted", [](State& s) { s.acceptor.accepted.reset(); }},
  };
  for (const auto& [field, forget] : lies) {
    const Report report = WithClaim(field, forget);
    EXPECT_EQ(report.outcome, Outcome::kNondeterminism) << field;
    ASSERT_FALSE(report.notes.empty()) << field;
    EXPECT_NE(report.notes[0].find(field + ": declared auxiliary"), std::string::npos)
        << report.notes[0];
    EXPECT_NE(report.notes[0].find("not a function of the relevant part"), std::string::npos);
  }
}

// The same field, by type and by claim: the audit looks, and finds nothing.
TEST(AuxiliaryAuditTest, SaysNothingOfAFieldThatDoesNotMatter) {
  const Report report = WithClaim("last", [](State&) {});
  EXPECT_TRUE(report.complete) << (report.notes.empty() ? "" : report.notes[0]);
  EXPECT_EQ(report.stats.global_states, 168'852u);
}

// The same verdicts and paths that replay, with fewer states; people see the field.
TEST(AuxiliaryTest, DecomposedAndNaiveSearchAgree) {
  const integration::registers::Family family;
  for (const char* bug : {"", "wrong-regularity", "hasty-reader"}) {
    const model::System system = MakeOrDie(family, "register-5,writes=1", bug);
    const model::KeptAuxiliary kept(*system.service);
    const Report decomposed = Global(*system.service, system.start);
    const Report naive = Global(kept, system.start);
    ExpectSound(*system.service, system.start, decomposed);
    EXPECT_EQ(decomposed.outcome, naive.outcome) << bug;
    EXPECT_LT(*decomposed.stats.global_states, *naive.stats.global_states) << bug;
    if (decomposed.violations.empty()) continue;
    const auto steps = model::Replay(*system.service, system.start, decomposed.violations[0].path);
    const model::NodeState& client = steps->back().after.nodes[0];
    const auto fields = system.service->RenderState(model::NodeId(0), client.body);
    EXPECT_EQ(fields.back().name, "last");
    EXPECT_EQ(fields.back().value.substr(0, 5), "Repl(");
  }
}

}  // namespace
}  // namespace foretell::tests
