#include "foretell/tests/guarded/cluster.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "foretell/model/check.h"

namespace foretell::guarded {

using integration::sdk::Envelope;
using integration::sdk::Outgoing;
using model::NodeId;
using std::chrono::microseconds;

namespace {

constexpr size_t kTraceMax = 400;

}  // namespace

Cluster::Cluster(const model::System& system, const Weather& weather, uint64_t seed)
    : service_(*system.service),
      weather_(weather),
      random_(integration::sdk::Mix(seed)),
      streams_(service_.network().kind == model::NetworkKind::kStreams),
      nodes_(service_.node_count()),
      agents_(weather.agents) {
  const auto infos = service_.invariants();
  for (size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].eventually || infos[i].when_stuck) continue;
    guarded_.push_back(i);
    names_.push_back(infos[i].name);
  }
  for (uint32_t n = 0; n < nodes_.size(); ++n) Boot(n, service_.InitialState(NodeId(n)));
  for (uint32_t a = 0; a < agents_.size(); ++a) StartAgent(a);
}

Cluster::~Cluster() = default;

void Cluster::Note(std::string line) {
  if (trace_.size() >= kTraceMax) trace_.erase(trace_.begin());
  trace_.push_back(absl::StrCat(
      std::chrono::duration_cast<microseconds>(now_.time_since_epoch()).count(), " ", line));
}

void Cluster::Boot(uint32_t node, const std::string& state) {
  Node& one = nodes_[node];
  Core::Options options{.node = NodeId(node), .seed = random_.Next(), .life = one.life};
  options.now = [this] { return now_; };
  options.reset_stream = [this, node](NodeId peer) {
    std::erase_if(network_, [&](const Packet& packet) {
      return packet.from == peer && packet.to.value() == node;
    });
    if (nodes_[peer.index()].core) nodes_[peer.index()].core->OnOutgoingBroken(NodeId(node));
  };
  one.core = std::make_unique<Core>(service_, state, std::move(options), one.stats);
  one.survivor = one.core->live().Survivor();
  if (!one.mark.empty()) one.core->AwaitGuard(one.mark);
}

std::optional<std::string> Cluster::Project(size_t invariant, uint32_t node) const {
  const Node& one = nodes_[node];
  if (one.failed) return std::nullopt;
  if (one.core) return one.core->live().Project(invariant);
  return service_.Project(invariant, NodeId(node), one.survivor);
}

integration::sdk::Stats Cluster::Totals() const {
  integration::sdk::Stats totals;
  for (const Node& node : nodes_) {
    totals.events += node.stats.events;
    totals.guard_asked += node.stats.guard_asked;
    totals.guard_forced += node.stats.guard_forced;
    totals.guard_refused += node.stats.guard_refused;
    totals.guard_expired += node.stats.guard_expired;
    totals.guard_lapsed += node.stats.guard_lapsed;
    totals.guard_redone += node.stats.guard_redone;
    totals.checkpoints += node.stats.checkpoints;
  }
  return totals;
}

void Cluster::Post(std::deque<Timed>& link, std::function<void()> arrive) {
  const auto delay =
      microseconds(random_.Next() % static_cast<uint64_t>(weather_.link_max.count() + 1));
  Time due = now_ + delay;
  if (!link.empty()) due = std::max(due, link.back().due);
  link.push_back({due, std::move(arrive)});
}

void Cluster::StartAgent(uint32_t agent) {
  Agent& one = agents_[agent];
  one.book = std::make_unique<agent::GuardBook>(
      service_, agent::GuardBook::Options{guarded_, absl::StrCat("a", agent, "-")});
  one.hangs = false;
  one.session.assign(nodes_.size(), 0);
  for (uint32_t n = 0; n < nodes_.size(); ++n) Join(agent, n);
}

void Cluster::StopAgent(uint32_t agent) {
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    Cut(agent, n);
    if (watcher_ != nullptr) watcher_->Uncovered(agent, n);
  }
  agents_[agent].book.reset();
}

