// The doctor on the systems of Table I, of which it is known what can be left out: the message that
// came last, and nothing else (tests/auxiliary_test.cc has what the audit says to the rest).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "foretell/integration/register/family.h"
#include "foretell/integration/synod/family.h"
#include "foretell/model/kept_auxiliary.h"
#include "foretell/search/doctor/diagnosis.h"
#include "foretell/tests/support/engines.h"

namespace foretell::tests {
namespace {

using testing::ElementsAre;

// A diagnosis and what it speaks of.
struct Examined {
  Examined(const model::Service& service, const model::SystemCut& start, uint32_t states_max)
      : budget(model::Budget::Unlimited()) {
    samples.push_back(
        std::make_unique<search::Sample>("", service, start, states_max, table, budget));
    diagnosis = search::Diagnose(samples, table, 4'000, budget);
  }
  std::vector<std::string> Suggested() const {
    std::vector<std::string> names;
    for (const uint32_t field : diagnosis.suggestion.fields) names.push_back(table.name(field));
    return names;
  }

  model::Budget budget;
  search::FieldTable table;
  std::vector<std::unique_ptr<search::Sample>> samples;
  search::Diagnosis diagnosis;
};

TEST(DoctorTest, FindsAPlantedLogInPaxosAndNothingElse) {
  const model::System system = MakeOrDie(integration::synod::Family(), "paxos-6,acceptors=2");
  const model::KeptAuxiliary kept(*system.service);
  EXPECT_THAT(Examined(kept, system.start, 20'000).Suggested(), ElementsAre("last"));
}

TEST(DoctorTest, KnowsWhatIsDeclaredAndWhatThatSaves) {
  const model::System system =
      MakeOrDie(integration::registers::Family(), "register-5,writes=1");
  const Examined examined(*system.service, system.start, 20'000);
  EXPECT_THAT(examined.Suggested(), testing::IsEmpty());
  // As tests/table1_test.cc counts them: naive, and decomposed.
  EXPECT_EQ(examined.diagnosis.all.states, 4'373u);
  EXPECT_EQ(examined.diagnosis.now.states, 2'255u);
  size_t declared = 0;
  for (const search::FieldFindings& one : examined.diagnosis.fields) {
    if (!one.declared) continue;
    ++declared;
    EXPECT_EQ(examined.table.name(one.field), "last");
    EXPECT_EQ(one.influence.influenced, 0u);
    EXPECT_TRUE(one.influence.IsEnough());
  }
  EXPECT_EQ(declared, 1u);
}

TEST(DoctorTest, ARegistersFieldsAreThoseOfTheTable) {
  const model::System system =
      MakeOrDie(integration::registers::Family(), "register-5,writes=1");
  const model::KeptAuxiliary kept(*system.service);
  const Examined examined(kept, system.start, 20'000);
  EXPECT_THAT(examined.Suggested(), ElementsAre("last"));
  EXPECT_EQ(examined.diagnosis.suggestion.without.states, 2'255u);
}

}  // namespace
}  // namespace foretell::tests
