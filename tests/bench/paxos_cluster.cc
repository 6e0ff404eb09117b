#include "foretell/tests/bench/paxos_cluster.h"

#include <pthread.h>
#include <time.h>

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/integration/paxos/messages.h"
#include "foretell/model/forwarding_service.h"
#include "foretell/model/typed/fields.h"

namespace foretell::bench {
namespace {

using Clock = std::chrono::steady_clock;
using integration::sdk::Host;
using integration::sdk::HostOptions;
using model::NodeId;

constexpr uint32_t kNodes = 3;
constexpr uint32_t kMajority = 2;

// A live node that tells the proposer what it has handled.
class WatchedNode final : public model::LiveNode {
 public:
  WatchedNode(std::unique_ptr<model::LiveNode> inner, Proposer& proposer)
      : inner_(std::move(inner)), proposer_(proposer) {}
  model::HandlerResult Handle(const model::Event& event, const model::Draw& draw) override {
    model::HandlerResult result = inner_->Handle(event, draw);
    proposer_.OnHandled(event);
    return result;
  }
  std::string Encode() const override { return inner_->Encode(); }
  std::string EncodeInto(std::string spare) const override {
    return inner_->EncodeInto(std::move(spare));
  }
  std::string Survivor() const override { return inner_->Survivor(); }
  std::vector<std::string> Actions() const override { return inner_->Actions(); }
  std::vector<std::string> Calls() const override { return inner_->Calls(); }
  std::optional<std::string> Project(size_t invariant) const override {
    return inner_->Project(invariant);
  }
  std::unique_ptr<model::LiveNode> Clone() const override {
    return std::make_unique<WatchedNode>(inner_->Clone(), proposer_);
  }

 private:
  std::unique_ptr<model::LiveNode> inner_;
  Proposer& proposer_;
};

class WatchedService final : public model::ForwardingService {
 public:
  WatchedService(const model::Service& inner, Proposer& proposer)
      : ForwardingService(inner), proposer_(proposer) {}
  std::unique_ptr<model::LiveNode> MakeLive(NodeId node, const std::string& state) const override {
    auto live = inner_.MakeLive(node, state);
    if (node != NodeId(0)) return live;
    return std::make_unique<WatchedNode>(std::move(live), proposer_);
  }

 private:
  Proposer& proposer_;
};

double SecondsOf(clockid_t clock) {
  timespec spent{};
  clock_gettime(clock, &spent);
  return static_cast<double>(spent.tv_sec) + static_cast<double>(spent.tv_nsec) * 1e-9;
}

// Runs `ask`, which is to call the function that it is given, and waits until it has.
template <class Ask>
void Await(Ask ask) {
  std::mutex mutex;
  std::condition_variable answered;
  bool done = false;
  ask([&] {
    const std::lock_guard lock(mutex);
    done = true;
    answered.notify_one();
  });
  std::unique_lock lock(mutex);
  answered.wait(lock, [&done] { return done; });
}

}  // namespace

void Proposer::Start(Host& host) {
  host_ = &host;
  stopped_ = false;
  while (under_way_ < outstanding_) Propose();
}

void Proposer::OnHandled(const model::Event& event) {
  if (event.kind != model::EventKind::kDeliver) return;
  const auto message = model::Decode<integration::paxos::Message>(event.body);
  const auto* learn = message ? std::get_if<integration::paxos::Learn>(&*message) : nullptr;
  if (learn == nullptr) return;
  Slot& slot = slots_[learn->index % kSlots];
  if (slot.index != learn->index || ++slot.learns != kMajority) return;
  decided_.fetch_add(1, std::memory_order_relaxed);
  --under_way_;
  while (!stopped_ && under_way_ < outstanding_) Propose();
}

void Proposer::Propose() {
  Slot& slot = slots_[next_ % kSlots];
  // Lost on the way, and by now forgotten.
  if (slot.index != UINT32_MAX && slot.learns < kMajority) --under_way_;
  slot = {.index = next_};
  ++under_way_;
  host_->Execute(absl::StrCat("call Propose(index=", next_, ")"), [](const std::string&) {});
  ++next_;
}

void Proposer::Kick() {
  if (std::exchange(decided_at_kick_, decided()) == decided() && !stopped_) Propose();
}

PaxosCluster::PaxosCluster(const model::System& system, uint32_t outstanding)
    : proposer_(std::make_unique<Proposer>(outstanding)),
      service_(std::make_unique<WatchedService>(*system.service, *proposer_)) {}

absl::StatusOr<std::unique_ptr<PaxosCluster>> PaxosCluster::Start(const model::System& system,
                                                                  bool checkpoints,
                                                                  uint32_t outstanding,
                                                                  const std::string& directory) {
  std::unique_ptr<PaxosCluster> cluster(new PaxosCluster(system, outstanding));
  for (uint32_t n = 0; n < kNodes; ++n) {
    HostOptions options;
    options.service = "paxos";
    options.node = NodeId(n);
    options.start = system.start.nodes[n].body;
    options.checkpoints = checkpoints;
    options.agent = snapshot::Address{.path = absl::StrCat(directory, "/", n, ".sock")};
    options.now = [] { return Clock::now(); };
    auto host = Host::Open(*cluster->service_, std::move(options));
    if (!host.ok()) return host.status();
    cluster->hosts_.push_back(*std::move(host));
  }
  cluster->Run();
  return cluster;
}

void PaxosCluster::Run() {
  std::vector<std::string> peers;
  for (const auto& host : hosts_) peers.push_back(host->listen_address());
  for (const auto& host : hosts_) {
    threads_.emplace_back([&host = *host] { static_cast<void>(host.Run()); });
    Await([&](auto done) {
      host->Execute("peers " + absl::StrJoin(peers, ","), [done](const std::string&) { done(); });
    });
  }
}

void PaxosCluster::Load() {
  Await([this](auto done) {
    hosts_[0]->Execute("calls", [this, done](const std::string&) {
      proposer_->Start(*hosts_[0]);
      done();
    });
  });
}

void PaxosCluster::Unload() {
  Await([this](auto done) {
    hosts_[0]->Execute("calls", [this, done](const std::string&) {
      proposer_->Stop();
      done();
    });
  });
}

PaxosCluster::~PaxosCluster() {
  for (const auto& host : hosts_) host->Stop();
  for (std::thread& thread : threads_) thread.join();
  hosts_.clear();
}

void PaxosCluster::Kick() {
  hosts_[0]->Execute("calls", [this](const std::string&) { proposer_->Kick(); });
}

PaxosCluster::Spent PaxosCluster::Count() {
  Spent spent;
  for (const auto& host : hosts_) {
    Await([&](auto done) {
      host->endpoint().Counters([&spent, done](const snapshot::NodeCounters& counters) {
        spent.events += counters.events;
        done();
      });
    });
  }
  spent.decided = proposer_->decided();
  spent.cpu_seconds = SecondsOf(CLOCK_PROCESS_CPUTIME_ID);
  for (std::thread& thread : threads_) {
    clockid_t clock = 0;
    if (pthread_getcpuclockid(thread.native_handle(), &clock) == 0) {
      spent.nodes_seconds += SecondsOf(clock);
    }
  }
  spent.wall_seconds = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  return spent;
}

}  // namespace foretell::bench
