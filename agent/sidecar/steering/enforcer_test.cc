#include "foretell/agent/sidecar/steering/enforcer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <thread>

#include "foretell/agent/sidecar/sidecar.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/predictors/testing/toy_protocol.h"
#include "foretell/snapshot/archive/bundle.h"

namespace foretell::agent {
namespace {

using predictors::testing::MakeToy;
using snapshot::Filter;
using std::chrono_literals::operator""s;
using testing::HasSubstr;

// Nodes that take everything, and remember the last of it. With `absent`, node 1 does not answer
// when it is asked for a checkpoint.
class FakeClient : public snapshot::RpcClient {
 public:
  explicit FakeClient(const model::System& system) : system_(system) {}
  std::vector<snapshot::CheckpointReply> Collect(uint64_t number, Timeout) override {
    std::vector<snapshot::CheckpointReply> replies(2);
    for (uint32_t n = 0; n < 2; ++n) {
      auto checkpoint = std::make_shared<snapshot::Checkpoint>();
      checkpoint->node = model::NodeId(n);
      checkpoint->number = number;
      checkpoint->life = 1;
      checkpoint->state = system_.start.nodes[n];
      replies[n].checkpoint = std::move(checkpoint);
    }
    if (absent) replies[1].checkpoint = absl::DeadlineExceededError("slow");
    return replies;
  }
  std::vector<absl::StatusOr<snapshot::NodeInfo>> Infos(Timeout) override {
    return {snapshot::NodeInfo{.node_count = 2}, snapshot::NodeInfo{.node_count = 2}};
  }
  std::vector<absl::StatusOr<snapshot::NodeCounters>> Counters(Timeout) override {
    return {counters, absl::DeadlineExceededError("slow")};
  }
  std::vector<absl::Status> SetFilters(const std::vector<std::vector<Filter>>& filters,
                                       Timeout) override {
    const std::lock_guard lock(mutex_);
    filters_ = filters.at(0).size() + filters.at(1).size();
    ++calls_;
    return answers;
  }
  std::vector<absl::Status> SetSafetyCut(const snapshot::SafetyCut&, Timeout) override {
    return cut_answers;
  }
  size_t filters() const {
    const std::lock_guard lock(mutex_);
    return filters_;
  }
  int calls() const {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

  std::vector<Adopted> Adopt(const std::vector<std::string>& lives, Timeout) override {
    adopted = lives;
    return left;
  }
  void Introduce(const std::map<std::string, snapshot::Mode>& modes) override { told = modes; }
  void StartRound() override { ++rounds; }

  std::vector<Adopted> left;  // By an earlier life of the agent, by node.
  std::vector<std::string> adopted;
  std::map<std::string, snapshot::Mode> told;

  int rounds = 0;
  bool absent = false;
  snapshot::NodeCounters counters;  // Of node 0; the other one does not say.
  std::vector<absl::Status> answers{absl::OkStatus(), absl::OkStatus()};
  std::vector<absl::Status> cut_answers{absl::OkStatus(), absl::OkStatus()};

 private:
  const model::System& system_;
  mutable std::mutex mutex_;
  size_t filters_ = 0;
  int calls_ = 0;
};

// A terminal that takes nothing until it is let go.
class StuckBuffer : public std::streambuf {
 public:
  ~StuckBuffer() override { Free(); }
  std::future<void> stuck() { return stuck_.get_future(); }
  void Free() {
    if (!freed_.exchange(true)) free_.set_value();
  }

 protected:
  int overflow(int c) override {
    if (!told_.exchange(true)) stuck_.set_value();
    wait_.wait();
    return c;
  }

 private:
  std::promise<void> stuck_;
  std::promise<void> free_;
  std::shared_future<void> wait_ = free_.get_future().share();
  std::atomic<bool> told_ = false;
  std::atomic<bool> freed_ = false;
};

class EnforcerTest : public testing::Test {
 protected:
  EnforcerTest() {
    config_.mode = snapshot::Mode::kEnforce;
    config_.nodes.resize(2);
    TelemetryOptions options;
    options.environment = [](const std::string& name) -> std::optional<std::string> {
      if (name == "OTEL_SDK_DISABLED") return "true";
      return std::nullopt;
    };
    options.log = [](const std::string&) {};
    telemetry_ = *Telemetry::Start(std::move(options));
    snapshot_.snapshot.number = 1;
    snapshot_.snapshot.cut = system_.start;
  }

