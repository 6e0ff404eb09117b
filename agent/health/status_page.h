#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "foretell/agent/telemetry/signals/record.h"
#include "foretell/model/report.h"
#include "foretell/snapshot/node/filter.h"

namespace foretell::agent {

// The content of the page at "/". Texts are plain: the page escapes them.
struct StatusPage {
  struct Invariant {
    std::string name;
    snapshot::Mode mode = snapshot::Mode::kObserve;
    std::optional<uint32_t> steps_away;  // Now; none: no violation was found.
    uint64_t predictions = 0;
    uint64_t vetoes = 0;
  };
  // A liveness predicate.
  struct Life {
    std::string name;
    snapshot::Mode mode = snapshot::Mode::kObserve;
    std::string life;  // "holds", "alive", "dead", "suspected", "undecided".
    bool dead = false;
    std::string text;   // What that rests on, and how far death is.
    std::string since;  // From history: how long it has not held, and what is usual.
    uint64_t predictions = 0;
    uint64_t vetoes = 0;
  };
  struct Round {
    uint64_t number = 0;
    std::chrono::system_clock::time_point start;
    std::chrono::nanoseconds duration{0};
    RoundOutcome outcome = RoundOutcome::kOk;
    std::string detail;                      // Why it failed, or what its snapshot lacks.
    std::optional<uint64_t> snapshot_bytes;  // On the wire; none: there was no snapshot.
    bool exact = true;
  };
  struct Node {
    uint32_t id = 0;
    std::string address;
    bool up = false;
    std::string status;  // "ok", or why not.
    uint64_t checkpoint = 0;
    std::optional<double> overhead;  // Fraction of its time.
    std::string guard;               // "guarded", or why not; empty: no invariant is guarded.
  };
  struct Engine {
    std::string engine;
    std::string space;
    std::optional<model::Outcome> outcome;  // None: it failed.
    std::string faults;  // Why it failed, and claims of it that the cut did not confirm.
    uint64_t states = 0;
    uint64_t depth = 0;
    std::chrono::nanoseconds duration{0};
  };
  struct Prediction {
    std::chrono::system_clock::time_point time;
    std::string invariant;
    std::string engine;
    snapshot::Mode mode = snapshot::Mode::kObserve;
    uint32_t steps_away = 0;
    std::string text;
    std::string decision;  // Under which it is steered; empty: it is not.
    std::string plan;
    std::string command;  // That replays it.
  };
  struct Veto {
    std::string decision;
    std::string invariant;
    snapshot::Mode mode = snapshot::Mode::kEnforce;
    snapshot::FilterKind kind = snapshot::FilterKind::kDrop;
    uint32_t node = 0;
    std::string event;
    std::optional<uint64_t> hits;  // Events that it stopped or would have, as the node last said.
    std::chrono::system_clock::time_point until;
  };

  // One answer to "why is nothing predicted?".
  struct Finding {
    std::string name;  // "cut", "search", ...; a word.
    bool good = true;  // False: less is predicted because of it, or less is kept.
    std::string text;  // Whole sentences.
  };

  // Another agent, or an earlier life of this one that has left vetoes behind.
  struct Agent {
    std::string name;
    bool own = false;
    bool connected = false;
    std::chrono::system_clock::time_point since;
    uint32_t vetoes = 0;
    std::string text;  // All of it, in a sentence.
  };

  std::string service;  // With scenario or cluster name, as the operator knows it.
  std::string version;
  std::chrono::system_clock::time_point started;
  std::chrono::system_clock::time_point updated;
  std::string killed;  // Why the kill switch is on; empty: it is off.
  uint64_t rounds = 0;
  std::optional<Round> last_round;
  std::vector<Finding> findings;  // Of the last round.
  std::vector<Invariant> invariants;
  std::vector<Life> lives;
  std::vector<Node> nodes;
  std::vector<Engine> engines;          // Of the last round.
  std::vector<Prediction> predictions;  // The latest first. The caller limits their number.
  std::vector<Veto> vetoes;             // In force.
  std::vector<Agent> agents;
};

// The page as HTML, complete in itself; it loads itself again every `refresh` seconds.
std::string StatusHtml(const StatusPage& page, int refresh);

}  // namespace foretell::agent
