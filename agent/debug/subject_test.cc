#include "foretell/agent/debug/subject.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "foretell/agent/debug/saved_path.h"
#include "foretell/agent/debug/testing/toy_session.h"
#include "foretell/snapshot/archive/bundle.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::agent {
namespace {

using testing::HasSubstr;

class SubjectTest : public testing::Test {
 protected:
  SubjectTest() { parts_.catalog.push_back(std::make_unique<ToyFamily>()); }

  std::string File(const std::string& name) const { return folder_.path() + "/" + name; }
  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(File(name), std::ios::binary) << text;
  }
  std::string WriteBundle() const {
    const Subject subject = ToySubject();
    snapshot::Bundle bundle{.engine = "lmc"};
    bundle.recorded.origin = {"toy", "fresh", "says-yes", ToyFamily().version(), "0.1.0"};
    bundle.recorded.snapshot.cut = subject.start;
    bundle.imagined = subject.start;
    bundle.invariant = "never-elected";
    bundle.path = subject.path;
    EXPECT_TRUE(snapshot::WriteBundle(File("a.bundle"), bundle).ok());
    return snapshot::Contents(File("a.bundle"));
  }

  // Loads and replays; whatever is wrong is told in a sentence.
  bool Begins(const std::string& name) {
    auto subject = LoadSubject({.what = File(name)}, parts_);
    if (!subject.ok()) {
      EXPECT_THAT(std::string(subject.status().message()), HasSubstr(name));
      return false;
    }
    return Session::Begin(*std::move(subject), nullptr).ok();
  }

  // Every byte of `text` is worth a try, with a seed.
  void Damage(const std::string& name, const std::string& text, int tries) {
    std::mt19937 random(11);
    for (int i = 0; i < tries; ++i) {
      std::string damaged = text;
      if (i % 4 == 0) {
        damaged.resize(random() % damaged.size());
      } else {
        damaged[random() % damaged.size()] = static_cast<char>(random() % 256);
      }
      Write(name, damaged);
      Begins(name);
    }
  }

  snapshot::TempFolder folder_;
  Parts parts_;
};

TEST_F(SubjectTest, ReadsWhatWasSaved) {
  Debugged toy(ToySubject());
  Write("saved.json", *SavedPath(toy.session().subject(), toy.session().execution()));
  const auto subject = LoadSubject({.what = File("saved.json")}, parts_);
  ASSERT_TRUE(subject.ok()) << subject.status();
  EXPECT_EQ(subject->path, ToyPath());
  EXPECT_EQ(subject->invariant, "never-elected");
  EXPECT_TRUE(Begins("saved.json"));
}

TEST_F(SubjectTest, ReadsABundle) {
  WriteBundle();
  const auto subject = LoadSubject({.what = File("a.bundle")}, parts_);
  ASSERT_TRUE(subject.ok()) << subject.status();
  EXPECT_EQ(subject->path, ToyPath());
  EXPECT_TRUE(Begins("a.bundle"));
}

TEST_F(SubjectTest, ADamagedReportIsASentence) {
  Debugged toy(ToySubject());
  Damage("report.json", *SavedPath(toy.session().subject(), toy.session().execution()), 400);
  toy.Run("take 1");
  Damage("path.json", *SavedPath(toy.session().subject(), toy.session().execution()), 200);
}

TEST_F(SubjectTest, ADamagedBundleIsASentence) { Damage("b.bundle", WriteBundle(), 300); }

TEST_F(SubjectTest, NamesWhatIsNearlyAService) {
  EXPECT_EQ(LoadSubject({.what = "toi"}, parts_).status().message(),
            "unknown file or service 'toi': did you mean 'toy'? known: toy");
  EXPECT_THAT(std::string(LoadSubject({.what = "nowhere"}, parts_).status().message()),
              HasSubstr("nowhere: cannot open"));
}

}  // namespace
}  // namespace foretell::agent
