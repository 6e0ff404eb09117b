#include "foretell/agent/sidecar/run_sidecar.h"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/version.h"
#include "foretell/agent/console/wall_time.h"
#include "foretell/agent/health/server.h"
#include "foretell/agent/health/service_manager.h"
#include "foretell/agent/health/status_text.h"
#include "foretell/agent/sidecar/report/audit_log.h"
#include "foretell/agent/sidecar/sidecar.h"
#include "foretell/agent/sidecar/steering/enforcer.h"
#include "foretell/agent/sidecar/steering/guard_desk.h"
#include "foretell/agent/sidecar/steering/kill_switch.h"
#include "foretell/agent/telemetry/telemetry.h"
#include "foretell/model/hash.h"
#include "foretell/snapshot/archive/archive.h"
#include "foretell/snapshot/rpc/agent_control.h"

namespace foretell::agent {
namespace {

// Two agents that were started in the same second are told apart by chance.
std::string DecisionPrefix(UnixTime now) {
  const auto started = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch());
  std::random_device chance;
  return absl::StrCat(started.count(), "-", absl::Hex(chance() & 0xffff, absl::kZeroPad4), "-");
}

// What is the same after a restart, and no other agent's.
std::string AgentName(const Config& config) {
  if (!config.agent_name.empty()) return config.agent_name;
  char host[256] = {};
  if (gethostname(host, sizeof(host) - 1) != 0) host[0] = 0;
  std::error_code ignored;
  const std::string file = std::filesystem::absolute(config.file, ignored).string();
  const std::string name = absl::StrCat(host, ":", file);
  if (name.size() <= snapshot::kAgentNameMax) return name;
  return absl::StrCat(absl::Hex(model::HashBytes(name), absl::kZeroPad16));
}

// Every part of a running agent, in the order in which they are made; they end in reverse. Parts
// that are not configured are null.
class Running {
 public:
  Running(const ResolvedConfig& resolved, const AgentIo& io) : resolved_(resolved), io_(io) {}

