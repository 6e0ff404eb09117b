#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/model/typed/fields.h"
#include "foretell/snapshot/protocol/checkpointer.h"
#include "foretell/snapshot/testing/gossip.h"

namespace foretell::snapshot {

// One thing that happened at a node. Entries without an event changed channels only.
struct Entry {
  std::optional<model::Event> event;
  uint64_t life = 1;
  model::NodeId peer{0};
  std::optional<size_t> received;       // Index of the message.
  std::optional<size_t> refused;        // Likewise: as a duplicate, or as too late.
  std::vector<size_t> sent;             // Indices of the messages.
  std::optional<uint64_t> announced;    // `peer` announced this epoch.
  std::optional<uint64_t> broken;       // The stream from `peer` with this epoch broke.
  std::optional<uint64_t> reset_epoch;  // The stream to `peer` begins anew with this epoch.
};

// A message that was sent, once and for all.
struct Rumour {
  model::NodeId from{0};
  model::NodeId to{0};
  Stamp stamp;
  std::string body;
  size_t sent_at = 0;               // Index of the sender's entry.
  std::vector<size_t> received_at;  // Indices of the receiver's entries.
};

// The checkpoints that a collector gathered.
struct Collection {
  uint64_t number = 0;
  std::vector<std::shared_ptr<const Checkpoint>> checkpoints;
  std::vector<std::string> reasons;
  std::vector<bool> asked;
};

// A cluster of Gossip nodes over a bad network, driven by a seed: messages are lost, late, out of
// order or there twice, nodes crash and come back, streams break at either end first, collectors
// with different numbers get in each other's way. Remembers all that happened.
class SimulatedCluster {
 public:
  struct Weather {
    bool crashes = false;
    bool breaks = false;  // Streams.
    bool losses = false;  // Datagrams: loss and duplication.
    bool announces = false;
    uint32_t burst_max = 3;
    size_t count_max = 16;  // Of kept checkpoints.
  };

  SimulatedCluster(const model::Service& service, Weather weather, uint64_t seed)
      : service_(service), weather_(weather), random_(seed), nodes_(service.node_count()) {
    for (uint32_t n = 0; n < nodes_.size(); ++n) {
      nodes_[n].live = service_.MakeLive(model::NodeId(n), service_.InitialState(model::NodeId(n)));
      nodes_[n].checkpointer = MakeCheckpointer(n);
    }
    if (!streams()) return;
    for (uint32_t from = 0; from < nodes_.size(); ++from) {
      for (uint32_t to = 0; to < nodes_.size(); ++to) Connect(from, to);
    }
  }
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;

  void Run(int steps) {
    while (steps-- > 0) Step();
    while (!collecting_.empty()) Finish(0);
  }

  const std::vector<Entry>& entries(uint32_t node) const { return nodes_[node].entries; }
  const std::vector<Rumour>& rumours() const { return rumours_; }
  const std::vector<Collection>& collections() const { return collections_; }
  // The number of entries that node `node` had when it took the checkpoint.
  size_t PositionOf(uint32_t node, uint64_t number) const { return positions_.at({node, number}); }
  // Every event in the order in which it happened, as node and index of its entry.
  const std::vector<std::pair<uint32_t, size_t>>& history() const { return history_; }

 private:
  struct Node {
    std::unique_ptr<model::LiveNode> live;  // Null while down.
    std::unique_ptr<Checkpointer> checkpointer;
    std::string survivor;
    uint64_t life = 1;
    uint64_t floor = 0;
    size_t captured_at = 0;
    std::vector<Entry> entries;
  };
  enum class Kind : uint8_t { kRumour, kAnnouncement, kAcknowledgement };
  struct Packet {
    Kind kind = Kind::kRumour;
    uint32_t from = 0;
    uint32_t to = 0;
    Stamp stamp;
    size_t rumour = 0;
  };
  struct Connection {
    uint32_t from = 0;
    uint32_t to = 0;
    uint64_t epoch = 0;
    bool current = true;  // The sender uses it.
    bool dead = false;    // Messages sent on it go nowhere.
    std::deque<Packet> packets;
  };

  bool streams() const { return service_.network().kind == model::NetworkKind::kStreams; }
  uint32_t Below(size_t n) { return static_cast<uint32_t>(random_() % n); }
  bool Chance(uint32_t percent) { return Below(100) < percent; }
  bool up(uint32_t n) const { return nodes_[n].live != nullptr; }

  std::unique_ptr<Checkpointer> MakeCheckpointer(uint32_t n) {
    return std::make_unique<Checkpointer>(
        Checkpointer::Options{.node = model::NodeId(n),
                              .network = service_.network().kind,
                              .life = nodes_[n].life,
                              .number = nodes_[n].floor,
                              .count_max = weather_.count_max},
        [this, n] {
          nodes_[n].captured_at = nodes_[n].entries.size();
          return model::NodeState{.body = nodes_[n].live->Encode()};
        });
  }
  // After everything that can take a checkpoint.
  void NotePosition(uint32_t n) {
    positions_.try_emplace({n, nodes_[n].checkpointer->number()}, nodes_[n].captured_at);
  }

