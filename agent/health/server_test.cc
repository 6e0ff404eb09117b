#include "foretell/agent/health/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <atomic>
#include <thread>

#include "foretell/agent/health/bounded_tasks.h"
#include "foretell/agent/telemetry/signals/registry.h"
#include "foretell/agent/testing/prometheus_parser.h"

namespace foretell::agent {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class HealthTest : public testing::Test {
 protected:
  void Start() {
    auto server =
        HealthServer::Start({.live = {{"loop", [] { return absl::OkStatus(); }}},
                             .ready = {{"collector", [] { return absl::OkStatus(); }},
                                       {"archive",
                                        [this] {
                                          return archive_works_
                                                     ? absl::OkStatus()
                                                     : absl::UnavailableError("disk full");
                                        }}},
                             .metrics = [this] { return registry_.Text(); }});
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    client_ = std::make_unique<httplib::Client>("127.0.0.1", server_->port());
    client_->set_read_timeout(60);
  }

  std::atomic<bool> archive_works_{true};
  Registry registry_;
  std::unique_ptr<HealthServer> server_;
  std::unique_ptr<httplib::Client> client_;
};

TEST_F(HealthTest, ChecksAnswerInTheMannerOfKubernetes) {
  Start();
  auto answer = client_->Get("/livez");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "ok");
  answer = client_->Get("/readyz?verbose");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "[+]collector ok\n[+]archive ok\nreadyz check passed\n");
}

TEST_F(HealthTest, ReadinessSaysWhatTheLastRoundRestsOn) {
  Start();
  StatusPage page{.service = "paxos"};
  page.findings = {{"cut", false, "Not exact: node 2 is absent."}, {"search", true, "All."}};
  server_->SetStatus(page);
  EXPECT_EQ(client_->Get("/readyz")->body, "ok") << "a cut that is not exact is no failure";
  EXPECT_EQ(client_->Get("/readyz?verbose")->body,
            "[+]collector ok\n[+]archive ok\n[!]cut Not exact: node 2 is absent.\n[ ]search All.\n"
            "readyz check passed\n");
  EXPECT_EQ(client_->Get("/livez?verbose")->body, "[+]loop ok\nlivez check passed\n");
  const auto status = client_->Get("/status");
  EXPECT_EQ(status->get_header_value("Content-Type"), "application/json");
  EXPECT_THAT(status->body, HasSubstr("\"service\": \"paxos\""));
}

TEST_F(HealthTest, AFailingCheckIsNamedWithItsReason) {
  archive_works_ = false;
  Start();
  const auto answer = client_->Get("/readyz");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->body, "[+]collector ok\n[-]archive failed: disk full\nreadyz check failed\n");
  EXPECT_EQ(client_->Get("/livez")->status, 200) << "not ready is not dead";
  archive_works_ = true;
  EXPECT_EQ(client_->Get("/readyz")->status, 200);
}

TEST_F(HealthTest, MetricsAreThoseOfTheRegistry) {
  registry_.Add(metrics::kRounds, {{"foretell.outcome", "ok"}}, 4);
  Start();
  const auto answer = client_->Get("/metrics");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  const auto families = PrometheusParser::Parse(answer->body);
  EXPECT_EQ(families.at("foretell_rounds_total").samples.begin()->second, 4);
}

