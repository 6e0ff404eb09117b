#pragma once

#include <cstdint>
#include <optional>

#include "foretell/model/liveness/liveness.h"
#include "foretell/search/cover/cover_search.h"
#include "foretell/search/recovery/certificate.h"
#include "foretell/search/recovery/recovery_moves.h"
#include "foretell/search/recovery/walker.h"
#include "foretell/search/state_store.h"

namespace foretell::search {

// As many equal datagrams as one send makes.
Copies UsualCopies(const model::Service& service);

// Says of single states whether they are alive, by a way to recover, or dead, by a proof. Asks what
// is cheap first and takes four times as much effort each round: closing the region, random walks,
// node graphs on their own, and for datagrams any number of copies (search/cover). What it learns
// about one state it remembers for the others.
class Oracle {
 public:
  // All outlive this.
  Oracle(model::InvariantTable& invariants, RecoveryMoves& moves, const model::Weights& weights,
         uint64_t seed);

  enum class Fate : uint8_t { kAlive, kDead, kUnknown };
  struct Answer {
    Fate fate = Fate::kUnknown;
    model::DeathProof proof;  // kDead.
    uint64_t walks = 0;       // kUnknown: walks that did not recover, ...
    uint32_t walk_steps = 0;  // ... of at least so many steps.
  };
  // The effort of Judge, in rounds.
  static constexpr uint32_t kRoundsMax = 8;
  // REQUIRES: `state` is one of space().
  Answer Judge(const GlobalState& state, model::Budget& budget, uint32_t rounds = kRoundsMax);

  // The evidence for an answer. REQUIRES: `answer` is kDead, of Judge(state).
  Certificate Certify(const GlobalState& state, const Answer& answer);
  // All that can follow a dead state, in full; empty if that is too much.
  std::vector<model::SystemCut> RegionOf(const GlobalState& state);
  // A shortest way to where the predicate holds; nothing if none was found.
  std::optional<model::Path> WayToLive(const GlobalState& state, model::Budget& budget);

  // The exact semantics, but that equal datagrams beyond the usual number get lost, so that timers
  // that send again do not make it endless.
  GlobalSpace& space() { return space_; }
  // A state of another space, here. `emptied`: with nothing in flight.
  GlobalState Place(const GlobalSpace& other, const GlobalState& state, bool emptied);
  GlobalState Place(const model::SystemCut& cut) { return space_.Start(cut); }
  // Any of 0 .. count-1, by the seed. REQUIRES: count > 0.
  uint64_t Below(uint64_t count) { return walker_.Below(count); }
  uint64_t walk_steps() const { return walker_.steps(); }
  model::CountOn count_on() const { return moves_.count_on(); }

 private:
  bool KnownAlive(const GlobalState& state) const {
    return alive_.Find(state.fields()) != StateStore::kNone;
  }
  // The ways that are still worth trying, for one state.
  struct Effort {
    bool walks = true;
    bool locally = true;
    bool cover = true;
  };
  std::optional<Answer> Close(const GlobalState& state, uint32_t states_max, model::Budget& budget,
                              Effort& effort);
  std::optional<Answer> Walk(const GlobalState& state, uint32_t walks, uint32_t steps,
                             model::Budget& budget);
  std::optional<Answer> Cover(const GlobalState& state, uint64_t steps_max, model::Budget& budget,
                              Effort& effort);
  std::optional<uint32_t> LiveSystem(CoverSearch& cover, model::Budget& budget);
  Certificate CertifyCover(const GlobalState& state);
  Certificate CertifyLocally(const GlobalState& state);
  std::optional<Answer> CloseLocally(const GlobalState& state, uint64_t steps_max,
                                     model::Budget& budget, Effort& effort);

  model::InvariantTable& invariants_;
  RecoveryMoves& moves_;
  const bool datagrams_;
  GlobalSpace space_;
  Walker walker_;
  StateStore alive_;
  StateStore dead_;
};

}  // namespace foretell::search
