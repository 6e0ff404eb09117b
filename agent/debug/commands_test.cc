#include "foretell/agent/debug/commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "foretell/agent/debug/testing/toy_session.h"
#include "foretell/snapshot/testing/sample_records.h"

namespace foretell::agent {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(DebugCommandsTest, EveryRowHasHelpAndAnExampleOfItself) {
  std::set<std::string> names;
  for (const DebugCommand& command : DebugCommands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    if (command.brief[0] != 0) {
      EXPECT_TRUE(names.insert(command.brief).second) << command.brief;
    }
    EXPECT_THAT(std::string(command.help), Not(testing::IsEmpty())) << command.name;
    const auto words = SplitWords(command.example);
    ASSERT_TRUE(words.ok()) << command.example;
    EXPECT_EQ(words->front(), command.name);
    EXPECT_GE(words->size() - 1, command.words_least) << command.name;
    EXPECT_LE(words->size() - 1, command.words_most) << command.name;
    EXPECT_EQ(command.arguments[0] == 0, command.words_most == 0) << command.name;
  }
}

TEST(DebugCommandsTest, FindsByNameShortFormAndBeginning) {
  const auto name = [](const std::string& word) {
    const auto found = FindCommand(word);
    return found.ok() ? std::string((*found)->name) : std::string(found.status().message());
  };
  EXPECT_EQ(name("step"), "step");
  EXPECT_EQ(name("s"), "step");
  EXPECT_EQ(name("enab"), "enabled");
  EXPECT_THAT(name("stpe"), StartsWith("unknown command 'stpe': did you mean 'step'?"));
  EXPECT_THAT(name("un"), "unwatch");
  EXPECT_THAT(name("st"), StartsWith("unknown command 'st'"));  // step or steps.
  EXPECT_THAT(name(""), StartsWith("unknown command ''"));
}

TEST(DebugCommandsTest, StepsForwardAndBackward) {
  Debugged toy(ToySubject());
  EXPECT_THAT(toy.Run("step"), HasSubstr("path step 1 of 8, node 0: Campaign()\n"
                                         "  asked: 0 → 1\n"
                                         "  sends Ask to 0, 1, 2\n"));
  EXPECT_THAT(toy.Run("s 2"), StartsWith("path step 3 of 8, node 1: Ask(term=1) from 0, chooses 1, "
                                         "sent in step 1\n"));
  EXPECT_THAT(toy.Run("back"), StartsWith("path step 2 of 8, node 2: crash\n"));
  EXPECT_THAT(toy.Run("jump end"), HasSubstr("✗ never-elected does not hold"));
  EXPECT_EQ(toy.Run("step"),
            "error: step 8 is the last of path; `enabled` lists what could follow\n");
  EXPECT_THAT(toy.Run("back 100"), StartsWith("path step 0 of 8: the start"));
  EXPECT_EQ(toy.Run("back"), "error: step 0 is the first of path\n");
  EXPECT_EQ(toy.Run("jump 9"), "error: there is no step 9, path ends with step 8\n");
}

TEST(DebugCommandsTest, StepsOfOneNodeAndOfAFilter) {
  Debugged toy(ToySubject());
  EXPECT_EQ(toy.Run("node 2"), "steps of node 2: 3 of 8\n");
  EXPECT_THAT(toy.Run("step"), StartsWith("path step 2 of 8, node 2: crash"));
  EXPECT_THAT(toy.Run("step"), StartsWith("path step 5 of 8, node 2: restart"));
  EXPECT_EQ(toy.Run("filter event crash"), "steps of node 2, whose event matches crash: 1 of 8\n");
  EXPECT_THAT(toy.Run("step"), StartsWith("error: the filter lets no later step through than 5"));
  EXPECT_THAT(toy.Run("back"), StartsWith("path step 2 of 8"));
  EXPECT_EQ(toy.Run("node all"), "steps whose event matches crash: 1 of 8\n");
  EXPECT_EQ(toy.Run("filter off"), "every step: 8 of 8\n");
  EXPECT_EQ(toy.Run("node 3"), "error: there is no node 3, the last is 2\n");
  EXPECT_EQ(toy.Run("filter event ("), "error: '(' is no regular expression (ECMAScript)\n");
}

TEST(DebugCommandsTest, RunsToWhereSomethingBreaks) {
  Debugged toy(ToySubject());
  EXPECT_THAT(toy.Run("run violation"), StartsWith("path step 8 of 8"));
  EXPECT_THAT(toy.Run("run violation never-electd"),
              HasSubstr("did you mean 'never-elected'? known: local-assertions, never-elected"));
  EXPECT_THAT(toy.Run("run critical"), HasSubstr("no critical step is known"));
  EXPECT_THAT(toy.Run("run live"), HasSubstr("the service has no liveness predicate"));
  EXPECT_THAT(toy.Run("run lvie"), HasSubstr("did you mean 'live'?"));
  EXPECT_THAT(toy.Run("run end never-elected"), HasSubstr("means nothing to run end"));
}

TEST(DebugCommandsTest, ComparesDeathWithItsTwin) {
  Debugged dead(DeadSubject());
  EXPECT_THAT(dead.Run("run critical"), HasSubstr("the critical step: from here on elected can"));
  EXPECT_EQ(dead.Run("diff twin"),
            "- path:2\n+ twin:2\nnode 1\n-   voted = no\n+   voted = yes\nin flight\n"
            "-   1 to 0: Vote(yes=no)\n+   1 to 0: Vote(yes=yes)\n");
  EXPECT_THAT(dead.Run("run live"), HasSubstr("elected does not hold from step 2 to the end"));
  // Nodes 0 and 2 have five ways each to deal with their question, and one answer is under way.
  EXPECT_EQ(dead.Run("seek live"),
            "there is no way to where elected holds: all 50 states that can follow without faults "
            "or adverse events were visited\n");
  dead.Run("use twin");
  EXPECT_THAT(dead.Run("run live"), StartsWith("twin step 5 of 5"));
}

TEST(DebugCommandsTest, SaysThatTheStartIsDead) {
  Subject subject = DeadSubject();
  subject.path.clear();
  subject.death = std::make_shared<const model::Death>();
  Debugged dead(std::move(subject));
  EXPECT_EQ(dead.Run("run critical"),
            "path step 0 of 0: the start, 0 in flight\n"
            "  the start is dead: from here on elected can never hold\n");
  EXPECT_EQ(dead.session().tracks().size(), 1u);
}

TEST(DebugCommandsTest, GreetsWithWhatIsKnownOfADeath) {
  Subject subject = DeadSubject();
  model::Death death = *subject.death;
  death.by_loss = true;
  death.cures = {{.text = "restart node 1", .effect = model::Cure::Effect::kHelps, .steps = 4},
                 {.text = "restart node 0", .effect = model::Cure::Effect::kNone}};
  subject.death = std::make_shared<const model::Death>(death);
  subject.warnings = {"old"};
  Debugged dead(std::move(subject));
  std::ostringstream out;
  Greet(dead.session(), {.out = out});
  EXPECT_EQ(out.str(),
            "warning: old\n"
            "toy, scenario fresh, bug says-yes, engine lmc\n"
            "3 steps to a violation of elected: Node 0 hears yes from both others. Broken by node "
            "0.\n"
            "critical step: 2, if what is in flight is lost\n"
            "  restart node 1: helps, live after 4 steps\n"
            "  restart node 0: does not help\n");
  EXPECT_THAT(dead.Run("jump critical"), HasSubstr("can never hold if what is in flight is lost"));
}

// A record may say anything.
TEST(DebugCommandsTest, RefusesACriticalStepThatIsNotThere) {
  Subject subject = DeadSubject();
  model::Death death = *subject.death;
  death.critical_step = 7;
  subject.death = std::make_shared<const model::Death>(death);
  Debugged dead(std::move(subject));
  EXPECT_EQ(dead.Run("run critical"), "error: there is no step 7, path ends with step 3\n");
}

TEST(DebugCommandsTest, SeeksTheShortestWayToLive) {
  Debugged dead(DeadSubject());
  const std::string found = dead.Run("seek live");
  EXPECT_THAT(found, StartsWith("found in 5 steps"));
  EXPECT_THAT(found, HasSubstr("branch-1 step 5 of 5"));
  EXPECT_EQ(dead.Run("seek live"), "that is where we are\n");
  dead.Run("use path");
  dead.Run("jump 0");
  EXPECT_EQ(dead.Run("seek live 3"),
            "no way to where elected holds among the first 3 states; "
            "`seek live 30` looks further\n");
}

TEST(DebugCommandsTest, SeeksAViolation) {
  Debugged toy(ToySubject());
  EXPECT_THAT(toy.Run("seek violation"), StartsWith("found in 5 steps"));
  EXPECT_THAT(toy.Run("where"), HasSubstr("✗ never-elected does not hold"));
}

TEST(DebugCommandsTest, ListsWhatIsEnabledAndTakesIt) {
  Debugged toy(ToySubject());
  EXPECT_EQ(toy.Run("enabled"),
            "> 1  node 0: Campaign()\n"
            "       asked: 0 → 1\n"
            "       sends Ask to 0, Ask to 1, Ask to 2\n"
            "  2  node 2: crash\n"
            "       node: up → down\n"
            "2 events are enabled\n");
  EXPECT_EQ(toy.Run("take 3"), "error: there is no enabled event 3, the last is 2\n");
  EXPECT_EQ(toy.Run("take 0"), "error: there is no enabled event 0, the last is 2\n");
  EXPECT_THAT(toy.Run("take Vote"), StartsWith("error: no enabled events of 2 match 'Vote'"));
  EXPECT_THAT(toy.Run("take node"), StartsWith("error: 2 enabled events of 2 match 'node'"));
  EXPECT_THAT(toy.Run("take crash"), StartsWith("branch-1 step 1 of 1, node 2: crash"));
  EXPECT_EQ(toy.Run("executions"),
            "  path: 8 steps, by lmc; breaks never-elected\n"
            "> branch-1: 1 step, path up to step 0\n");
}

TEST(DebugCommandsTest, ShowsAndComparesStates) {
  Debugged toy(ToySubject());
  EXPECT_EQ(toy.Run("show 0"), "node 0\n  asked = 0\n  voted = -\n  yes = {}\n");
  EXPECT_EQ(toy.Run("show 0 asked at end"), "node 0\n  asked = 1\n");
  EXPECT_EQ(toy.Run("diff 0 1"),
            "- path:0\n+ path:1\nnode 0\n-   asked = 0\n+   asked = 1\nin flight\n"
            "+   0 to 0: Ask(term=1)\n+   0 to 1: Ask(term=1)\n+   0 to 2: Ask(term=1)\n");
  EXPECT_EQ(toy.Run("diff 0"), "- path:0\n+ path:0\nno difference\n");
  toy.Run("jump 3");
  EXPECT_EQ(toy.Run("diff node 0 1"),
            "- node 0\n+ node 1\npath:3\n-   asked = 1\n+   asked = 0\n-   voted = -\n"
            "+   voted = yes\n");
  EXPECT_EQ(toy.Run("holds"), "  local-assertions: holds\n  never-elected: holds\n");
  EXPECT_THAT(toy.Run("messages"), HasSubstr("  1 → 0: Vote(yes=yes)\n"));
  EXPECT_THAT(toy.Run("show voetd"), HasSubstr("unknown field 'voetd': did you mean 'voted'?"));
  EXPECT_THAT(toy.Run("diff node 0"), HasSubstr("give two nodes"));
}

TEST(DebugCommandsTest, WatchesFields) {
  Debugged toy(ToySubject());
  EXPECT_EQ(toy.Run("watch"), "nothing is watched\n");
  EXPECT_EQ(toy.Run("watch 0 asked"), "  1: node 0 asked\n");
  EXPECT_THAT(toy.Run("step"), HasSubstr("  watch node 0 asked: 0 → 1\n"));
  EXPECT_THAT(toy.Run("step"), HasSubstr("  watch node 0 asked: 1\n"));
  EXPECT_THAT(toy.Run("watch nothing"), HasSubstr("unknown field 'nothing'"));
  EXPECT_EQ(toy.Run("unwatch 2"), "error: there is no watch 2, there are 1\n");
  EXPECT_EQ(toy.Run("unwatch 1"), "nothing is watched\n");
  EXPECT_EQ(toy.Run("values 0 yes"),
            "  step 0, node 0: yes = {}\n  step 7, node 0: yes = {1}\n"
            "  step 8, node 0: yes = {1 2}\n");
}

TEST(DebugCommandsTest, ListsStepsAndEvents) {
  Debugged toy(ToySubject());
  toy.Run("jump 2");
  EXPECT_EQ(toy.Run("steps 1 2"),
            "    1  node 0: Campaign()\n>   2  node 2: crash\n2 of 8 steps\n");
  EXPECT_EQ(toy.Run("events"),
            "  Ask: 3 steps\n  Campaign: 1 step\n  Vote: 2 steps\n  crash: 1 step\n"
            "  restart: 1 step\n");
  EXPECT_EQ(toy.Run("events crash"), ">   2  node 2: crash\n1 of 8 steps\n");
  EXPECT_THAT(toy.Run("events Aks"), HasSubstr("did you mean 'Ask'?"));
  EXPECT_EQ(toy.Run("find state 'node 0: yes=.1 2'"),
            "    8  node 0: Vote(yes=yes) from 2, sent in step 6  ✗\n1 of 8 steps\n");
  EXPECT_EQ(toy.Run("find event nothing"), "0 of 8 steps\n");
}

TEST(DebugCommandsTest, DrawsAndExports) {
  Debugged toy(ToySubject());
  EXPECT_THAT(toy.Run("graph"), HasSubstr("✗ never-elected does not hold"));
  EXPECT_THAT(toy.Run("graph mermaid"), StartsWith("sequenceDiagram"));
  EXPECT_THAT(toy.Run("graph svgg"), HasSubstr("did you mean 'svg'?"));
  EXPECT_THAT(toy.Run("export dott"), HasSubstr("did you mean 'dot'?"));
  EXPECT_THAT(toy.Run("export otlp"), HasSubstr("export otlp FILE"));
  toy.Run("take 2");
  EXPECT_THAT(toy.Run("graph mermaid"), Not(HasSubstr("VIOLATION")));
  EXPECT_THAT(toy.Run("graph svg"), Not(HasSubstr("iolation")));
  EXPECT_THAT(toy.Run("graph"), Not(HasSubstr("does not hold")));
}

// Whatever is typed, the answer is an answer, and the session goes on where it was or elsewhere.
TEST(DebugCommandsTest, TakesAnyLine) {
  Debugged dead(DeadSubject());
  const snapshot::TempFolder folder;
  std::vector<std::string> words = {
      "",      "-1", "0",    "1",    "2",        "99999999999999999999",
      "twin",  ":",  "at",   "node", "path:1",   "(",
      "'a b'", ".*", "\"",   "#",    "elected",  "live",
      "state", "\t", "\xff", "all",  "violation"};
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    const DebugCommand& command = DebugCommands()[random() % DebugCommands().size()];
    // Not what writes files or ends.
    const std::set<std::string> left_out = {"save", "graph", "export", "quit"};
    if (left_out.contains(command.name)) continue;
    std::string line = command.name;
    for (uint32_t n = random() % 4; n > 0; --n) line += " " + words[random() % words.size()];
    const std::string answer = dead.Run(line);
    if (answer.starts_with("error: ")) {
      EXPECT_EQ(std::count(answer.begin(), answer.end(), '\n'), 1) << line << "\n" << answer;
    }
    EXPECT_LE(dead.session().at().step, dead.session().execution().steps()) << line;
  }
}