  Enforcer Make(AgentLog& agent_log) {
    return Enforcer({*system_.service, config_, client_, *telemetry_, agent_log, nullptr,
                     [this] { return now_; }, "x-", "me"});
  }
  Alert Asked() const {
    Alert alert;
    alert.space = &space_;
    alert.mode = snapshot::Mode::kEnforce;
    alert.predicted.violation.invariant = "few";
    Filter filter;
    filter.kind = snapshot::FilterKind::kRefuse;
    filter.event = {model::EventKind::kAction, model::NodeId(0),
                    system_.service->Actions(model::NodeId(0), system_.start.nodes[0].body)[0]};
    alert.plan.filters = {filter};
    return alert;
  }

  const model::System system_ = MakeToy();
  const model::Imagined space_{system_.start, system_.start, "all goes on"};
  Config config_;
  FakeClient client_{system_};
  std::ostringstream exported_;  // Outlives telemetry_, which flushes it at its end.
  std::unique_ptr<Telemetry> telemetry_;
  std::ostringstream log_;
  AgentLog agent_log_{log_, nullptr, [] { return UnixTime{}; }};
  GuardDesk guard_{{*system_.service, config_, agent_log_, nullptr, ""}};  // Guards nothing.
  Bell bell_;
  std::chrono::steady_clock::time_point now_{1000s};
  snapshot::RecordedSnapshot snapshot_;
};

TEST_F(EnforcerTest, TheKillSwitchDoesNotWaitForTheBooks) {
  StuckBuffer buffer;
  std::ostream terminal(&buffer);
  AgentLog agent_log(terminal, nullptr, [] { return UnixTime{}; });
  Enforcer enforcer = Make(agent_log);
  auto stuck = buffer.stuck();
  auto steering =
      std::async(std::launch::async, [&] { enforcer.Steer(snapshot_, {Asked()}, true); });
  stuck.wait();
  auto killing = std::async(std::launch::async, [&] { enforcer.Kill("by file"); });
  // The nodes are told although nobody can write a line.
  while (client_.calls() == 0 && killing.wait_for(0s) != std::future_status::ready) {
    ASSERT_NE(steering.wait_for(0s), std::future_status::ready);
    std::this_thread::yield();
  }
  EXPECT_EQ(enforcer.killed(), "by file");
  buffer.Free();
  steering.wait();
  killing.wait();
  EXPECT_EQ(client_.calls(), 1) << "what was decided before the kill went out after it";
  EXPECT_EQ(client_.filters(), 0u);
}

TEST_F(EnforcerTest, ANodeThatMissedTheKillIsToldLater) {
  Enforcer enforcer = Make(agent_log_);
  enforcer.Steer(snapshot_, {Asked()}, true);
  EXPECT_EQ(client_.filters(), 1u);
  client_.answers[1] = absl::UnavailableError("partition");
  enforcer.Kill("by file");
  EXPECT_EQ(client_.calls(), 2);
  client_.answers[1] = absl::OkStatus();
  enforcer.HandOutCut(snapshot_);
  EXPECT_EQ(client_.calls(), 3);
  enforcer.HandOutCut(snapshot_);
  EXPECT_EQ(client_.calls(), 3) << "nothing is owed any more";
}

TEST_F(EnforcerTest, TooManyNewVetoesAreOnlyShadowed) {
  config_.rate_max = 1;
  Enforcer enforcer = Make(agent_log_);
  enforcer.Steer(snapshot_, {Asked()}, true);
  EXPECT_EQ(enforcer.fallen_back(), "");
  Alert other = Asked();
  other.plan.filters[0].event.body =
      system_.service->Actions(model::NodeId(0), system_.start.nodes[0].body)[1];
  const auto decisions = enforcer.Steer(snapshot_, {Asked(), other}, true);
  EXPECT_THAT(enforcer.fallen_back(),
              HasSubstr("2 new ones within a minute, and veto.rate_max is 1"));
  EXPECT_THAT(decisions, testing::Each(testing::Not("")));
  ASSERT_EQ(enforcer.vetoes().size(), 2u);
  for (const auto& veto : enforcer.vetoes()) EXPECT_EQ(veto.filter.mode, snapshot::Mode::kShadow);
  EXPECT_EQ(client_.told.at("few"), snapshot::Mode::kShadow) << "others are to know";
  EXPECT_THAT(log_.str(), HasSubstr("FALLEN BACK"));
  now_ += 61s;
  enforcer.Steer(snapshot_, {Asked()}, true);
  EXPECT_EQ(enforcer.fallen_back(), "");
  ASSERT_EQ(enforcer.vetoes().size(), 1u);
  EXPECT_EQ(enforcer.vetoes()[0].filter.mode, snapshot::Mode::kEnforce);
}

TEST_F(EnforcerTest, WhatAnEarlierLifeLeftIsTakenOverIfItMayBe) {
  Filter left = Asked().plan.filters[0];
  left.decision = "w-1-1";
  left.invariant = "few";
  left.lease = 3s;
  client_.counters.agents = {
      {.agent = {.name = "me", .life = "w-"}, .connected = false, .filters = 1, .lease = 3s}};
  for (const bool may : {true, false}) {
    config_.mode = may ? snapshot::Mode::kEnforce : snapshot::Mode::kShadow;
    client_.left = {std::vector<Filter>{left}, std::vector<Filter>{}};
    Enforcer enforcer = Make(agent_log_);
    enforcer.Meet(client_.Counters(1s));
    EXPECT_EQ(client_.adopted, (std::vector<std::string>{"w-", ""}));
    EXPECT_EQ(enforcer.vetoes().size(), may ? 1u : 0u);
    EXPECT_EQ(client_.filters(), may ? 1u : 0u) << "what is not kept ends";
  }
  EXPECT_THAT(log_.str(), HasSubstr("an earlier life of this agent has left 1 veto in force"));
  EXPECT_THAT(log_.str(), HasSubstr("veto taken over (enforce) w-1-1"));
}

TEST_F(EnforcerTest, InForceIsWhatANodeHasTaken) {
  Enforcer enforcer = Make(agent_log_);
  const auto in_force = [&] {
    return std::pair(enforcer.in_force(model::NodeId(0)), enforcer.in_force(model::NodeId(1)));
  };
  const auto round = [&](const std::vector<Alert>& alerts) {
    now_ += 1s;
    enforcer.HandOutCut(snapshot_);
    EXPECT_EQ(in_force(), std::pair(false, false)) << "nothing is decided yet";
    enforcer.Steer(snapshot_, alerts, true);
    return in_force();
  };
  EXPECT_EQ(round({}), std::pair(true, true));
  EXPECT_EQ(round({Asked()}), std::pair(true, true));
  client_.answers[1] = absl::DeadlineExceededError("slow");
  EXPECT_EQ(round({Asked()}), std::pair(true, false));
  client_.answers[1] = absl::OkStatus();
  client_.cut_answers[0] = absl::DeadlineExceededError("slow");
  EXPECT_EQ(round({Asked()}), std::pair(false, true));
  client_.cut_answers[0] = absl::OkStatus();
  EXPECT_EQ(round({Asked()}), std::pair(true, true));
  enforcer.Kill("by file");
  EXPECT_EQ(in_force(), std::pair(false, false));
}

TEST_F(EnforcerTest, WhoOnlyObservesHasNothingToPutInForce) {
  config_.mode = snapshot::Mode::kObserve;
  Enforcer enforcer = Make(agent_log_);
  enforcer.HandOutCut(snapshot_);
  enforcer.Steer(snapshot_, {}, true);
  EXPECT_TRUE(enforcer.in_force(model::NodeId(0)));
}

TEST_F(EnforcerTest, ALeaseThatIsOverIsInNobodysBooks) {
  Enforcer enforcer = Make(agent_log_);
  enforcer.Steer(snapshot_, {Asked()}, true);
  now_ += config_.lease;
  enforcer.Expire();
  EXPECT_TRUE(enforcer.vetoes().empty());
  EXPECT_THAT(log_.str(), HasSubstr("veto expired"));
}

std::vector<std::string> ActionsIn(const std::string& path) {
  std::vector<std::string> actions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    actions.push_back(nlohmann::json::parse(line)["action"]);
  }
  return actions;
}

TEST_F(EnforcerTest, WhatNothingCanBeDoneAboutIsAuditedOnce) {
  std::string path = testing::TempDir() + "auditXXXXXX";
  ASSERT_GE(mkstemp(path.data()), 0);
  auto audit = AuditLog::Open({.path = path}, "", [] { return UnixTime{}; });
  ASSERT_TRUE(audit.ok()) << audit.status();
  Enforcer enforcer({*system_.service, config_, client_, *telemetry_, agent_log_, audit->get(),
                     [this] { return now_; }, "x-"});
  Alert hopeless = Asked();
  hopeless.predicted.violation.path = {{model::NodeId(0), hopeless.plan.filters[0].event, {}}};
  hopeless.plan = {.text = "whatever is stopped, it happens"};
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(enforcer.Steer(snapshot_, {hopeless}, true), testing::ElementsAre(""));
  }
  EXPECT_THAT(ActionsIn(path), testing::ElementsAre("no plan"));
  const auto decisions = enforcer.Steer(snapshot_, {hopeless, Asked()}, true);
  EXPECT_THAT(decisions, testing::ElementsAre("", "x-1-1"));
  EXPECT_THAT(enforcer.Steer(snapshot_, {Asked()}, true), testing::ElementsAre("x-1-1"));
  EXPECT_THAT(ActionsIn(path), testing::ElementsAre("no plan", "applied"));
  EXPECT_THAT(enforcer.Steer(snapshot_, {hopeless}, true), testing::ElementsAre(""));
  EXPECT_THAT(ActionsIn(path), testing::ElementsAre("no plan", "applied", "no plan", "removed"));
  unlink(path.c_str());
}

TEST_F(EnforcerTest, BundlesOfAllRunsAreKeptApartAndCounted) {
  std::string folder = testing::TempDir() + "bundlesXXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  config_.bundles = folder;
  config_.bundles_max = 3;
  config_.plugins = {"libmine.so"};
  Alert alert = Asked();
  alert.decision = "x-1-1";
  alert.predicted.violation.path = {{model::NodeId(0), alert.plan.filters[0].event, {}}};
  Alert other = alert;
  const model::Imagined elsewhere{system_.start, system_.start, "something else happens"};
  other.space = &elsewhere;
  // The same cut again: a clock that was set back, or numbers that began anew, look like that.
  for (int run = 0; run < 3; ++run) {
    const bool judge = run == 2;
    EXPECT_THAT(log_.str(), testing::Not(HasSubstr("second opinion")));
    Reporter reporter(
        *system_.service, config_, *telemetry_, agent_log_, [] { return UnixTime{}; }, judge);
    reporter.Report(snapshot_, {alert, other}, {});
  }
  EXPECT_THAT(log_.str(), HasSubstr("second opinion: cannot be expressed"));
  EXPECT_THAT(log_.str(), HasSubstr("no more bundles"));
  std::set<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    names.insert(file.path().filename());
    const auto bundle = snapshot::ReadBundle(file.path());
    ASSERT_TRUE(bundle.ok()) << bundle.status();
    EXPECT_EQ(bundle->decision, "x-1-1");
    EXPECT_EQ(bundle->command, "foretell replay " + file.path().string() + " --plugin libmine.so");
  }
  EXPECT_THAT(names,
              testing::ElementsAre("few-0-1-2.bundle", "few-0-1-3.bundle", "few-0-1.bundle"));
  std::filesystem::remove_all(folder);
}