TEST_F(HealthTest, ThePageShowsTheStatusAsText) {
  Start();
  StatusPage page{.service = "paxos <script>alert(1)</script>", .version = "1&2", .rounds = 12};
  page.last_round = StatusPage::Round{.number = 12};
  page.invariants = {{.name = "\"agreement\"", .mode = snapshot::Mode::kEnforce, .predictions = 3}};
  page.nodes = {{.id = 0, .address = "unix:/run/n0", .status = "it's gone"}};
  page.vetoes = {{.decision = "d<1>", .kind = snapshot::FilterKind::kDrop, .event = "Accept"}};
  page.predictions = {{.invariant = "agreement", .command = "foretell replay b.bundle"}};
  page.killed = "file /run/foretell/kill";
  server_->SetStatus(page);
  const auto answer = client_->Get("/");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "text/html; charset=utf-8");
  EXPECT_THAT(answer->get_header_value("Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_THAT(answer->body, AllOf(HasSubstr("paxos &lt;script&gt;"), HasSubstr("1&amp;2"),
                                  HasSubstr("&quot;agreement&quot;"), HasSubstr("it&#39;s gone"),
                                  HasSubstr("d&lt;1&gt;"), HasSubstr("foretell replay b.bundle"),
                                  HasSubstr("The kill switch is on: file /run/foretell/kill"),
                                  HasSubstr("http-equiv=\"refresh\" content=\"5\""),
                                  HasSubstr("lang=\"en\""), Not(HasSubstr("<script"))));
  EXPECT_THAT(client_->Get("/?refresh=0")->body, Not(HasSubstr("http-equiv")));
}

TEST(StatusHtmlTest, ASnapshotWithNothingNewIsNotOneOfNoBytes) {
  StatusPage page;
  page.nodes = {{.id = 0, .up = true, .status = "ok", .overhead = 0.0123}};
  page.last_round = StatusPage::Round{.number = 1, .outcome = RoundOutcome::kNoSnapshot};
  EXPECT_THAT(StatusHtml(page, 0), AllOf(HasSubstr("Snapshot<b>none</b>"), HasSubstr("1.23 %")));
  page.last_round->snapshot_bytes = 0;
  EXPECT_THAT(StatusHtml(page, 0), HasSubstr("Snapshot<b>unchanged</b>"));
  page.last_round->snapshot_bytes = 120;
  EXPECT_THAT(StatusHtml(page, 0), HasSubstr("Snapshot<b>120 bytes</b>"));
}

TEST_F(HealthTest, AnythingElseIsRefused) {
  Start();
  EXPECT_EQ(client_->Get("/secrets")->status, 404);
  EXPECT_EQ(client_->Post("/livez", "x", "text/plain")->status, 404);
  const auto large = client_->Post("/livez", std::string(1 << 20, 'x'), "text/plain");
  // The answer may be lost as the server closes early; what counts is that it goes on.
  EXPECT_TRUE(!large || large->status >= 400);
  EXPECT_EQ(client_->Get("/livez")->status, 200);
}

TEST_F(HealthTest, ManyClientsAreServedByFewThreads) {
  Start();
  std::atomic<int> served{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 40; ++i) {
    clients.emplace_back([&] {
      httplib::Client client("127.0.0.1", server_->port());
      client.set_connection_timeout(60);
      client.set_read_timeout(60);
      const auto answer = client.Get("/readyz");
      if (answer && answer->status == 200) ++served;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(served, 40);
}

TEST_F(HealthTest, APortThatIsTakenIsNamed) {
  Start();
  const auto second = HealthServer::Start({.port = server_->port(), .metrics = [] { return ""; }});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(std::string(second.status().message()),
            "health: cannot listen on 127.0.0.1:" + std::to_string(server_->port()) +
                ": Address already in use");
}

TEST_F(HealthTest, AnAddressThatIsNotOursIsNamed) {
  const auto server = HealthServer::Start({.host = "192.0.2.1", .metrics = [] { return ""; }});
  ASSERT_FALSE(server.ok());
  EXPECT_THAT(std::string(server.status().message()), HasSubstr("192.0.2.1:0"));
}

TEST(BoundedTasksTest, RunsAllAndNeverQueuesMore) {
  std::atomic<int> done{0};
  BoundedTasks tasks(2, 1);
  for (int i = 0; i < 50; ++i) tasks.Enqueue([&] { ++done; });
  tasks.Shutdown();
  EXPECT_EQ(done, 50);
}

}  // namespace
}  // namespace foretell::agent
