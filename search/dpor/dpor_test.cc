// Random programs: the strategies against every interleaving, and the mailboxes against the paper's
// network with its own ids.

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "foretell/model/process/messages.h"
#include "foretell/model/process/plain_network.h"
#include "foretell/model/process/random/random_program.h"
#include "foretell/search/dpor/strategies.h"
#include "foretell/search/dpor/testing/every_interleaving.h"

namespace foretell::search {
namespace {

using model::process::PlainProcesses;
using model::process::Program;
using model::process::Protocol;
using model::process::random::RandomProgram;
using model::process::random::Shape;
using testing::FollowBy;
using testing::Lab;

uint64_t Count(const char* name, uint64_t usual) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : usual;
}

void Compare(const Shape& shape, uint64_t seeds) {
  uint64_t compared = 0, kinds = 0, reads = 0, given_up = 0, missed_by_paper = 0;
  for (uint64_t seed = 1; compared < seeds; ++seed) {
    SCOPED_TRACE(seed);
    Lab lab(RandomProgram(seed, shape));
    const auto all = testing::EveryInterleaving(lab);
    if (!all) continue;
    ++compared;
    kinds += all->kinds.size();
    reads += all->reads.size();
    for (const Turns turns : {Turns::kOldest, Turns::kDescending}) {
      const auto optimal = FollowBy(lab, Algorithm::kOptimal, Relation::kExact, turns);
      const auto source = FollowBy(lab, Algorithm::kSource, Relation::kExact, turns);
      const auto paper = FollowBy(lab, Algorithm::kPaper, Relation::kPaper, turns);
      ASSERT_EQ(source.outcomes.ends, all->ends);
      ASSERT_EQ(source.followed.traces, all->kinds.size());
      ASSERT_EQ(optimal.outcomes.ends, all->ends);
      ASSERT_EQ(optimal.outcomes.kinds, all->kinds);
      ASSERT_EQ(optimal.outcomes.reads, all->reads);
      ASSERT_EQ(optimal.followed.traces, all->kinds.size());
      ASSERT_EQ(optimal.followed.blocked, 0u);
      given_up += source.followed.blocked;
      missed_by_paper += paper.outcomes.ends != all->ends ? 1 : 0;
    }
  }
  ::testing::Test::RecordProperty("kinds", std::to_string(kinds));
  ::testing::Test::RecordProperty("reads_from", std::to_string(reads));
  ::testing::Test::RecordProperty("given_up_by_source_sets", std::to_string(given_up));
  ::testing::Test::RecordProperty("missed_by_paper", std::to_string(missed_by_paper));
}

TEST(DporTest, OneExecutionOfEachKindAndEveryEnd) {
  Compare({}, Count("FORETELL_DPOR_COUNT", 1000));
}

TEST(DporTest, ReceivesFromSeveralMailboxesReachEveryEnd) {
  Compare({.several = true}, Count("FORETELL_DPOR_COUNT", 1000) / 4);
}

TEST(DporTest, BufferedSendsReachEveryEnd) {
  Compare({.buffered = true}, Count("FORETELL_DPOR_COUNT", 1000) / 4);
  Compare({.several = true, .buffered = true}, Count("FORETELL_DPOR_COUNT", 1000) / 4);
}

TEST(DporTest, WaitsThatGiveUpReachEveryEnd) {
  Compare({.buffered = true, .expires = true}, Count("FORETELL_DPOR_COUNT", 1000) / 4);
}

TEST(DporTest, WhatIsThereFromTheBeginningIsReceivedInEveryOrder) {
  Compare({.several = true, .contents = true}, Count("FORETELL_DPOR_COUNT", 1000) / 4);
}

TEST(DporTest, ProcessesThatBreakReachEveryEnd) {
  Compare({.several = true, .expires = true, .refuses = true},
          Count("FORETELL_DPOR_COUNT", 1000) / 4);
}

// What is there from the beginning is nobody's. It once had the number of the second post of the
// first process, so that taking it seemed to need that post, and one of the two orders was missed.
struct Token {
  using Box = model::process::Mailbox<uint32_t>;
  static model::process::Task<> Posts(Box other, Box box) {
    const uint32_t value = 1;
    co_await model::process::Send(other, value);
    co_await model::process::Send(box, value);
  }
  static model::process::Task<> Takes(Box token, Box box) {
    const uint32_t value = co_await model::process::Receive(token);
    co_await model::process::Send(box, value);
  }
  static model::process::Task<> Reads(Box box) { co_await model::process::Receive(box); }
};

TEST(DporTest, WhatIsThereFromTheBeginningIsNobodys) {
  Program program;
  const auto other = program.AddMailbox<uint32_t>("other");
  const auto box = program.AddMailbox<uint32_t>("box");
  const auto token = program.AddMailbox<uint32_t>("token");
  program.Put(token, 2u);
  program.AddProcess("posts", [=] { return Token::Posts(other, box); });
  program.AddProcess("takes", [=] { return Token::Takes(token, box); });
  program.AddProcess("reads", [=] { return Token::Reads(box); });
  Lab lab(program);
  const auto by = FollowBy(lab, Algorithm::kOptimal, Relation::kExact, Turns::kOldest);
  EXPECT_EQ(by.followed.traces, 2u);
  EXPECT_EQ(by.outcomes.ends.size(), 2u);
}

// Numbers of posts are used again by who becomes something else: a look at an old post is then
// taken to depend on a new one. More is followed than must be, and nothing is missed.
struct Summing {
  using Box = model::process::Mailbox<uint32_t>;
  using Sum = std::vector<uint32_t>;
  static model::process::Task<> Server(Box box, Sum sum) {
    if (sum[0] == 0) co_return;
    const uint32_t number = co_await model::process::Receive(box);
    const Sum next = {sum[0] - 1, 10 * sum[1] + number};
    co_await model::process::Become("server", next);
  }
  static model::process::Task<> Client(Box box, uint32_t number) {
    co_await model::process::SendTo(box, number);
  }
  static Program Make(uint32_t clients) {
    Program program;
    const Box box = program.AddMailbox<uint32_t>("numbers");
    program.Continue<Sum>("server", [=](Sum sum) { return Server(box, std::move(sum)); });
    program.AddProcess("server", [=] {
      Sum nothing = {clients, 0};
      return Server(box, std::move(nothing));
    });
    for (uint32_t i = 1; i <= clients; ++i) {
      program.AddProcess("client", [=] { return Client(box, i); });
    }
    return program;
  }
};

TEST(DporTest, NothingIsMissedOfWhoBecomesSomethingElse) {
  for (const auto& [clients, orders] : {std::pair(2u, 2u), std::pair(3u, 6u), std::pair(4u, 24u)}) {
    Lab lab(Summing::Make(clients));
    const auto by = FollowBy(lab, Algorithm::kOptimal, Relation::kExact, Turns::kOldest);
    EXPECT_EQ(by.outcomes.ends.size(), orders);
    EXPECT_EQ(by.outcomes.reads.size(), orders);
    EXPECT_EQ(by.followed.blocked, 0u);
  }
}

// What the processes have got, in every end of the judge's.
void JudgeEnds(const PlainProcesses& at, std::set<std::string>& seen, std::set<std::string>& ends) {
  if (!seen.insert(at.Bytes()).second) return;
  const auto moves = at.Enabled();
  for (const PlainProcesses::Move move : moves) {
    PlainProcesses next = at;
    next.Take(move);
    JudgeEnds(next, seen, ends);
  }
  if (!moves.empty()) return;
  std::string histories;
  for (uint32_t p = 0; p < 3; ++p) {
    if (p < at.process_count()) histories += model::Encode(at.history(p)) + "|";
  }
  ends.insert(histories);
}

TEST(DporTest, EndsAreThoseOfThePapersNetwork) {
  const uint64_t seeds = Count("FORETELL_DPOR_COUNT", 1000) / 10;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Program program = RandomProgram(seed, {});
    std::set<std::string> seen, ends, ours;
    JudgeEnds(PlainProcesses(program), seen, ends);
    Lab lab(program);
    const auto by = FollowBy(lab, Algorithm::kOptimal, Relation::kExact, Turns::kOldest);
    for (const testing::Ids& end : by.outcomes.ends) {
      std::string histories;
      for (uint32_t p = 0; p < lab.space.process_count(); ++p) {
        histories += model::Encode(lab.space.histories().HistoryOf(p, end[p])) + "|";
      }
      ours.insert(histories);
    }
    ASSERT_EQ(ours, ends);
  }
}

}  // namespace
}  // namespace foretell::search
