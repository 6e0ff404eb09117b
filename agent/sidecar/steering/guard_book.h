#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "foretell/model/service.h"
#include "foretell/snapshot/node/guard.h"

namespace foretell::agent {

// What the guarded invariants can see of every node at this moment, and so which steps nodes may
// take: the agent's half of the guard protocol (docs/decisions/0047-guard.md). A node that was
// granted a step may have taken it or not; until it says so, both views count. A step is granted
// only if none of its views breaks an invariant together with any combination of what the other
// nodes can look like. Pure; one thread at a time.
class GuardBook {
 public:
  struct Options {
    std::vector<size_t> invariants;  // Guarded ones, in the order of the nodes' views.
    std::string decision_prefix;     // Makes decisions of this run of the agent unique.
  };
  // `service` outlives the book.
  GuardBook(const model::Service& service, Options options);

  struct Decision {
    model::NodeId node{0};
    snapshot::GuardAnswer answer;
    std::string event;
    std::string reason;  // Of a refusal, one sentence.
  };
  using Decisions = std::vector<Decision>;

  // The node was asked to let itself be guarded; its first steps may be here before its answer.
  Decisions Joining(model::NodeId node);
  // The node is guarded from now on.
  Decisions Joined(model::NodeId node, const snapshot::GuardJoined& joined);
  // The node is not guarded any more. What was known of it counts on for invariants that are
  // stable, because it can only have got worse; for others nothing is known.
  Decisions Lost(model::NodeId node);
  // Each step is answered once, by this or a later call. A step that does not fit is answered at
  // once, and granted: a node that is not understood is not stopped, and not guarded any more.
  Decisions Ask(model::NodeId node, const snapshot::GuardStep& step);
  Decisions Settled(model::NodeId node, const snapshot::GuardSettled& settled);
  // The step has waited for long enough: it is refused if it still waits.
  Decisions Overdue(model::NodeId node, uint64_t step);

  bool guarded(model::NodeId node) const { return nodes_[node.index()].joined; }
  // True iff all nodes are guarded, so that the promise holds for all of them.
  bool complete() const;
  // The nodes that break invariant number `i` of the guarded ones now, if all are as they were last
  // known to be; empty if it holds or is not known.
  std::vector<uint32_t> Broken(size_t i) const;
  // True iff the i-th invariant holds however those that count look like, so that it will go on to.
  bool safe(size_t i) const;
  uint64_t granted() const { return granted_; }
  uint64_t refused() const { return refused_; }
  // Judgements that were given up, because nodes can look like too many things together.
  uint64_t unjudged() const { return unjudged_; }

 private:
  // A state that a node may be in.
  struct Entry {
    uint64_t step = 0;
    snapshot::GuardViews views;
  };
  struct Node {
    bool joining = false;
    bool joined = false;
    std::vector<Entry> entries;             // By rising step; empty if nothing is known.
    std::deque<snapshot::GuardStep> queue;  // Not decided yet, in order.
  };
  // What is to become of a step.
  struct Finding {
    enum class Kind : uint8_t { kSafe, kWait, kBroken } kind = Kind::kSafe;
    size_t invariant = 0;
    std::vector<uint32_t> nodes;
  };

  using Keys = std::vector<std::optional<std::string>>;
  // What `views` show to the i-th guarded invariant, without repetition.
  static Keys KeysOf(const snapshot::GuardViews& views, size_t i);
  static void AddKeys(const snapshot::GuardViews& views, size_t i, Keys& keys);
  bool Fits(const snapshot::GuardViews& views) const;
  Finding Judge(uint32_t self, const snapshot::GuardStep& step, const Entry& base) const;
  Finding JudgeOne(uint32_t self, const Keys& before, const Keys& after, size_t i) const;
  // What the nodes other than `self` can look like to the i-th invariant together, one world after
  // the other, until `visit` returns true. False if there are too many to go through.
  template <class Visit>
  bool ForEachWorld(uint32_t self, size_t i, Visit visit) const;
  // What a node can show to the i-th invariant; nothing if that is not known, or not any more.
  Keys Shown(uint32_t node, size_t i) const;
  // True iff what is known of the node is true, or true enough, for the i-th invariant.
  bool Counts(const Node& node, size_t i) const;
  const model::InvariantInfo& Info(size_t i) const;
  // Adds the decisions on all that can be decided now.
  Decisions Then(Decisions decisions);
  // False if the node's first step has to wait.
  bool DecideFirst(uint32_t node, Decisions& decisions);
  void Answer(uint32_t node, const Finding* broken, Decisions& decisions);
  // Steps that will never happen, and so are not to be decided any more.
  void DropQueued(uint32_t node, uint64_t after, uint64_t before, Decisions& decisions);
  std::string ReasonOf(uint32_t node, const Finding& finding) const;

  const model::Service& service_;
  const Options options_;
  std::vector<Node> nodes_;
  uint64_t granted_ = 0;
  uint64_t refused_ = 0;
  mutable uint64_t unjudged_ = 0;
};

}  // namespace foretell::agent
