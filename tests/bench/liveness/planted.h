#pragma once

// The bugs of the four systems after the MaceMC paper that are about liveness, and what must be
// found: one row each. A step of 0: dead from the start.

#include <cstddef>

namespace foretell::bench {

struct PlantedDeath {
  const char* service;
  const char* scenario;
  const char* bug;
  const char* property;
  size_t critical_step;
  bool by_loss = false;
};

inline constexpr PlantedDeath kPlantedDeaths[] = {
    {"transport", "one-give-up", "stale-syn", "all-acked", 5},
    {"transport", "two-give-ups", "stale-syn", "all-acked", 5},
    {"transport", "crash", "no-fast-reset", "all-acked", 7},
    {"transport", "window", "ack-beyond", "all-acked", 5},
    {"transport", "one-give-up", "stale-reset", "all-acked", 5},
    {"transport", "one-give-up", "no-retry", "all-acked", 1, true},
    {"randtree", "leaf-resets", "init-ignores-reply", "kids-match", 9},
    {"randtree", "chain", "forgets-recovery", "one-root", 3},
    {"randtree", "chain", "keeps-silent", "kids-match", 5},
    {"randtree", "late-leave", "remove-only-joined", "kids-match", 5},
    {"randtree", "leaf-resets", "no-rejoin", "kids-match", 15},
    {"randtree", "lost-root", "old-root", "kids-match", 5},
    {"chord", "ring-3", "self-loop", "all-nodes", 0},
    {"chord", "ring-3", "no-notify", "all-nodes", 7},
    {"chord", "ring-3", "deaf-bootstrap", "all-joined", 2},
    {"chord", "ring-3-reset", "mute-outsider", "all-nodes", 12},
    {"chord", "ring-3-source-reset", "own-successor", "all-nodes", 14},
    {"pastry", "leaves-2-idle", "rejoin", "all-joined", 5},
    {"pastry", "leaves-3", "no-merge", "all-nodes", 4},
    {"pastry", "leaves-2-first-reset", "no-recovery", "all-nodes", 7},
    {"pastry", "leaves-3", "lost-deferred", "all-joined", 2},
};

// Correct versions, in which nothing may be dead.
struct CleanSystem {
  const char* service;
  const char* scenario;
  const char* property;
};

inline constexpr CleanSystem kCleanSystems[] = {
    {"transport", "one-give-up", "all-acked"}, {"transport", "two-give-ups", "all-acked"},
    {"transport", "crash", "all-acked"},       {"transport", "window", "all-acked"},
    {"randtree", "chain", "kids-match"},       {"randtree", "leaf-resets", "kids-match"},
    {"randtree", "late-leave", "one-root"},    {"randtree", "lost-root", "all-joined"},
    {"chord", "ring-3", "all-nodes"},          {"chord", "ring-3-reset", "all-nodes"},
    {"chord", "ring-4", "all-nodes"},          {"pastry", "leaves-2-idle", "all-joined"},
    {"pastry", "leaves-3", "all-nodes"},
};

}  // namespace foretell::bench
