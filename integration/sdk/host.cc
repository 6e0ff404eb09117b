#include "foretell/integration/sdk/host.h"

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/post.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <csignal>
#include <exception>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/integration/sdk/net/client_port.h"
#include "foretell/integration/sdk/net/envelope.h"
#include "foretell/integration/sdk/net/transport.h"
#include "foretell/integration/sdk/node/commands.h"
#include "foretell/integration/sdk/node/core.h"
#include "foretell/integration/sdk/node/departure_queue.h"
#include "foretell/integration/sdk/node/interest_watch.h"
#include "foretell/integration/sdk/node/loop_endpoint.h"
#include "foretell/integration/sdk/node/store.h"
#include "foretell/integration/sdk/node/timer_set.h"
#include "foretell/model/check.h"
#include "foretell/snapshot/rpc/server.h"

namespace foretell::integration::sdk {
namespace {

using model::NodeId;

constexpr int kOwnMessagesMax = 256;  // Per turn, so that others get theirs.
constexpr int kTimersMax = 64;
constexpr uint64_t kNumbersReserved = 1000;
// After a stream was lost, before its next epoch is announced. Where announcements are lost as well
// it is a pause between attempts.
constexpr std::chrono::milliseconds kAnnouncePause{100};

// Everything happens in turns: events are handled as they come, and at the end of a turn what they
// changed is made durable, once for all of them, before anything that they said leaves the node.
class LoopHost final : public Host {
 public:
  LoopHost(const model::Service& service, HostOptions options)
      : service_(service),
        options_(std::move(options)),
        streams_(service.network().kind == model::NetworkKind::kStreams),
        timer_(loop_),
        signals_(loop_),
        timers_(service, Mix(options_.seed + 1) ^ options_.node.value()),
        watch_(service),
        messages_to_(service.node_count(), 0),
        announcements_to_(service.node_count(), 0),
        last_departure_(service.node_count()),
        lost_now_(service.node_count(), false),
        unannounced_(service.node_count(), false) {
    FORETELL_CHECK(options_.now != nullptr);
    if (options_.stepped) {
      start_ = stepped_now_ = options_.now();
      options_.now = [this] { return stepped_now_; };
    }
    SetFaults(options_.faults);
  }
  // The server's thread calls into the rest, so it ends first.
  ~LoopHost() override { server_.reset(); }

  absl::Status Prepare() {
    absl::Status status = CheckOptions();
    if (status.ok()) status = OpenCore();
    if (status.ok()) status = OpenPorts();
    if (status.ok() && !options_.peers.empty()) status = SetPeers(options_.peers);
    return status;
  }

  absl::Status Run() override {
    const auto work = asio::make_work_guard(loop_);
    // Asio itself only throws when memory is short; a service may throw where it must not.
    try {
      loop_.run();
    } catch (const std::exception& e) {
      result_ = absl::InternalError(absl::StrCat("the node's loop ended: ", e.what()));
    }
    return result_;
  }

  void Stop() override {
    asio::post(loop_, [this] {
      stopping_ = true;
      Wake();
    });
  }

  void Execute(std::string command, std::function<void(std::string)> reply) override {
    asio::post(loop_, [this, command = std::move(command), reply = std::move(reply)] {
      RunCommand(command, reply);
    });
  }

  snapshot::NodeEndpoint& endpoint() override { return *endpoint_; }
  std::string listen_address() const override { return transport_->address(); }
  std::string client_address() const override { return port_ ? port_->address() : ""; }
  std::string agent_address() const override {
    return server_ ? snapshot::ToString(server_->address()) : "";
  }

 private:
  absl::Status CheckOptions() const;
  absl::Status OpenCore();
  absl::StatusOr<std::string> OpenStore();
  absl::Status OpenPorts();
  absl::Status SetPeers(const std::vector<std::string>& peers);
  void SetFaults(Faults faults);
  absl::StatusOr<std::string> Clock(std::optional<std::chrono::microseconds> to);
  Commands::Hooks CommandHooks();
  LoopEndpoint::Hooks EndpointHooks();

  void RunCommand(const std::string& command, std::function<void(std::string)> reply);
  void OnMessage(const Envelope& envelope);
  void OnOutgoingBroken(NodeId peer);

