#pragma once

// The rows of DEMETER's Table 2 that there are systems for.

#include <array>
#include <optional>
#include <vector>

#include "tests/bench/dir_runs.h"

namespace foretell::bench {

struct DirRow {
  const char* name;
  const char* service;
  const char* scenario;
  uint32_t groups;  // Of consecutive philosophers; 0: every node on its own.
  // The paper's.
  const char* reduction;
  const char* skeletons;
  const char* local_traces;
  const char* time_ratio;
  const char* speedup;
  // Whether both searches take less than 0.2 s.
  bool quick_conservative;
  bool quick_exact;
};

inline constexpr std::array<DirRow, 8> kDirRows = {{
    {"DPhi-2", "philosophers", "dphi-2", 2, "41.7", "6", "1,510", "2.0", "20.9", false, false},
    {"DPhi-3", "philosophers", "dphi-3", 3, "7,098.0", "25", "2,236", "1.2", "5,915.0", false,
     false},
    {"Pam-2", "pam", "pam-2", 0, "5.4", "39", "856", "2.3", "2.3", true, true},
    {"Pam-3", "pam", "pam-3", 0, "97.8", "65", "6,081", "5.2", "18.9", false, false},
    {"Pastry-2", "pastry", "pastry-2", 0, "4.9", "48", "713", "1.5", "3.3", true, true},
    {"Pastry-3", "pastry", "pastry-3", 0, "132.4", "2,220", "7,360", "9.7", "13.6", false, false},
    {"Chord-2", "chord", "chord-2", 0, "19.0", "48", "3,282", "2.7", "7.0", false, true},
    {"Chord-3", "chord", "chord-3", 0, "1,587.0", "1,326", "17,384", "2.9", "547.2", false, true},
}};

inline constexpr std::array kModes = {dir::DependencyMode::kConservative,
                                      dir::DependencyMode::kExact};

DirSubject SubjectOf(const DirRow& row, dir::DependencyMode mode);

// One row in one mode, with the paper's interface. Times are the best of several.
struct DirResult {
  const DirRow* row;
  dir::DependencyMode mode;
  DirRun reduced;
  PlainRun plain;
  Seconds dependency_time;

  std::string name() const { return std::string(row->name) + ", " + ModeName(mode); }
  bool wrong() const {
    return reduced.complete && plain.complete &&
           reduced.tally.global_traces != static_cast<double>(plain.traces);
  }
  // Ratios, as the paper defines them; none of a part.
  std::optional<double> reduction() const;
  std::optional<double> time_ratio() const;
  std::optional<double> speedup() const;
};
using DirResults = std::vector<DirResult>;

// "41.7", "0.034"; kNoFigure if there is none.
std::string RatioText(std::optional<double> ratio);

}  // namespace foretell::bench
