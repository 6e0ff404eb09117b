#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "foretell/model/service.h"
#include "foretell/snapshot/protocol/cut_assembly.h"
#include "foretell/snapshot/testing/simulated_cluster.h"

namespace foretell::snapshot {

// Knows all that happened in a run, and says of a cut whether it is what it claims to be. Shares
// nothing with the code that it judges: it goes by the history, not by checkpoints.
class CutJudge {
 public:
  CutJudge(const model::Service& service, const SimulatedCluster& cluster)
      : service_(service), cluster_(cluster), count_(service.node_count()) {
    for (uint32_t n = 0; n < count_; ++n) ReplayNode(n);
    ReplayClocks();
  }

  // Empty if nodes took what they said they could take, and refused the rest; else a complaint.
  std::string WrongReceipt() const {
    for (uint32_t n = 0; n < count_; ++n) {
      View view;
      for (const Entry& entry : cluster_.entries(n)) {
        Age(view, entry);
        if (entry.received && !Next(view, cluster_.rumours()[*entry.received])) {
          return absl::StrCat("node ", n, " took message ", *entry.received);
        }
        if (entry.refused && Acceptable(view, cluster_.rumours()[*entry.refused])) {
          return absl::StrCat("node ", n, " refused message ", *entry.refused);
        }
        Apply(view, model::NodeId(n), entry);
      }
    }
    return "";
  }

  // The fault of `snapshot`; empty if it has none.
  std::string Complaint(Collection collection, const Snapshot& snapshot) const {
    const bool streams = service_.network().kind == model::NetworkKind::kStreams;
    if (streams && snapshot.notes.size() != snapshot.absent.size()) return "a stream with a hole";
    for (const Absent& absent : snapshot.absent) {
      auto& checkpoint = collection.checkpoints[absent.node.index()];
      if (checkpoint != nullptr && !streams) return "a node is left out without need";
      checkpoint = nullptr;
    }
    std::vector<size_t> positions(count_, 0);
    for (uint32_t n = 0; n < count_; ++n) {
      if (collection.checkpoints[n] == nullptr) continue;
      positions[n] = cluster_.PositionOf(n, collection.checkpoints[n]->number);
      if (snapshot.cut.nodes[n].body != states_[n][positions[n]]) {
        return absl::StrCat("node ", n, " was never in this state after ", positions[n], " events");
      }
    }
    std::string complaint = OpenCause(collection, positions);
    if (complaint.empty() && snapshot.absent.empty()) complaint = NoOrder(positions);
    if (complaint.empty()) complaint = WrongFlight(collection, snapshot, positions);
    return complaint;
  }

 private:
  // A channel as its receiver knows it.
  struct Ear {
    uint64_t epoch = 0;
    uint64_t high = 0;
    std::set<uint64_t> got;
    bool closed = false;
  };
  struct View {
    uint64_t life = 1;
    uint64_t own_epoch = FirstEpoch(1);  // Of the channel to itself.
    std::map<model::NodeId, Ear> ears;
  };
  using Clock = std::vector<size_t>;  // The number of entries of each node in the past.

  void ReplayNode(uint32_t n) {
    std::string state = service_.InitialState(model::NodeId(n));
    auto& states = states_.emplace_back(1, state);
    for (const Entry& entry : cluster_.entries(n)) {
      if (entry.event) {
        state = service_.Run(model::NodeId(n), state, std::span(&*entry.event, 1), {}).state;
      }
      states.push_back(state);
    }
  }

  void ReplayClocks() {
    clocks_.resize(count_);
    for (const auto& [n, index] : cluster_.history()) {
      Clock clock = clocks_[n].empty() ? Clock(count_, 0) : clocks_[n].rbegin()->second;
      const Entry& entry = cluster_.entries(n)[index];
      if (entry.received) {
        const Rumour& rumour = cluster_.rumours()[*entry.received];
        const Clock& cause = clocks_[rumour.from.index()].at(rumour.sent_at);
        for (uint32_t k = 0; k < count_; ++k) clock[k] = std::max(clock[k], cause[k]);
      }
      clock[n] = index + 1;
      clocks_[n][index] = std::move(clock);
    }
  }