  void Wake();
  void Turn();
  void FireTimers();
  void AnnounceLost();
  absl::Status Commit();
  uint64_t NumberOf(const Outgoing& message);
  void Release();
  void Depart(const Outgoing& message, uint64_t seq);
  void LoseTo(NodeId peer);
  void Send(const Outgoing& message);
  void SendDue();
  std::optional<Time> NextDue() const;
  void SetTimer();
  void End(absl::Status result);
  void Log(const std::string& line) const {
    if (options_.log) options_.log(line);
  }

  const model::Service& service_;
  HostOptions options_;
  const bool streams_;
  asio::io_context loop_{1};
  asio::steady_timer timer_;
  asio::signal_set signals_;
  Stats stats_;
  TimerSet timers_;
  InterestWatch watch_;
  Faults faults_;
  DepartureQueue departures_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Core> core_;
  std::unique_ptr<Commands> commands_;
  std::unique_ptr<LoopEndpoint> endpoint_;
  std::unique_ptr<Transport> transport_;
  std::unique_ptr<ClientPort> port_;
  std::unique_ptr<snapshot::RpcServer> server_;

  bool restarted_ = false;  // This is not the node's first life.
  bool begun_ = false;      // Peers are known.
  bool stopping_ = false;
  bool turn_posted_ = false;
  absl::Status result_;
  uint64_t reserved_ = 0;  // Checkpoint numbers up to here are durably ours.
  uint64_t committed_ = 0;
  uint64_t timed_ = UINT64_MAX;  // The version that timers_ knows.
  std::optional<Time> timer_due_;
  std::vector<Outgoing> releasing_;
  std::vector<std::function<void()>> after_commit_;
  std::vector<uint64_t> messages_to_;
  std::vector<uint64_t> announcements_to_;  // Those that are not among the messages.
  std::vector<Time> last_departure_;
  std::vector<bool> lost_now_;
  std::vector<bool> unannounced_;  // Streams that were lost; their peers know no new epoch yet.
  std::optional<Time> announce_at_;
  Time start_{};               // Stepped: of the node's time,
  Time stepped_now_{};         // and now.
  uint64_t disturbances_ = 0;  // What came from the network.
};

absl::Status LoopHost::CheckOptions() const {
  if (options_.node.value() >= service_.node_count()) {
    return absl::InvalidArgumentError(
        absl::StrCat("there is no node ", options_.node.value(), " among ", service_.node_count()));
  }
  if (options_.life == 0 || options_.life > UINT32_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("life ", options_.life, " is not from 1 to 2^32 - 1"));
  }
  if (options_.start && !service_.ValidState(*options_.start)) {
    return absl::InvalidArgumentError("the start is not a state of this service");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> LoopHost::OpenStore() {
  const std::string owner = absl::StrCat(options_.service, "/", options_.scenario, "/",
                                         options_.cluster, " node ", options_.node.value());
  auto store = Store::Open(options_.store, owner);
  if (!store.ok()) return store.status();
  store_ = *std::move(store);
  const Store::Recovered& old = store_->recovered();
  options_.life = old.epoch + 1;
  reserved_ = old.number;
  store_->SetEpoch(options_.life);
  if (old.torn_bytes > 0) {
    Log(absl::StrCat("store ", options_.store, ": cut off a torn tail of ", old.torn_bytes,
                     " bytes"));
  }
  if (!old.survivor) return std::string();
  if (!service_.ValidState(*old.survivor)) {
    return absl::DataLossError(
        absl::StrCat("store ", options_.store, ": what survived is not a state of this service"));
  }
  restarted_ = true;
  return *old.survivor;
}

absl::Status LoopHost::OpenCore() {
  std::string state = options_.start.value_or(service_.InitialState(options_.node));
  if (!options_.store.empty()) {
    auto survivor = OpenStore();
    if (!survivor.ok()) return survivor.status();
    if (restarted_) state = *std::move(survivor);
  }
  core_ = std::make_unique<Core>(
      service_, state,
      Core::Options{.node = options_.node,
                    .seed = options_.seed ^ Mix(options_.life),
                    .checkpoints = options_.checkpoints,
                    .life = options_.life,
                    .number = reserved_,
                    .now = options_.now,
                    .reset_stream = [this](NodeId peer) { transport_->ResetFrom(peer); },
                    .postpone = [this](const std::string& action,
                                       Time until) { timers_.Postpone(action, until); },
                    .reborn = store_ ? std::nullopt : std::optional(state)},
      stats_);
  commands_ = std::make_unique<Commands>(*core_, stats_, CommandHooks());
  endpoint_ =
      std::make_unique<LoopEndpoint>(snapshot::NodeInfo{.service = options_.service,
                                                        .scenario = options_.scenario,
                                                        .bug = options_.bug,
                                                        .version = options_.version,
                                                        .node = options_.node,
                                                        .node_count = service_.node_count()},
                                     *core_, watch_, EndpointHooks());
  if (!store_) return absl::OkStatus();
  if (!store_->recovered().guard.empty()) core_->AwaitGuard(store_->recovered().guard);
  if (!restarted_) store_->SetSurvivor(core_->live().Survivor());
  return store_->Sync();
}

Commands::Hooks LoopHost::CommandHooks() {
  return {.begun = [this] { return begun_; },
          .faults = [this] { return faults_; },
          .set_faults = [this](const Faults& faults) { SetFaults(faults); },
          .set_peers = [this](const std::vector<std::string>& peers) { return SetPeers(peers); },
          .clock = [this](std::optional<std::chrono::microseconds> to) { return Clock(to); },
          .hint = [this] { return watch_.Tell(); },
          .stop = [this] { stopping_ = true; }};
}

LoopEndpoint::Hooks LoopHost::EndpointHooks() {
  return {.post = [this](std::function<void()> task) { asio::post(loop_, std::move(task)); },
          .after_commit =
              [this](std::function<void()> task) {
                after_commit_.push_back(std::move(task));
                Wake();
              },
          .filters_changed =
              [this] {
                timers_.Release(options_.now());
                Wake();
              },
          .wake = [this] { Wake(); }};
}

absl::Status LoopHost::OpenPorts() {
  const Membership membership{.cluster = ClusterId(options_.service, options_.scenario,
                                                   options_.cluster, service_.node_count()),
                              .node_count = service_.node_count(),
                              .self = options_.node};
  auto transport =
      Transport::Open(service_.network().kind, loop_, options_.listen, membership,
                      {.message = [this](const Envelope& envelope) { OnMessage(envelope); },
                       .outgoing_broken = [this](NodeId peer) { OnOutgoingBroken(peer); },
                       .incoming_broken =
                           [this](NodeId peer) {
                             ++disturbances_;
                             core_->OnIncomingBroken(peer);
                             Wake();
                           }},
                      stats_);
  if (!transport.ok()) return transport.status();
  transport_ = *std::move(transport);
  if (!options_.client.empty()) {
    const auto run = [this](const std::string& line, ClientPort::Reply reply) {
      RunCommand(line, std::move(reply));
    };
    auto port = ClientPort::Open(loop_, options_.client, run, stats_);
    if (!port.ok()) return port.status();
    port_ = *std::move(port);
  }
  if (options_.stop_on_signals) {
    asio::error_code error;
    signals_.add(SIGINT, error);
    if (!error) signals_.add(SIGTERM, error);
    if (error) return absl::InternalError(absl::StrCat("signals: ", error.message()));
    signals_.async_wait([this](const asio::error_code& failed, int) {
      if (!failed) Stop();
    });
  }
  if (!options_.agent) return absl::OkStatus();
  auto server = snapshot::RpcServer::Start(
      *options_.agent, options_.tls, options_.limits, *endpoint_,
      [this](const std::string& line) { asio::post(loop_, [this, line] { Log(line); }); });
  if (!server.ok()) return server.status();
  server_ = *std::move(server);
  return absl::OkStatus();
}

absl::Status LoopHost::SetPeers(const std::vector<std::string>& peers) {
  if (peers.size() != service_.node_count()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "addresses of ", peers.size(), " nodes, the service has ", service_.node_count()));
  }
  const absl::Status status = transport_->SetPeers(peers);
  if (!status.ok() || begun_) return status;
  begun_ = true;
  for (uint32_t n = 0; n < service_.node_count(); ++n) {
    if (NodeId(n) != options_.node) core_->Announce(NodeId(n));
  }
  if (restarted_) core_->Restart();
  Wake();
  return absl::OkStatus();
}

void LoopHost::SetFaults(Faults faults) {
  // A stream neither doubles nor swaps messages.
  if (streams_) faults.duplicate = faults.reorder = 0;
  faults_ = std::move(faults);
}

absl::StatusOr<std::string> LoopHost::Clock(std::optional<std::chrono::microseconds> to) {
  using std::chrono::microseconds;
  if (!options_.stepped)
    return absl::FailedPreconditionError("this node goes by the machine's clock");
  const auto micros = [this](Time time) {
    return std::chrono::duration_cast<microseconds>(time - start_).count();
  };
  if (to) stepped_now_ = std::max(stepped_now_, start_ + *to);
  const std::optional<Time> next = NextDue();
  return absl::StrCat(micros(stepped_now_), " ", next ? absl::StrCat(micros(*next)) : "-", " ",
                      stats_.events + disturbances_);
}

void LoopHost::RunCommand(const std::string& command, std::function<void(std::string)> reply) {
  const auto answer = [this, reply = std::move(reply)](const std::string& text) {
    after_commit_.push_back([reply, text] { reply(text); });
    Wake();
  };
  commands_->Run(command, answer);
}

void LoopHost::OnMessage(const Envelope& envelope) {
  ++disturbances_;
  if (faults_.Cut(envelope.from)) {
    ++stats_.fault_cut;
    if (streams_) {
      transport_->ResetFrom(envelope.from);
      core_->OnIncomingBroken(envelope.from);
    }
  } else {
    core_->Receive(envelope);
  }
  Wake();
}

void LoopHost::OnOutgoingBroken(NodeId peer) {
  ++disturbances_;
  core_->OnOutgoingBroken(peer);
  departures_.EraseTo(peer);
  lost_now_[peer.index()] = true;
  unannounced_[peer.index()] = true;
  if (begun_ && !announce_at_) announce_at_ = options_.now() + kAnnouncePause;
  Wake();
}

// Until a peer hears of the new epoch, nobody knows what the old one has left in flight, and
// snapshots leave one of the two nodes out. A service that has nothing to say would keep it so.
void LoopHost::AnnounceLost() {
  if (!announce_at_ || options_.now() < *announce_at_) return;
  announce_at_.reset();
  for (uint32_t n = 0; n < unannounced_.size(); ++n) {
    if (unannounced_[n]) core_->Announce(NodeId(n));
  }
  unannounced_.assign(unannounced_.size(), false);
}

// Behind everything that is ready now: the turn ends after all of it has been handled.
void LoopHost::Wake() {
  if (std::exchange(turn_posted_, true)) return;
  asio::post(loop_, [this] { Turn(); });
}

void LoopHost::Turn() {
  turn_posted_ = false;
  for (int i = 0; i < kOwnMessagesMax && core_->ReceiveOwn(); ++i) {
  }
  if (core_->has_own()) Wake();
  if (core_->holds()) core_->ExpireGuard();
  FireTimers();
  AnnounceLost();
  // Like a crash: what has not been committed has not happened.
  if (!core_->failure().empty()) {
    return End(absl::AbortedError(absl::StrCat("a handler failed: ", core_->failure())));
  }
  if (const absl::Status status = Commit(); !status.ok()) return End(status);
  core_->SettleGuard();
  endpoint_->SetNumber(core_->number());
  stats_.requests_refused = endpoint_->refused();
  Release();
  for (auto& task : std::exchange(after_commit_, {})) task();
  if (stopping_) return End(absl::OkStatus());
  if (options_.stepped) return;
  watch_.Look(core_->live(), core_->version(), options_.now);
  SetTimer();
}

void LoopHost::FireTimers() {
  if (!begun_ || !service_.has_timers()) return;
  for (int i = 0; i < kTimersMax && core_->failure().empty() && !core_->waits(); ++i) {
    const Time now = options_.now();
    for (const std::string& action : core_->restarted()) timers_.Restart(action);
    core_->restarted().clear();
    if (std::exchange(timed_, core_->version()) != core_->version()) {
      timers_.Update(core_->tip().Actions(), now);
    }
    const std::optional<std::string> due = timers_.TakeDue(now);
    if (!due) return;
    if (const auto until = core_->Fire(*due)) timers_.Postpone(*due, *until);
    // Armed afresh even if the handler changed nothing.
    timed_ = UINT64_MAX;
  }
}

absl::Status LoopHost::Commit() {
  if (!store_) return absl::OkStatus();
  if (std::exchange(committed_, core_->version()) != core_->version()) {
    store_->SetSurvivor(core_->live().Survivor());
  }
  store_->SetGuard(core_->guard_mark());
  if (core_->number() > reserved_) {
    reserved_ = core_->number() + kNumbersReserved;
    store_->SetNumber(reserved_);
  }
  if (!store_->dirty()) return absl::OkStatus();
  const absl::Status status = store_->Sync();
  ++stats_.commits;
  stats_.commit_bytes = store_->bytes_written();
  return status;
}

// By which its fate is decided. How often an agent asks must not change that of messages.
uint64_t LoopHost::NumberOf(const Outgoing& message) {
  constexpr uint64_t kAnnouncements = uint64_t{1} << 63;
  const size_t to = message.to.index();
  const bool again =
      !streams_ && message.kind == EnvelopeKind::kAnnouncement && messages_to_[to] > 0;
  return again ? kAnnouncements + ++announcements_to_[to] : ++messages_to_[to];
}

void LoopHost::Release() {
  lost_now_.assign(lost_now_.size(), false);
  releasing_.swap(core_->outgoing());
  for (Outgoing& message : releasing_) {
    const uint64_t seq = NumberOf(message);
    // Its stream has broken a moment ago, with all that was to go out on it.
    if (lost_now_[message.to.index()]) continue;
    if (!faults_.any() && departures_.empty()) {
      Send(message);
    } else {
      Depart(message, seq);
    }
  }
  releasing_.clear();
  SendDue();
  transport_->Flush();
}

void LoopHost::Depart(const Outgoing& message, uint64_t seq) {
  const Departures departures = Decide(faults_, options_.node, message.to, seq);
  if (departures.empty()) {
    ++(faults_.Cut(message.to) ? stats_.fault_cut : stats_.fault_lost);
    return LoseTo(message.to);
  }
  stats_.fault_duplicated += departures.size() - 1;
  for (const std::chrono::microseconds delay : departures) {
    if (delay.count() > 0) ++stats_.fault_delayed;
    Time due = options_.now() + delay;
    Time& last = last_departure_[message.to.index()];
    if (streams_) due = last = std::max(last, due);
    if (delay.count() == 0 && !streams_) {
      Send(message);
    } else if (!departures_.Add(due, message)) {
      ++stats_.fault_overflows;
      LoseTo(message.to);
    }
  }
}

// A datagram is just lost; a stream that loses a message has to break.
void LoopHost::LoseTo(NodeId peer) {
  if (!streams_) return;
  transport_->ResetTo(peer);
  OnOutgoingBroken(peer);
}

void LoopHost::SendDue() {
  if (departures_.empty()) return;
  const Time now = options_.now();
  while (const std::optional<Outgoing> message = departures_.TakeDue(now)) Send(*message);
}

void LoopHost::Send(const Outgoing& message) {
  transport_->Send({message.kind, options_.node, message.to, message.stamp, message.body});
}

// Of what peers and the service can see.
std::optional<Time> LoopHost::NextDue() const {
  std::optional<Time> next = departures_.Next();
  for (const std::optional<Time> other : {begun_ && !core_->waits() ? timers_.Next() : std::nullopt,
                                          announce_at_, core_->guard_due()}) {
    if (other && (!next || *other < *next)) next = other;
  }
  return next;
}

void LoopHost::SetTimer() {
  std::optional<Time> next = NextDue();
  const std::optional<Time> look = watch_.Next(core_->version());
  if (look && (!next || *look < *next)) next = look;
  if (next == timer_due_) return;
  timer_due_ = next;
  if (!next) return void(timer_.cancel());
  timer_.expires_after(*next - options_.now());
  timer_.async_wait([this](const asio::error_code& error) {
    if (error) return;
    timer_due_.reset();
    watch_.OnTimer();
    Wake();
  });
}

void LoopHost::End(absl::Status result) {
  if (!result.ok()) {
    Log(absl::StrCat("node ", options_.node.value(), " stops: ", std::string(result.message())));
  }
  result_ = std::move(result);
  loop_.stop();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Host>> Host::Open(const model::Service& service,
                                                 HostOptions options) {
  auto host = std::make_unique<LoopHost>(service, std::move(options));
  const absl::Status prepared = host->Prepare();
  if (!prepared.ok()) return prepared;
  return host;
}

}  // namespace foretell::integration::sdk