  void Step() {
    const uint32_t roll = Below(100);
    const uint32_t n = Below(nodes_.size());
    if (roll < 25) {
      Tick(n);
    } else if (roll < 72) {
      DeliverSomething();
    } else if (roll < 75) {
      StartCollector();
    } else if (roll < 88) {
      Ask();
    } else if (roll < 90) {
      if (!collecting_.empty()) Finish(Below(collecting_.size()));
    } else if (roll < 92) {
      if (weather_.crashes && Chance(50)) Crash(n);
    } else if (roll < 95) {
      Restart(n);
    } else if (streams()) {
      DisturbStreams(n);
    }
  }

  void Tick(uint32_t n) {
    if (!up(n)) return;
    const Gossip::Action action{1 + Below(weather_.burst_max)};
    Handle(n, {.event = model::Event{model::EventKind::kAction, {}, model::Encode(action)}});
  }

  // Runs the handler and sends what it sends.
  void Handle(uint32_t n, Entry entry) {
    Node& node = nodes_[n];
    entry.life = node.life;
    const size_t index = node.entries.size();
    std::vector<model::Send> sends =
        node.live->Handle(*entry.event, [](uint32_t) { return 0u; }).sends;
    for (const model::Send& send : sends) {
      const Stamp stamp = node.checkpointer->OnSend(send.to, send.body);
      entry.sent.push_back(rumours_.size());
      rumours_.push_back({model::NodeId(n), send.to, stamp, send.body, index, {}});
      Emit({Kind::kRumour, n, send.to.value(), stamp, rumours_.size() - 1});
    }
    history_.push_back({n, index});
    node.entries.push_back(std::move(entry));
  }

  void Emit(const Packet& packet) {
    if (!streams() || packet.kind == Kind::kAcknowledgement) {
      air_.push_back(packet);
      return;
    }
    for (Connection& connection : connections_) {
      const bool its = connection.current && connection.from == packet.from;
      if (its && connection.to == packet.to && !connection.dead) {
        connection.packets.push_back(packet);
      }
    }
  }

  void DeliverSomething() {
    if (streams() && !connections_.empty() && Chance(90)) {
      const size_t index = Below(connections_.size());
      if (connections_[index].packets.empty()) return;
      const Packet packet = connections_[index].packets.front();
      connections_[index].packets.pop_front();
      if (!up(packet.to)) {
        Kill(connections_[index]);
      } else if (Deliver(packet) == Receipt::kGap) {
        ResetByReceiver(connections_[index]);
      }
      return;
    }
    if (air_.empty()) return;
    // Mostly the old ones, so that few stay for ever.
    const size_t index = Chance(70) ? Below(std::min<size_t>(air_.size(), 8)) : Below(air_.size());
    const Packet packet = air_[index];
    const bool twice = weather_.losses && Chance(10);
    if (!twice) air_.erase(air_.begin() + static_cast<std::ptrdiff_t>(index));
    if (weather_.losses && Chance(10)) return;
    if (up(packet.to)) Deliver(packet);
  }

  Receipt Deliver(const Packet& packet) {
    Node& node = nodes_[packet.to];
    const model::NodeId from(packet.from);
    if (packet.kind == Kind::kAcknowledgement) {
      node.checkpointer->OnAcknowledged(from, packet.stamp);
      NotePosition(packet.to);
      return Receipt::kDuplicate;
    }
    const Receipt receipt = node.checkpointer->OnReceive(from, packet.stamp);
    NotePosition(packet.to);
    if (packet.kind == Kind::kAnnouncement && receipt == Receipt::kDuplicate) {
      node.entries.push_back({.life = node.life, .peer = from, .announced = packet.stamp.epoch});
    }
    if (packet.kind == Kind::kRumour && receipt != Receipt::kTake && receipt != Receipt::kGap) {
      node.entries.push_back({.life = node.life, .peer = from, .refused = packet.rumour});
    }
    if (receipt != Receipt::kTake) return receipt;
    Rumour& rumour = rumours_[packet.rumour];
    rumour.received_at.push_back(node.entries.size());
    Handle(packet.to, {.event = model::Event{model::EventKind::kDeliver, from, rumour.body},
                       .peer = from,
                       .received = packet.rumour});
    return receipt;
  }

  void Crash(uint32_t n) {
    if (!up(n)) return;
    Node& node = nodes_[n];
    node.survivor = node.live->Survivor();
    node.live.reset();
    node.floor = node.checkpointer->number() + Below(3);
    node.checkpointer.reset();
    history_.push_back({n, node.entries.size()});
    node.entries.push_back(
        {.event = model::Event{.kind = model::EventKind::kCrash}, .life = node.life});
    for (Connection& connection : connections_) {
      if (connection.from == n) connection.current = false;
      // One that survives stands for a proxy that does not notice.
      if (connection.to == n && Chance(80)) Kill(connection);
    }
  }

