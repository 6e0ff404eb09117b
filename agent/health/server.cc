#include "foretell/agent/health/server.h"

#include <httplib.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/agent/health/bounded_tasks.h"
#include "foretell/agent/health/status_text.h"
#include "foretell/agent/telemetry/signals/registry.h"
#include "foretell/model/check.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::agent {
namespace {

constexpr size_t kThreads = 4;
constexpr size_t kQueueMax = 16;
constexpr size_t kRequestBytesMax = 16 << 10;
constexpr time_t kSecondsMax = 2;  // For a client to say or to take something.
constexpr int kRefreshSeconds = 5;

class Tasks final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override { tasks_.Enqueue(std::move(task)); }
  void shutdown() override { tasks_.Shutdown(); }

 private:
  BoundedTasks tasks_{kThreads, kQueueMax};
};

// The library would also set SO_REUSEPORT, with which two agents can share a port without noticing.
void SetSocketOptions(socket_t socket) {
  const int yes = 1;
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

class HealthServerImpl final : public HealthServer {
 public:
  explicit HealthServerImpl(HealthOptions options) : options_(std::move(options)) {
    FORETELL_CHECK(options_.metrics != nullptr);
    server_.new_task_queue = [] { return new Tasks; };
    server_.set_socket_options(SetSocketOptions);
    server_.set_payload_max_length(kRequestBytesMax);
    server_.set_read_timeout(kSecondsMax);
    server_.set_write_timeout(kSecondsMax);
    server_.set_keep_alive_timeout(kSecondsMax);
    server_.set_keep_alive_max_count(1);  // An idle connection would keep a thread.
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"X-Content-Type-Options", "nosniff"},
                                 {"Content-Security-Policy",
                                  "default-src 'none'; style-src 'unsafe-inline'; "
                                  "frame-ancestors 'none'; base-uri 'none'"}});
    AddRoutes();
  }

  ~HealthServerImpl() override {
    server_.stop();
    if (thread_.joinable()) thread_.join();
  }

  absl::Status Listen() {
    errno = 0;
    port_ = options_.port == 0 ? server_.bind_to_any_port(options_.host)
            : server_.bind_to_port(options_.host, options_.port) ? options_.port
                                                                 : -1;
    if (port_ < 0) {
      const std::string reason = errno == 0 ? "not an address of this machine" : strerror(errno);
      return absl::UnavailableError(absl::StrCat("health: cannot listen on ", options_.host, ":",
                                                 options_.port, ": ", reason));
    }
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    // stop() has no effect before the loop runs.
    while (!server_.is_running()) std::this_thread::yield();
    return absl::OkStatus();
  }

  uint16_t port() const override { return static_cast<uint16_t>(port_); }

  void SetStatus(StatusPage page) override {
    const model::MutexLock lock(mutex_);
    page_ = std::move(page);
  }

 private:
  void AddRoutes() {
    server_.Get("/livez", [this](const httplib::Request& request, httplib::Response& response) {
      Answer("livez", options_.live, {}, request, response);
    });
    server_.Get("/readyz", [this](const httplib::Request& request, httplib::Response& response) {
      Answer("readyz", options_.ready, page().findings, request, response);
    });
    server_.Get("/metrics", [this](const httplib::Request&, httplib::Response& response) {
      response.set_content(options_.metrics(), kPrometheusType);
    });
    server_.Get("/status", [this](const httplib::Request&, httplib::Response& response) {
      response.set_content(StatusJson(page()), "application/json");
    });
    server_.Get("/", [this](const httplib::Request& request, httplib::Response& response) {
      const bool still = request.get_param_value("refresh") == "0";
      response.set_content(StatusHtml(page(), still ? 0 : kRefreshSeconds),
                           "text/html; charset=utf-8");
    });
  }

  StatusPage page() const ABSL_LOCKS_EXCLUDED(mutex_) {
    const model::MutexLock lock(mutex_);
    return page_;
  }

  // In the manner of Kubernetes: "ok", or the list of checks if asked for or if one fails.
  // What was found of the last round makes nothing fail: a round that predicts little is one.
  static void Answer(const std::string& name, const std::vector<HealthCheck>& checks,
                     const std::vector<StatusPage::Finding>& findings,
                     const httplib::Request& request, httplib::Response& response) {
    bool passed = true;
    std::string text;
    for (const HealthCheck& check : checks) {
      const absl::Status status = check.run();
      passed = passed && status.ok();
      text += status.ok() ? absl::StrCat("[+]", check.name, " ok\n")
                          : absl::StrCat("[-]", check.name,
                                         " failed: ", std::string(status.message()), "\n");
    }
    for (const StatusPage::Finding& finding : findings) {
      text += absl::StrCat(finding.good ? "[ ]" : "[!]", finding.name, " ", finding.text, "\n");
    }
    text += absl::StrCat(name, passed ? " check passed\n" : " check failed\n");
    const bool verbose = !passed || request.has_param("verbose");
    response.status = passed ? 200 : 503;
    response.set_content(verbose ? text : "ok", "text/plain; charset=utf-8");
  }

  const HealthOptions options_;
  mutable model::Mutex mutex_;
  StatusPage page_ ABSL_GUARDED_BY(mutex_);
  httplib::Server server_;
  int port_ = -1;
  std::thread thread_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<HealthServer>> HealthServer::Start(HealthOptions options) {
  for (const HealthCheck& check : options.live) FORETELL_CHECK(check.run != nullptr);
  for (const HealthCheck& check : options.ready) FORETELL_CHECK(check.run != nullptr);
  auto server = std::make_unique<HealthServerImpl>(std::move(options));
  const absl::Status status = server->Listen();
  if (!status.ok()) return status;
  return server;
}

}  // namespace foretell::agent