  absl::Status Start() {
    for (const auto step :
         {&Running::StartTelemetry, &Running::OpenFiles, &Running::Connect, &Running::StartSidecar,
          &Running::StartSwitches, &Running::StartHealth}) {
      if (absl::Status status = (this->*step)(); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  void Run() {
    TellManager(notify_.Ready("watching"));
    io_.log.Log(absl::StrCat("watching ", resolved_.config.nodes.size(), " nodes of ",
                             resolved_.config.service, "; telemetry: ", telemetry_->Describe()));
    sidecar_->Run([this] {
      PublishStatus();
      return io_.stop() || sidecar_->rounds() >= io_.rounds_max;
    });
    const bool goes_on = io_.goes_on && io_.goes_on();
    if (!goes_on) TellManager(notify_.Stopping());
    enforcer_->Stop();
    io_.log.Log(absl::StrCat(goes_on ? "configured anew" : "stopped", " after ", sidecar_->rounds(),
                             " rounds"));
  }

 private:
  absl::Status StartTelemetry() {
    TelemetryOptions options{.version = kVersion,
                             .watched = {{"foretell.watched.service", resolved_.origin.service},
                                         {"foretell.watched.scenario", resolved_.origin.scenario},
                                         {"foretell.watched.bug", resolved_.origin.bug},
                                         {"foretell.watched.cluster", resolved_.config.cluster},
                                         {"foretell.watched.version", resolved_.origin.version}},
                             .environment = ProcessEnvironment};
    options.log = [this](const std::string& line) { io_.log.Log("telemetry: " + line); };
    auto telemetry = Telemetry::Start(std::move(options));
    if (telemetry.ok()) telemetry_ = *std::move(telemetry);
    return telemetry.status();
  }

  absl::Status OpenFiles() {
    const Config& config = resolved_.config;
    if (!config.archive.empty()) {
      auto archive = snapshot::ArchiveWriter::Open(
          config.archive,
          {.file_bytes_max = config.archive_size_max, .files_max = config.archive_files_max});
      if (!archive.ok()) return archive.status();
      archive_ = *std::move(archive);
      for (const snapshot::Loss& loss : archive_->recovered()) {
        io_.log.Log(absl::StrCat("archive ", config.archive, ": ", loss.bytes, " bytes at offset ",
                                 loss.offset, loss.tail ? " cut off: " : " skipped: ", loss.why));
      }
    }
    if (config.audit.empty()) return absl::OkStatus();
    auto audit = AuditLog::Open({config.audit, config.audit_size_max, config.audit_files_max},
                                config.hash, WallNow);
    if (audit.ok()) audit_ = *std::move(audit);
    return audit.status();
  }

  absl::Status Connect() {
    guard_ = std::make_unique<GuardDesk>(GuardDesk::Parts{
        *resolved_.system.service, resolved_.config, io_.log, audit_.get(), prefix_});
    snapshot::RpcClient::Options options{.tls = resolved_.config.tls,
                                         .agent = absl::StrCat("foretell ", kVersion),
                                         .identity = {.name = name_, .life = prefix_}};
    for (uint32_t n = 0; n < resolved_.config.nodes.size(); ++n) {
      options.nodes.push_back({model::NodeId(n), resolved_.config.nodes[n].address});
    }
    options.interesting = [this](model::NodeId) { bell_.Ring(); };
    options.guardian = guard_.get();
    auto client = snapshot::RpcClient::Start(std::move(options));
    if (client.ok()) client_ = *std::move(client);
    return client.status();
  }

  absl::Status StartSidecar() {
    predictors::PortfolioOptions options{.engines = resolved_.config.engines,
                                         .threads = resolved_.config.threads,
                                         .components = resolved_.system.components};
    for (const auto& invariant : resolved_.system.service->invariants()) {
      if (resolved_.config.ModeOf(invariant.name) == snapshot::Mode::kOff) {
        options.ignored.push_back(invariant.name);
      }
    }
    lives_ = std::make_unique<predictors::LifeWatch>(*resolved_.system.service, options.ignored);
    auto portfolio = predictors::Portfolio::Make(*resolved_.system.service, std::move(options));
    if (!portfolio.ok()) return portfolio.status();
    portfolio_ = *std::move(portfolio);
    enforcer_ = std::make_unique<Enforcer>(
        Enforcer::Parts{*resolved_.system.service, resolved_.config, *client_, *telemetry_, io_.log,
                        audit_.get(), io_.now, prefix_, name_});
    sidecar_ = std::make_unique<Sidecar>(
        SidecarParts{*resolved_.system.service, resolved_.origin, resolved_.config, *client_,
                     *portfolio_, *lives_, *enforcer_, *guard_, bell_, *telemetry_, io_.log,
                     archive_.get(), io_.now, WallNow, resolved_.has_judge});
    return absl::OkStatus();
  }

  absl::Status StartSwitches() {
    switch_ = std::make_unique<KillSwitch>(
        KillSwitch::Options{.file = resolved_.config.kill_file,
                            .signalled = io_.kill_signalled,
                            .changed = [this](const std::string& reason) { Kill(reason); }});
    if (io_.thrown != nullptr && !io_.thrown->empty()) switch_->Throw(*io_.thrown);
    Kill(switch_->reason());
    if (resolved_.config.control.empty()) return absl::OkStatus();
    handler_ = std::make_unique<Handler>(*switch_, *sidecar_, io_.thrown);
    auto control = snapshot::ControlServer::Start(resolved_.config.control, *handler_);
    if (control.ok()) control_ = *std::move(control);
    return control.status();
  }

  void Kill(const std::string& reason) {
    enforcer_->Kill(reason);
    client_->SetGuard(reason.empty() ? guard_->terms() : snapshot::GuardTerms{});
  }

  absl::Status StartHealth() {
    if (resolved_.config.health.empty()) return absl::OkStatus();
    const auto address = HealthAddress(resolved_.config.health);
    if (!address.ok()) return address.status();
    HealthOptions options{.host = address->host, .port = address->port};
    options.live = {{"rounds", [this] { return sidecar_->going(); }}};
    options.ready = {{"collector", [this] { return sidecar_->collecting(); }},
                     {"archive", [this] { return sidecar_->archiving(); }}};
    options.metrics = [this] { return telemetry_->registry().Text(); };
    auto health = HealthServer::Start(std::move(options));
    if (!health.ok()) return health.status();
    health_ = *std::move(health);
    io_.log.Log(
        absl::StrCat("health and metrics on http://", address->host, ":", health_->port(), "/"));
    return absl::OkStatus();
  }

  // What the outside sees, while rounds are on and between them.
  void PublishStatus() {
    const auto now = io_.now();
    if (notify_.watchdog_period() && now >= watchdog_due_) {
      watchdog_due_ = now + *notify_.watchdog_period();
      TellManager(notify_.Watchdog());
    }
    if (health_ == nullptr || sidecar_->rounds() == shown_) return;
    shown_ = sidecar_->rounds();
    health_->SetStatus(sidecar_->status());
  }

  // A service manager that does not listen is its own problem; rounds go on.
  void TellManager(const absl::Status& status) {
    if (!status.ok() && status.message() != manager_told_) {
      manager_told_ = std::string(status.message());
      io_.log.Log("service manager: " + manager_told_);
    }
  }

  // What comes over the control socket.
  struct Handler : snapshot::ControlHandler {
    Handler(KillSwitch& kill_switch, Sidecar& sidecar, std::string* thrown)
        : switch_(kill_switch), sidecar_(sidecar), thrown_(thrown) {}
    void Kill(std::string reason) override {
      if (reason.empty()) reason = "no reason was given";
      if (thrown_ != nullptr) *thrown_ = reason;
      switch_.Throw(reason);
    }
    void Revive() override {
      if (thrown_ != nullptr) thrown_->clear();
      switch_.Release();
    }
    snapshot::ControlStatus Status() override {
      const std::string reason = switch_.reason();
      const StatusPage page = sidecar_.status();
      return {.killed = !reason.empty(),
              .rounds = sidecar_.rounds(),
              .reason = reason,
              .text = StatusText(page),
              .json = StatusJson(page)};
    }
    KillSwitch& switch_;
    Sidecar& sidecar_;
    std::string* const thrown_;  // Touched by the server's thread while there is one.
  };

  const ResolvedConfig& resolved_;
  const AgentIo& io_;
  const ServiceManager notify_{ProcessEnvironment};
  std::string manager_told_;
  std::chrono::steady_clock::time_point watchdog_due_{};
  uint64_t shown_ = 0;
  // Of decisions: no other agent has it, and no other life of this one.
  const std::string prefix_ = DecisionPrefix(WallNow());
  const std::string name_ = AgentName(resolved_.config);
  std::unique_ptr<Telemetry> telemetry_;
  std::unique_ptr<snapshot::ArchiveWriter> archive_;
  std::unique_ptr<AuditLog> audit_;
  std::unique_ptr<predictors::Portfolio> portfolio_;
  std::unique_ptr<predictors::LifeWatch> lives_;
  std::unique_ptr<Enforcer> enforcer_;
  std::unique_ptr<GuardDesk> guard_;
  Bell bell_;  // The client's thread rings it.
  std::unique_ptr<Sidecar> sidecar_;
  std::unique_ptr<snapshot::RpcClient> client_;
  std::unique_ptr<KillSwitch> switch_;
  std::unique_ptr<Handler> handler_;
  std::unique_ptr<snapshot::ControlServer> control_;
  std::unique_ptr<HealthServer> health_;
};

}  // namespace

absl::Status RunSidecar(const ResolvedConfig& resolved, const AgentIo& io) {
  Running running(resolved, io);
  if (absl::Status status = running.Start(); !status.ok()) return status;
  running.Run();
  return absl::OkStatus();
}

}  // namespace foretell::agent
