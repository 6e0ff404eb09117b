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
  uint32_t groups;        // Of consecutive philosophers; 0: every node on its own.
  uint64_t exact_traces;  // As they are known to be in exact mode; 0: they are not.
  struct Paper {
    const char* reduction;
    const char* skeletons;
    const char* local_traces;
    const char* global_traces;  // reduction times local_traces.
    const char* time_ratio;
    const char* speedup;
  } paper;
  // Whether both searches take less than 0.2 s, by mode.
  struct Quick {
    bool conservative = false;
    bool exact = false;
  } quick;
};

inline constexpr std::array<DirRow, 8> kDirRows = {{
    {"DPhi-2",
     "philosophers",
     "dphi-2",
     2,
     (1u << 16) - 1,
     {"41.7", "6", "1,510", "~62,967", "2.0", "20.9"},
     {}},
    {"DPhi-3",
     "philosophers",
     "dphi-3",
     3,
     (1u << 24) - 1,
     {"7,098.0", "25", "2,236", "~15,871,128", "1.2", "5,915.0"},
     {}},
    {"Pam-2", "pam", "pam-2", 0, 0, {"5.4", "39", "856", "~4,622", "2.3", "2.3"}, {true, true}},
    {"Pam-3", "pam", "pam-3", 0, 0, {"97.8", "65", "6,081", "~594,722", "5.2", "18.9"}, {}},
    {"Pastry-2",
     "pastry",
     "pastry-2",
     0,
     0,
     {"4.9", "48", "713", "~3,494", "1.5", "3.3"},
     {true, true}},
    {"Pastry-3",
     "pastry",
     "pastry-3",
     0,
     0,
     {"132.4", "2,220", "7,360", "~974,464", "9.7", "13.6"},
     {}},
    {"Chord-2",
     "chord",
     "chord-2",
     0,
     0,
     {"19.0", "48", "3,282", "~62,358", "2.7", "7.0"},
     {false, true}},
    {"Chord-3",
     "chord",
     "chord-3",
     0,
     0,
     {"1,587.0", "1,326", "17,384", "~27,588,408", "2.9", "547.2"},
     {false, true}},
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
  // What says how many traces there are: the plain search, or arithmetic.
  enum class Judge { kNone, kSearch, kFormula };
  Judge judge() const;
  bool wrong() const;
  // Ratios, as the paper defines them; none of a part.
  std::optional<double> reduction() const;
  std::optional<double> time_ratio() const;
  std::optional<double> speedup() const;
};
using DirResults = std::vector<DirResult>;

// "41.7", "0.034"; kNoFigure if there is none.
std::string RatioText(std::optional<double> ratio);

}  // namespace foretell::bench