  // The past of every node in the cut is in the cut, also what came through absent nodes.
  std::string OpenCause(const Collection& collection, const std::vector<size_t>& positions) const {
    for (uint32_t q = 0; q < count_; ++q) {
      const auto next = clocks_[q].lower_bound(positions[q]);
      if (collection.checkpoints[q] == nullptr || next == clocks_[q].begin()) continue;
      const Clock& clock = std::prev(next)->second;
      for (uint32_t p = 0; p < count_; ++p) {
        if (collection.checkpoints[p] == nullptr || clock[p] <= positions[p]) continue;
        return absl::StrCat("node ", q, " knows ", clock[p], " events of node ", p,
                            ", the cut has ", positions[p]);
      }
    }
    return "";
  }

  // The events of the cut, in the order of the run, are a run.
  std::string NoOrder(const std::vector<size_t>& positions) const {
    std::set<size_t> sent;
    for (const auto& [n, index] : cluster_.history()) {
      if (index >= positions[n]) continue;
      const Entry& entry = cluster_.entries(n)[index];
      if (entry.received && !sent.contains(*entry.received)) {
        return absl::StrCat("node ", n, " received message ", *entry.received,
                            " before it was sent");
      }
      sent.insert(entry.sent.begin(), entry.sent.end());
    }
    return "";
  }

  View ViewOf(uint32_t n, size_t position) const {
    View view;
    for (size_t i = 0; i < position; ++i) {
      Age(view, cluster_.entries(n)[i]);
      Apply(view, model::NodeId(n), cluster_.entries(n)[i]);
    }
    return view;
  }
  // A new life knows nothing.
  static void Age(View& view, const Entry& entry) {
    if (entry.life != view.life) view = {entry.life, FirstEpoch(entry.life), {}};
  }
  void Apply(View& view, model::NodeId node, const Entry& entry) const {
    if (entry.reset_epoch && entry.peer == node) view.own_epoch = *entry.reset_epoch;
    if (entry.announced) EarFor(view, entry.peer, *entry.announced);
    if (entry.received) {
      const Stamp& stamp = cluster_.rumours()[*entry.received].stamp;
      Ear& ear = EarFor(view, entry.peer, stamp.epoch);
      ear.high = std::max(ear.high, stamp.seq);
      ear.got.insert(stamp.seq);
    }
    if (entry.broken) {
      Ear& ear = view.ears[entry.peer];
      ear.closed = ear.closed || ear.epoch == *entry.broken;
    }
  }
  static Ear& EarFor(View& view, model::NodeId from, uint64_t epoch) {
    Ear& ear = view.ears[from];
    if (ear.epoch < epoch) ear = {.epoch = epoch};
    return ear;
  }
  bool Acceptable(const View& view, const Rumour& rumour) const {
    const Stamp& stamp = rumour.stamp;
    if (rumour.from == rumour.to && stamp.epoch != view.own_epoch) return false;
    const auto known = view.ears.find(rumour.from);
    const Ear ear = known == view.ears.end() ? Ear() : known->second;
    if (stamp.epoch != ear.epoch) return stamp.epoch > ear.epoch;
    if (service_.network().kind == model::NetworkKind::kStreams) {
      return !ear.closed && stamp.seq > ear.high;
    }
    return stamp.seq + kWindow > ear.high && !ear.got.contains(stamp.seq);
  }

  // Acceptable, and not out of order.
  bool Next(const View& view, const Rumour& rumour) const {
    if (!Acceptable(view, rumour)) return false;
    if (service_.network().kind != model::NetworkKind::kStreams) return true;
    const auto known = view.ears.find(rumour.from);
    const bool begun = known != view.ears.end() && known->second.epoch == rumour.stamp.epoch;
    return rumour.stamp.seq == (begun ? known->second.high : 0) + 1;
  }

