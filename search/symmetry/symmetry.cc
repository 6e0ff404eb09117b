#include "foretell/search/symmetry/symmetry.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "foretell/search/symmetry/canonical.h"
#include "foretell/search/symmetry/classes.h"
#include "foretell/search/symmetry/equivariance.h"

namespace foretell::search {
namespace {

using model::EventId;
using model::NodeId;

// "{1 2 3} {4 5}".
std::string TextOf(const NodeClasses& classes) {
  return absl::StrJoin(classes, " ", [](std::string* out, const std::vector<NodeId>& nodes) {
    absl::StrAppend(
        out, "{",
        absl::StrJoin(nodes, " ",
                      [](std::string* to, NodeId node) { absl::StrAppend(to, node.value()); }),
        "}");
  });
}

uint64_t Permutations(const NodeClasses& classes) {
  uint64_t product = 1;
  for (const std::vector<NodeId>& nodes : classes) {
    for (uint64_t n = 2; n <= nodes.size(); ++n) {
      product = product > UINT64_MAX / n ? UINT64_MAX : product * n;
    }
  }
  return product;
}

class Symmetry final : public Quotient {
 public:
  Symmetry(GlobalSpace& space, model::InvariantTable& invariants, const NodeClasses& classes)
      : space_(space),
        table_(space.table()),
        canonical_(space, classes),
        equivariance_(table_, invariants, canonical_.exchanges()),
        images_max_(Permutations(classes)) {}

  void Represent(GlobalState& state) override { canonical_.Find(state); }
  void Judged(std::span<const uint32_t> signatures) override { equivariance_.Judged(signatures); }
  bool Verify(model::Budget& budget) override { return equivariance_.Check(budget); }
  const std::optional<std::string>& complaint() const override { return equivariance_.complaint(); }
  uint64_t images_max() const override { return images_max_; }
  uint64_t bytes() const override { return canonical_.bytes() + equivariance_.bytes(); }

  // A real system is followed beside the states that stand for its own: `word` leads from it to
  // them, and back again if read from its end.
  std::optional<model::Path> PathAlong(std::span<const GlobalState> states) override {
    GlobalState real = states[0];  // No exchange changes the start.
    Word word;
    model::Path path;
    for (size_t i = 1; i < states.size(); ++i) {
      const auto step = StepTo(states[i - 1], states[i]);
      if (!step || !Follow(*step, word, real, path)) return Lost();
      word.insert(word.end(), step->word.begin(), step->word.end());
    }
    return path;
  }

 private:
  // An event in a state that stands for others, and what it leads to.
  struct RepresentedStep {
    NodeId node;
    EventId event;
    GlobalState after;  // Before it was represented, ...
    Word word;          // ... which this did.
  };

  std::nullopt_t Lost() {
    equivariance_.Complain("a way through states that stand for others cannot be followed");
    return std::nullopt;
  }

  std::optional<RepresentedStep> StepTo(const GlobalState& from, const GlobalState& to) {
    std::vector<EventId> events;
    GlobalState after(from.node_count());
    for (uint32_t n = 0; n < from.node_count(); ++n) {
      events.clear();
      space_.Enabled(from, NodeId(n), events);
      for (const EventId event : events) {
        for (const model::Step& step : table_.Successors(NodeId(n), from.state(NodeId(n)), event)) {
          space_.Apply(from, NodeId(n), event, step, after);
          GlobalState image = after;
          Word word;
          canonical_.Find(image, &word);
          if (image == to) return RepresentedStep{NodeId(n), event, after, std::move(word)};
        }
      }
    }
    return std::nullopt;
  }

  // Takes the same step in `real`, of which `word` makes the state where `step` is taken.
  bool Follow(const RepresentedStep& step, const Word& word, GlobalState& real, model::Path& path) {
    NodeId node = step.node;
    EventId event = step.event;
    for (auto exchange = word.rbegin(); exchange != word.rend(); ++exchange) {
      event = canonical_.exchanges().Event(*exchange, node, event);
      node = canonical_.exchanges().at(*exchange)(node);
    }
    std::vector<EventId> events;
    space_.Enabled(real, node, events);
    if (std::find(events.begin(), events.end(), event) == events.end()) return false;
    for (const model::Step& own : table_.Successors(node, real.state(node), event)) {
      GlobalState after(real.node_count());
      space_.Apply(real, node, event, own, after);
      GlobalState image = TextFree(after);
      for (const uint32_t exchange : word) canonical_.exchanges().Apply(exchange, image);
      if (image != TextFree(step.after)) continue;
      path.push_back(table_.PathStepOf(node, event, own));
      real = after;
      return true;
    }
    return false;
  }

  GlobalState TextFree(GlobalState state) {
    for (uint32_t n = 0; n < state.node_count(); ++n) {
      state.set_state(NodeId(n),
                      canonical_.exchanges().TextFree(NodeId(n), state.state(NodeId(n))));
    }
    return state;
  }

  GlobalSpace& space_;
  model::TransitionTable& table_;
  Canonical canonical_;
  Equivariance equivariance_;
  const uint64_t images_max_;
};

}  // namespace

std::unique_ptr<Quotient> MakeSymmetry(GlobalSpace& space, model::InvariantTable& invariants,
                                       const model::SystemCut& start,
                                       std::vector<std::string>& notes) {
  const NodeClasses named = space.table().service().Interchangeable();
  const NodeClasses classes = ClassesThatFix(start, space);
  if (Permutations(classes) < Permutations(named)) {
    notes.push_back(absl::StrCat("Of interchangeable nodes ", TextOf(named),
                                 " the start, or the faults that may hit them, leave ",
                                 classes.empty() ? "none" : TextOf(classes), "."));
  }
  if (classes.empty()) return nullptr;
  return std::make_unique<Symmetry>(space, invariants, classes);
}

}  // namespace foretell::search