void Cluster::Cut(uint32_t agent, uint32_t node) {
  const uint64_t session = std::exchange(agents_[agent].session[node], 0);
  if (session == 0) return;
  up_.erase(session);
  down_.erase(session);
  if (watcher_ != nullptr) watcher_->Uncovered(agent, node);
  if (agents_[agent].book) Tell(agent, agents_[agent].book->Lost(NodeId(node)));
  // The node hears of it later, or finds out by the hold.
  const auto delay = microseconds(random_.Next() % 100'000);
  timers_.push_back(
      {now_ + delay, [this, agent, node, session] { EndSession(agent, node, session); }});
}

void Cluster::EndSession(uint32_t agent, uint32_t node, uint64_t session) {
  if (sessions_.erase(session) == 0 || !nodes_[node].core) return;
  Note(absl::StrCat("node ", node, " hears that agent ", agent, " is gone"));
  nodes_[node].core->EndGuard(session);
  Took(node);
}

void Cluster::Join(uint32_t agent, uint32_t node) {
  Agent& one = agents_[agent];
  if (!one.book || one.session[node] != 0 || !nodes_[node].core) return;
  const uint64_t session = ++last_session_;
  one.session[node] = session;
  sessions_[session] = {agent, node};
  Tell(agent, one.book->Joining(NodeId(node)));
  // To the agent, in order. What arrives after the connection was cut arrives nowhere.
  const auto send = [this, agent, session](auto deliver) {
    const auto link = up_.find(session);
    if (link == up_.end()) return;
    Post(link->second, [this, agent, deliver] {
      if (agents_[agent].book) Tell(agent, deliver(*agents_[agent].book));
    });
  };
  up_[session];
  snapshot::GuardChannel channel;
  channel.ask = [this, agent, node, send, session](const snapshot::GuardStep& step) {
    if (step.forced && watcher_ != nullptr) watcher_->Forced(node);
    send([this, agent, node, step, session](agent::GuardBook& book) {
      timers_.push_back({now_ + weather_.hold / 2, [this, agent, node, step, session] {
                           Agent& late = agents_[agent];
                           if (!late.book || late.session[node] != session || late.hangs) return;
                           Tell(agent, late.book->Overdue(NodeId(node), step.number));
                         }});
      return book.Ask(NodeId(node), step);
    });
  };
  channel.settled = [node, send](const snapshot::GuardSettled& settled) {
    send([node, settled](agent::GuardBook& book) { return book.Settled(NodeId(node), settled); });
  };
  channel.lapsed = [this, agent, node, session, send](const std::string&) {
    if (watcher_ != nullptr) watcher_->Uncovered(agent, node);
    sessions_.erase(session);
    send([this, agent, node, session](agent::GuardBook& book) {
      if (agents_[agent].session[node] == session) agents_[agent].session[node] = 0;
      return book.Lost(NodeId(node));
    });
  };
  Post(down_[session], [this, agent, node, session, channel, send] {
    if (!nodes_[node].core || !sessions_.contains(session)) return;
    const auto joined = nodes_[node].core->Guard(session, {names_, weather_.hold}, channel);
    FORETELL_CHECK(joined.ok());
    Took(node);
    if (!nodes_[node].core) return;
    // Only what is durable is told.
    nodes_[node].dirty = true;
    Commit(node);
    send([this, agent, node, session, joined = *joined](agent::GuardBook& book) {
      auto decisions = book.Joined(NodeId(node), joined);
      const bool alive = sessions_.contains(session);
      if (watcher_ != nullptr && alive) watcher_->Joined(agent, node);
      return decisions;
    });
  });
}

void Cluster::Tell(uint32_t agent, const agent::GuardBook::Decisions& decisions) {
  for (const auto& decision : decisions) {
    const uint32_t node = decision.node.value();
    const uint64_t session = agents_[agent].session[node];
    const auto link = down_.find(session);
    if (session == 0 || link == down_.end()) continue;
    Note(absl::StrCat("agent ", agent, decision.answer.granted ? " grants" : " refuses", " step ",
                      decision.answer.step, " of node ", node, " ", decision.reason));
    Post(link->second, [this, node, session, answer = decision.answer] {
      if (!nodes_[node].core) return;
      nodes_[node].core->AnswerGuard(session, answer);
      Took(node);
    });
  }
}

void Cluster::Took(uint32_t node) {
  Node& one = nodes_[node];
  if (!one.core) return;
  one.dirty = true;
  if (!one.core->failure().empty()) {
    Note(absl::StrCat("node ", node, " fails"));
    one.failed = true;
    // A node that has failed is seen by nobody: that cannot be held, nor foreseen.
    if (watcher_ != nullptr) watcher_->Forced(node);
    return Crash(node);
  }
  if (watcher_ != nullptr) watcher_->Changed(node);
  if (Percent(70)) Commit(node);
}

void Cluster::Commit(uint32_t node) {
  Node& one = nodes_[node];
  if (!one.core || !std::exchange(one.dirty, false)) return;
  one.survivor = one.core->live().Survivor();
  one.mark = one.core->guard_mark();
  one.core->SettleGuard();
  for (Outgoing& message : one.core->outgoing()) {
    if (weather_.faults && !streams_ && !calm_ && Percent(5)) continue;
    network_.push_back({message.kind, NodeId(node), message.to, message.stamp, message.body});
    if (weather_.faults && !streams_ && Percent(5)) network_.push_back(network_.back());
  }
  one.core->outgoing().clear();
}

void Cluster::Crash(uint32_t node) {
  Note(absl::StrCat("node ", node, " crashes"));
  // Dead before anybody hears of it.
  nodes_[node].core.reset();
  nodes_[node].dirty = false;
  for (uint32_t a = 0; a < agents_.size(); ++a) {
    const uint64_t session = std::exchange(agents_[a].session[node], 0);
    if (session == 0) continue;
    sessions_.erase(session);
    up_.erase(session);
    down_.erase(session);
    timers_.push_back({now_ + microseconds(random_.Next() % 20'000), [this, a, node] {
                         Agent& one = agents_[a];
                         if (!one.book || one.session[node] != 0) return;
                         if (watcher_ != nullptr) watcher_->Noticed(a, node);
                         Tell(a, one.book->Lost(NodeId(node)));
                       }});
  }
  if (watcher_ != nullptr) watcher_->Changed(node);
}

void Cluster::Revive(uint32_t node) {
  Node& one = nodes_[node];
  if (one.core || one.failed) return;
  Note(absl::StrCat("node ", node, " restarts"));
  ++one.life;
  Boot(node, one.survivor);
  one.core->Restart();
  Took(node);
}

// The earliest of all that is due by now.
void Cluster::Advance() {
  while (true) {
    std::deque<Timed>* next = nullptr;
    for (auto* links : {&up_, &down_}) {
      for (auto& [session, link] : *links) {
        if (link.empty() || link.front().due > now_) continue;
        // A hanging agent neither reads nor answers.
        const auto owner = sessions_.find(session);
        if (links == &up_ && owner != sessions_.end() && agents_[owner->second.first].hangs) {
          continue;
        }
        if (next == nullptr || link.front().due < next->front().due) next = &link;
      }
    }
    const auto timer = std::min_element(timers_.begin(), timers_.end(),
                                        [](const auto& a, const auto& b) { return a.due < b.due; });
    const bool timed = timer != timers_.end() && timer->due <= now_ &&
                       (next == nullptr || timer->due < next->front().due);
    if (next == nullptr && !timed) return;
    std::function<void()> arrive;
    if (timed) {
      arrive = std::move(timer->arrive);
      timers_.erase(timer);
    } else {
      arrive = std::move(next->front().arrive);
      next->pop_front();
    }
    arrive();
  }
}

void Cluster::Act(uint32_t node) {
  Core& core = *nodes_[node].core;
  if (core.has_own() && Percent(50)) {
    core.ReceiveOwn();
    return Took(node);
  }
  const std::vector<std::string> calls = core.RenderCalls();
  if (calls.empty()) return;
  const std::string call = calls[Pick(calls.size())];
  Note(absl::StrCat("node ", node, " is called ", call));
  core.Call(call);
  Took(node);
}

void Cluster::Receive() {
  if (network_.empty()) return;
  size_t index = Pick(network_.size());
  if (streams_) {
    // The first of its stream.
    const auto first = std::find_if(network_.begin(), network_.end(), [&](const Packet& packet) {
      return packet.from == network_[index].from && packet.to == network_[index].to;
    });
    index = static_cast<size_t>(first - network_.begin());
  }
  const Packet packet = std::move(network_[index]);
  network_.erase(network_.begin() + static_cast<std::ptrdiff_t>(index));
  const uint32_t node = packet.to.value();
  if (!nodes_[node].core) return;
  Note(absl::StrCat("node ", node, " receives from node ", packet.from.value()));
  nodes_[node].core->Receive({packet.kind, packet.from, packet.to, packet.stamp, packet.body});
  Took(node);
}

void Cluster::Fault() {
  const uint32_t node = Pick(nodes_.size());
  if (!nodes_[node].core) return Revive(node);
  if (Percent(20)) Crash(node);
}

void Cluster::AgentFault() {
  const uint32_t agent = Pick(agents_.size());
  Agent& one = agents_[agent];
  if (!one.book) return StartAgent(agent);
  switch (Pick(6)) {
    case 0: Note(absl::StrCat("agent ", agent, " crashes")); return StopAgent(agent);
    case 1:
      Note(absl::StrCat("agent ", agent, one.hangs ? " goes on" : " hangs"));
      one.hangs = !one.hangs;
      return;
    case 2: {
      const uint32_t node = Pick(nodes_.size());
      Note(absl::StrCat("agent ", agent, " is cut off from node ", node));
      return Cut(agent, node);
    }
    default: one.hangs = false;
  }
}

void Cluster::Step() {
  now_ += microseconds(random_.Next() % 400);
  Advance();
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    Node& one = nodes_[n];
    if (one.core && one.core->holds()) {
      const auto due = one.core->guard_due();
      if (due && *due <= now_) {
        one.core->ExpireGuard();
        Took(n);
      }
    }
    if (one.core && Percent(30)) Commit(n);
  }
  if (!calm_ && weather_.faults && Percent(4)) Fault();
  if (!calm_ && weather_.agent_faults && Percent(2)) AgentFault();
  for (uint32_t a = 0; a < agents_.size(); ++a) {
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      if (Percent(10)) Join(a, n);
    }
  }
  const uint32_t node = Pick(nodes_.size());
  if (!calm_ && nodes_[node].core && Percent(3)) {
    nodes_[node].core->Request(nodes_[node].core->number() + 1, [](const Core::Captured&) {});
    Took(node);
  }
  if (Percent(50)) {
    Receive();
  } else if (!calm_ && nodes_[node].core) {
    Act(node);
  }
}

void Cluster::Settle() {
  const bool calm = std::exchange(calm_, true);
  for (uint32_t n = 0; n < nodes_.size(); ++n) Revive(n);
  for (uint32_t a = 0; a < agents_.size(); ++a) {
    agents_[a].hangs = false;
    if (!agents_[a].book) StartAgent(a);
  }
  const auto settled = [this] {
    if (!network_.empty()) return false;
    for (const Node& node : nodes_) {
      if (node.core && (node.core->holds() || node.core->waits())) return false;
    }
    return std::all_of(agents_.begin(), agents_.end(), [this](const Agent& agent) {
      for (uint32_t n = 0; n < nodes_.size(); ++n) {
        if (nodes_[n].core && !agent.book->guarded(NodeId(n))) return false;
      }
      return true;
    });
  };
  for (int i = 0; i < 20'000 && !settled(); ++i) Step();
  FORETELL_CHECK(settled());
  calm_ = calm;
}

}  // namespace foretell::guarded