  using Name = std::pair<uint32_t, uint32_t>;  // Of a channel: sender and receiver.
  // Messages sent in the cut, not received in it, that can still be, in the order of sending.
  std::map<Name, std::vector<const Rumour*>> Expected(const Collection& collection,
                                                      const std::vector<size_t>& positions) const {
    std::vector<View> views;
    for (uint32_t n = 0; n < count_; ++n) views.push_back(ViewOf(n, positions[n]));
    std::map<Name, std::vector<const Rumour*>> expected;
    for (const Rumour& rumour : cluster_.rumours()) {
      const size_t from = rumour.from.index();
      const size_t to = rumour.to.index();
      const bool absent =
          collection.checkpoints[from] == nullptr || collection.checkpoints[to] == nullptr;
      const bool received = std::any_of(rumour.received_at.begin(), rumour.received_at.end(),
                                        [&](size_t index) { return index < positions[to]; });
      if (absent || received || rumour.sent_at >= positions[from]) continue;
      if (!Acceptable(views[to], rumour)) continue;
      expected[{rumour.from.value(), rumour.to.value()}].push_back(&rumour);
    }
    return expected;
  }

  std::string WrongFlight(const Collection& collection, const Snapshot& snapshot,
                          const std::vector<size_t>& positions) const {
    std::map<Name, std::vector<std::string>> flight;
    for (const model::Message& message : snapshot.cut.in_flight) {
      flight[{message.from.value(), message.to.value()}].push_back(message.body);
    }
    // Between nodes that are there, absence of others is no reason to miss anything.
    const bool exact = snapshot.notes.size() == snapshot.absent.size();
    if (snapshot.exact != (exact && snapshot.absent.empty())) return "exact, but with notes";
    auto expected = Expected(collection, positions);
    for (const auto& [name, bodies] : flight) {
      std::string complaint = WrongPart(bodies, expected[name]);
      if (!complaint.empty()) return complaint;
    }
    for (const auto& [name, rumours] : expected) {
      if (!flight[name].empty() && BehindBreak(*rumours.front(), positions)) {
        return absl::StrCat("a break comes before what arrives at node ", name.second);
      }
      if (!exact || flight[name].size() == rumours.size()) continue;
      return absl::StrCat("exact, but of ", rumours.size(), " messages only ", flight[name].size(),
                          " are in flight");
    }
    return "";
  }
  // True iff the receiver has to lose a stream before it can take `rumour`.
  bool BehindBreak(const Rumour& rumour, const std::vector<size_t>& positions) const {
    if (service_.network().kind != model::NetworkKind::kStreams) return false;
    if (rumour.from == rumour.to) return false;  // Old epochs end at once.
    const View view = ViewOf(rumour.to.value(), positions[rumour.to.index()]);
    const auto ear = view.ears.find(rumour.from);
    if (ear == view.ears.end() || ear->second.epoch == 0) return false;
    return ear->second.epoch != rumour.stamp.epoch && !ear->second.closed;
  }
  // In the order of sending. Epochs of a stream may be missing as a whole, but what is known of one
  // goes on from its beginning.
  std::string WrongPart(const std::vector<std::string>& bodies,
                        const std::vector<const Rumour*>& expected) const {
    std::set<uint64_t> holes;
    auto at = expected.begin();
    for (const std::string& body : bodies) {
      for (; at != expected.end() && (*at)->body != body; ++at) holes.insert((*at)->stamp.epoch);
      if (at == expected.end()) return "a message in flight cannot arrive, or not in this order";
      const bool hole = holes.contains((*at)->stamp.epoch);
      if (hole && service_.network().kind == model::NetworkKind::kStreams) {
        return absl::StrCat("a stream begins with message ", (*at)->stamp.seq);
      }
      ++at;
    }
    return "";
  }

  const model::Service& service_;
  const SimulatedCluster& cluster_;
  const uint32_t count_;
  std::vector<std::vector<std::string>> states_;  // By node, after how many entries.
  std::vector<std::map<size_t, Clock>> clocks_;   // By node, after the entry with this index.
};

}  // namespace foretell::snapshot
