#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "foretell/model/hash.h"
#include "foretell/model/service.h"
#include "foretell/model/sync/mutex.h"
#include "foretell/predictors/coverage/coverage.h"

namespace foretell::predictors {

// Tests the claim that one invariant is stable: once violated, violated for ever. Every change of
// what the invariant sees of a node is tried together with what was seen of the other nodes,
// whether or not they get there together: a violation that it ends is a doubt. Only the first
// kKeysMax projections of a node take part, and of combinations of all nodes a part; no doubt is
// no proof. For several threads.
class StableProbe {
 public:
  static constexpr size_t kKeysMax = 64;

  // The service outlives this.
  StableProbe(const model::Service& service, size_t invariant);

  // Tells of a state that `node` may start in.
  void See(model::NodeId node, const std::string& state) ABSL_LOCKS_EXCLUDED(mutex_);
  // Tells of a run of a handler that did not fail.
  void Change(model::NodeId node, const std::string& before, const model::Event& event,
              const std::string& after) ABSL_LOCKS_EXCLUDED(mutex_);

  // Service::Project of the invariant. Asked here, whoever needs it as well pays only once.
  std::optional<std::string> Project(model::NodeId node, const std::string& state)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // The first change that ends a violation; nothing so far if there is none.
  std::optional<Doubt> doubt() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Key = std::optional<std::string>;
  using Number = uint32_t;  // Of a key among those of its node.
  static constexpr Number kOther = UINT32_MAX;
  struct Step {
    Number from = 0;
    Number to = 0;
    std::string before;
    model::Event event;
    std::string after;
  };
  struct Cached {
    model::Hash128 hash;
    Number number = kOther;
    bool known = false;
  };
  struct Node {
    std::vector<Key> keys;  // By number.
    std::map<Key, Number> numbers;
    std::vector<Step> steps;                      // One for each change of the key.
    std::set<std::pair<Number, Number>> stepped;  // The same.
    std::vector<Cached> cache;                    // By hash of the state; empty until it is used.
  };
  // A key that another node must have.
  struct Pin {
    uint32_t node = 0;
    Number number = 0;
  };

  Number NumberOf(uint32_t node, const std::string& state) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  Number Intern(uint32_t node, Key key) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Test(uint32_t node, const Step& step, std::optional<Pin> pin)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TestPairs(uint32_t node, const Step& step, std::optional<Pin> pin)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void TestSystems(uint32_t node, const Step& step, std::optional<Pin> pin)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool Violates(std::vector<Key> keys) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Report(uint32_t node, const Step& step, std::optional<uint32_t> other)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const model::Service& service_;
  const size_t invariant_;
  const model::Scope scope_;
  mutable model::Mutex mutex_;
  std::vector<Node> nodes_ ABSL_GUARDED_BY(mutex_);
  uint64_t judged_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<Doubt> doubt_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::predictors