// Never finds anything, anywhere.
class FakePortfolio : public predictors::Portfolio {
 public:
  absl::StatusOr<predictors::Prediction> Predict(const model::SystemCut&,
                                                 const model::Budget& budget) override {
    steps_max = budget.limits().steps_max;
    return predictors::Prediction{};
  }
  uint64_t steps_max = 0;  // Of the last budget.
};

TEST_F(EnforcerTest, APredictionIsExportedWithTheDecisionItLedTo) {
  TelemetryOptions options;
  options.environment = [](const std::string& name) -> std::optional<std::string> {
    if (name == "OTEL_LOGS_EXPORTER") return "console";
    return std::nullopt;
  };
  options.log = [](const std::string&) {};
  options.console = &exported_;
  telemetry_.reset();  // There is one at a time.
  telemetry_ = *Telemetry::Start(std::move(options));
  Enforcer enforcer = Make(agent_log_);
  const auto portfolio = predictors::Portfolio::Make(*system_.service, {.threads = 1});
  ASSERT_TRUE(portfolio.ok()) << portfolio.status();
  const snapshot::Origin origin;
  predictors::LifeWatch lives(*system_.service, {});
  Sidecar sidecar({*system_.service, origin, config_, client_, **portfolio, lives, enforcer, guard_,
                   bell_, *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  sidecar.RunRound();
  ASSERT_EQ(enforcer.vetoes().size(), 1u) << log_.str();
  const std::string decision = enforcer.vetoes()[0].filter.decision;
  const std::string records = exported_.str();
  const size_t predicted = records.find("event.name: foretell.violation.predicted");
  ASSERT_NE(predicted, std::string::npos) << records;
  // Each record is in braces, its attributes in any order; the veto has a record of its own.
  const size_t begin = records.rfind('{', predicted);
  const std::string record = records.substr(begin, records.find('}', predicted) - begin);
  EXPECT_THAT(record, HasSubstr("foretell.decision.id: " + decision));
}

class CountingDriver final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  std::vector<model::Imagined> Imagine(const model::SystemCut& live) const override {
    ++calls;
    return model::ForwardingService::Imagine(live);
  }
  mutable std::atomic<int> calls = 0;
};

TEST_F(EnforcerTest, ARoundImaginesOnce) {
  const CountingDriver service(*system_.service);
  std::string folder = testing::TempDir() + "onceXXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  config_.bundles = folder;
  Enforcer enforcer = Make(agent_log_);
  const auto portfolio = predictors::Portfolio::Make(service, {.threads = 1});
  ASSERT_TRUE(portfolio.ok()) << portfolio.status();
  const snapshot::Origin origin;
  predictors::LifeWatch lives(service, {});
  Sidecar sidecar({service, origin, config_, client_, **portfolio, lives, enforcer, guard_, bell_,
                   *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  sidecar.RunRound();
  EXPECT_EQ(enforcer.vetoes().size(), 1u) << log_.str();
  EXPECT_THAT(log_.str(), HasSubstr("see it: foretell replay "));
  EXPECT_EQ(service.calls, 1) << "predicting, planning and reporting share what was imagined";
  std::filesystem::remove_all(folder);
}

// A plug-in with a bug that shows on live states only.
class ThrowingService final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  std::vector<std::string> Actions(model::NodeId node, const std::string& state) const override {
    if (throws) throw std::runtime_error("no actions today");
    return model::ForwardingService::Actions(node, state);
  }
  std::atomic<bool> throws = true;
};

size_t Count(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(EnforcerTest, AnEngineThatFailsIsToldAndTheAgentGoesOn) {
  ThrowingService service(*system_.service);
  std::ostringstream events;
  AgentLog agent_log(log_, &events, [] { return UnixTime{}; });
  Enforcer enforcer = Make(agent_log);
  const auto portfolio =
      predictors::Portfolio::Make(service, {.engines = {"por", "lmc"}, .threads = 1});
  ASSERT_TRUE(portfolio.ok()) << portfolio.status();
  const snapshot::Origin origin;
  predictors::LifeWatch lives(service, {});
  Sidecar sidecar({service, origin, config_, client_, **portfolio, lives, enforcer, guard_, bell_,
                   *telemetry_, agent_log, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  sidecar.RunRound();
  sidecar.RunRound();
  EXPECT_EQ(sidecar.rounds(), 2u);
  const StatusPage page = sidecar.status();
  ASSERT_EQ(page.engines.size(), 2u);
  EXPECT_EQ(page.engines[0].outcome, std::nullopt);
  EXPECT_THAT(StatusHtml(page, 0), HasSubstr(">failed<"));
  EXPECT_THAT(page.engines[0].faults, HasSubstr("no actions today"));
  EXPECT_THAT(StatusHtml(page, 0), HasSubstr("no actions today"));
  EXPECT_EQ(Count(log_.str(), "engine por failed: "), 1u) << log_.str();
  EXPECT_EQ(Count(log_.str(), "engine lmc failed: "), 1u) << log_.str();
  EXPECT_THAT(telemetry_->registry().Text(),
              HasSubstr("foretell_engine_failures_total{foretell_engine=\"por\"} 2"));
  const auto event = nlohmann::json::parse(events.str().substr(0, events.str().find('\n')));
  ASSERT_EQ(event["faulty"].size(), 2u) << event;
  EXPECT_EQ(event["faulty"][0]["engine"], "por");
  EXPECT_THAT(event["faulty"][0]["faults"][0].get<std::string>(), HasSubstr("no actions today"));
  service.throws = false;
  sidecar.RunRound();
  EXPECT_EQ(Count(log_.str(), "engine por works again"), 1u) << log_.str();
  EXPECT_EQ(sidecar.status().engines.at(0).faults, "");
}

// A driver that sees two tokens which the cut does not have.
class LyingDriver final : public model::ForwardingService {
 public:
  using model::ForwardingService::ForwardingService;
  std::vector<model::Imagined> Imagine(const model::SystemCut& live) const override {
    model::SystemCut cut = live;
    for (model::NodeState& node : cut.nodes) node.body = InitialState(model::NodeId(1));
    model::SystemCut focus = cut;
    const std::string token = model::Encode(predictors::testing::Token{});
    focus.in_flight.assign(2, {model::NodeId(0), model::NodeId(1), token});
    return {{cut, focus, "two tokens"}};
  }
};

TEST_F(EnforcerTest, AClaimThatTheCutDoesNotConfirmIsSeenButNoViolation) {
  const LyingDriver service(*system_.service);
  Enforcer enforcer = Make(agent_log_);
  const auto portfolio = predictors::Portfolio::Make(service, {.engines = {"por"}, .threads = 1});
  ASSERT_TRUE(portfolio.ok()) << portfolio.status();
  const snapshot::Origin origin;
  predictors::LifeWatch lives(service, {});
  Sidecar sidecar({service, origin, config_, client_, **portfolio, lives, enforcer, guard_, bell_,
                   *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  sidecar.RunRound();
  sidecar.RunRound();
  EXPECT_THAT(log_.str(), testing::Not(HasSubstr("PREDICTED")));
  EXPECT_EQ(Count(log_.str(), "engine por claimed what the cut does not confirm: few: "), 1u)
      << log_.str();
  EXPECT_THAT(StatusHtml(sidecar.status(), 0), HasSubstr("what the cut does not confirm: few: "));
  EXPECT_THAT(telemetry_->registry().Text(),
              HasSubstr("foretell_claims_rejected_total{foretell_engine=\"por\"} 2"));
}

TEST(EngineFaultsTest, ErrorsThatAreNeverTheSameAreToldAFewTimes) {
  std::ostringstream log;
  AgentLog agent_log(log, nullptr, [] { return UnixTime{}; });
  EngineFaults faults(agent_log);
  for (int i = 0; i < 100; ++i) {
    faults.Log({{.engine = "por", .outcome = std::nullopt, .error = "at " + std::to_string(i)}});
  }
  EXPECT_EQ(Count(log.str(), "engine por failed: "), EngineFaults::kFaultsMax);
}

TEST_F(EnforcerTest, ASearchHasTheStepsOfTheConfiguration) {
  Enforcer enforcer = Make(agent_log_);
  FakePortfolio portfolio;
  const snapshot::Origin origin;
  predictors::LifeWatch lives(*system_.service, {});
  Sidecar sidecar({*system_.service, origin, config_, client_, portfolio, lives, enforcer, guard_,
                   bell_, *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  sidecar.RunRound();
  EXPECT_EQ(portfolio.steps_max, UINT64_MAX);
  config_.steps_max = 5000;
  sidecar.RunRound();
  EXPECT_EQ(portfolio.steps_max, 5000u);
}

TEST_F(EnforcerTest, ARoundWithoutANodeDoesNotEndVetoes) {
  Enforcer enforcer = Make(agent_log_);
  FakePortfolio portfolio;
  const snapshot::Origin origin;
  predictors::LifeWatch lives(*system_.service, {});
  Sidecar sidecar({*system_.service, origin, config_, client_, portfolio, lives, enforcer, guard_,
                   bell_, *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  enforcer.Steer(snapshot_, {Asked()}, true);
  client_.absent = true;
  sidecar.RunRound();
  EXPECT_EQ(enforcer.vetoes().size(), 1u) << log_.str();
  client_.absent = false;
  sidecar.RunRound();
  EXPECT_TRUE(enforcer.vetoes().empty()) << log_.str();
  EXPECT_EQ(client_.rounds, 2) << "silent nodes are waited for once a round";
}

TEST_F(EnforcerTest, ThePageSaysHowOftenAVetoWasHit) {
  Enforcer enforcer = Make(agent_log_);
  FakePortfolio portfolio;
  const snapshot::Origin origin;
  predictors::LifeWatch lives(*system_.service, {});
  Sidecar sidecar({*system_.service, origin, config_, client_, portfolio, lives, enforcer, guard_,
                   bell_, *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  enforcer.Steer(snapshot_, {Asked()}, true);
  client_.absent = true;  // So that the round does not end the veto.
  client_.counters.hits = {{"somebody else's", snapshot::Mode::kEnforce, 7}};
  sidecar.RunRound();
  ASSERT_EQ(sidecar.status().vetoes.size(), 1u) << log_.str();
  EXPECT_EQ(sidecar.status().vetoes[0].hits, std::nullopt);
  client_.counters.hits = {{"x-1-1", snapshot::Mode::kEnforce, 3}};
  now_ += 1s;
  sidecar.RunRound();
  ASSERT_EQ(sidecar.status().vetoes.size(), 1u) << log_.str();
  EXPECT_EQ(sidecar.status().vetoes[0].hits, 3u);
  EXPECT_THAT(StatusHtml(sidecar.status(), 0), HasSubstr("<td class=\"number\">3</td>"));
}

TEST_F(EnforcerTest, ThePageOfASidecarHasWhatTheMetricsHave) {
  Enforcer enforcer = Make(agent_log_);
  FakePortfolio portfolio;
  const snapshot::Origin origin;
  predictors::LifeWatch lives(*system_.service, {});
  Sidecar sidecar({*system_.service, origin, config_, client_, portfolio, lives, enforcer, guard_,
                   bell_, *telemetry_, agent_log_, nullptr, [this] { return now_; },
                   [] { return UnixTime{}; }});
  now_ += 1s;
  sidecar.RunRound();
  EXPECT_EQ(sidecar.status().nodes.at(0).overhead, std::nullopt) << "one reading is no difference";
  now_ += 1s;
  client_.counters.checkpoint_nanos = 250'000'000;
  sidecar.RunRound();
  const StatusPage page = sidecar.status();
  EXPECT_EQ(page.nodes.at(0).overhead, 0.25);
  EXPECT_EQ(page.nodes.at(1).overhead, std::nullopt);
  EXPECT_EQ(page.last_round->snapshot_bytes, 0u) << "there was a snapshot, with nothing new";
}

}  // namespace
}  // namespace foretell::agent