  void Restart(uint32_t n) {
    if (up(n)) return;
    Node& node = nodes_[n];
    ++node.life;
    node.live = service_.MakeLive(model::NodeId(n), node.survivor);
    node.checkpointer = MakeCheckpointer(n);
    for (uint32_t to = 0; to < nodes_.size(); ++to) {
      if (streams()) Connect(n, to);
      if (!streams()) Announce(n, to);
    }
    Handle(n, {.event = model::Event{.kind = model::EventKind::kRestart}});
  }

  void Announce(uint32_t from, uint32_t to) {
    if (!weather_.announces) return;
    const Stamp stamp = nodes_[from].checkpointer->Announce(model::NodeId(to));
    Emit({Kind::kAnnouncement, from, to, stamp, 0});
  }

  // Streams from here.

  void Connect(uint32_t from, uint32_t to) {
    const uint64_t epoch = nodes_[from].checkpointer->Announce(model::NodeId(to)).epoch;
    connections_.push_back({from, to, epoch, true, false, {}});
    Announce(from, to);
  }
  static void Kill(Connection& connection) {
    connection.dead = true;
    connection.packets.clear();
  }
  // The receiver breaks the stream, or learns that it is broken.
  void ResetByReceiver(Connection& connection) {
    Kill(connection);
    const uint32_t n = connection.to;
    if (!up(n)) return;
    const model::NodeId from(connection.from);
    nodes_[n].checkpointer->OnIncomingBroken(from, connection.epoch);
    Handle(n, {.event = model::Event{model::EventKind::kBreak, from, {}},
               .peer = from,
               .broken = connection.epoch});
  }
  // The sender breaks the stream, or learns that it is broken. What is under way may still arrive.
  void ResetBySender(size_t index) {
    const uint32_t from = connections_[index].from;
    const model::NodeId to(connections_[index].to);
    connections_[index].current = false;
    nodes_[from].checkpointer->OnOutgoingBroken(to);
    const uint64_t epoch = nodes_[from].checkpointer->Announce(to).epoch;
    nodes_[from].entries.push_back({.life = nodes_[from].life, .peer = to, .reset_epoch = epoch});
    Connect(from, to.value());
  }
  void DisturbStreams(uint32_t n) {
    const uint32_t peer = Below(nodes_.size());
    if (up(n) && Chance(50)) {
      const auto stamp = nodes_[n].checkpointer->Acknowledgement(model::NodeId(peer));
      if (stamp) Emit({Kind::kAcknowledgement, n, peer, *stamp, 0});
    }
    if (connections_.empty()) return;
    const size_t index = Below(connections_.size());
    const Connection& connection = connections_[index];
    if (!connection.current) {
      ResetByReceiver(connections_[index]);
      connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(index));
    } else if (connection.dead || (weather_.breaks && Chance(20))) {
      ResetBySender(index);
    } else if (weather_.breaks && Chance(20)) {
      ResetByReceiver(connections_[index]);
    }
  }

  // Collectors from here.

  void StartCollector() {
    if (collecting_.size() >= 3) return;
    uint64_t highest = 0;
    for (const auto& [key, position] : positions_) highest = std::max(highest, key.second);
    const uint64_t number = Chance(80) ? highest + 1 + Below(3) : 1 + random_() % (highest + 1);
    collecting_.push_back({.number = number,
                           .checkpoints = {nodes_.size(), nullptr},
                           .reasons = std::vector<std::string>(nodes_.size(), "not asked"),
                           .asked = std::vector<bool>(nodes_.size(), false)});
  }
  void Ask() {
    if (collecting_.empty()) return;
    const size_t index = Below(collecting_.size());
    Collection& collection = collecting_[index];
    const uint32_t n = Below(nodes_.size());
    if (!up(n) || collection.asked[n]) return;
    collection.asked[n] = true;
    const auto answer = nodes_[n].checkpointer->Request(collection.number);
    NotePosition(n);
    if (answer.ok()) collection.checkpoints[n] = *answer;
    collection.reasons[n] = answer.ok() ? "" : std::string(answer.status().message());
    const auto left = std::count(collection.asked.begin(), collection.asked.end(), false);
    if (left == 0) Finish(index);
  }
  void Finish(size_t index) {
    collections_.push_back(std::move(collecting_[index]));
    collecting_.erase(collecting_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  const model::Service& service_;
  const Weather weather_;
  std::mt19937_64 random_;
  std::vector<Node> nodes_;
  std::vector<Rumour> rumours_;
  std::vector<Packet> air_;
  std::vector<Connection> connections_;
  std::vector<Collection> collecting_;
  std::vector<Collection> collections_;
  std::map<std::pair<uint32_t, uint64_t>, size_t> positions_;
  std::vector<std::pair<uint32_t, size_t>> history_;
};

}  // namespace foretell::snapshot