TEST(DebugCommandsTest, SaysWhatIsMissingAndWhatIsTooMuch) {
  Debugged toy(ToySubject());
  EXPECT_EQ(toy.Run("jump"),
            "error: something is missing; usage: jump STEP, for example: jump twin:5\n");
  EXPECT_EQ(toy.Run("where now"), "error: too many words; usage: where, for example: where\n");
  EXPECT_EQ(toy.Run("step 0"), toy.Run("step 0"));
  EXPECT_THAT(toy.Run("step x"), StartsWith("error: "));
  EXPECT_EQ(toy.Run("find event 'a"), "error: a quote ' is not closed\n");
  EXPECT_EQ(toy.Run("  # only words"), "");
  EXPECT_THAT(toy.Run("help dif"), StartsWith("diff STEP [STEP] | node A B"));
}

TEST(DebugCommandsTest, CompletesCommandsAndTheirWords) {
  Debugged dead(DeadSubject());
  const Session& session = dead.session();
  EXPECT_THAT(Completions(session, "un"), ElementsAre("unwatch"));
  EXPECT_THAT(Completions(session, "use t"), ElementsAre("twin"));
  EXPECT_THAT(Completions(session, "show 0 v"), ElementsAre("voted"));
  EXPECT_THAT(Completions(session, "export "), ElementsAre("shiviz", "itf", "dot", "otlp"));
  EXPECT_THAT(Completions(session, "nothing "), ElementsAre());
  EXPECT_THAT(Completions(session, "'"), ElementsAre());
}

}  // namespace
}  // namespace foretell::agent
