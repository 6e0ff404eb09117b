#pragma once

// The rows of DEMETER's Table 2 that there are systems for.

#include <array>
#include <optional>
#include <vector>

#include "foretell/tests/bench/dir/runs.h"

namespace foretell::bench {

struct DirRow {
  const char* name;
  const char* service;
  const char* scenario;
  uint32_t philosophers;  // 0: something else, and every node is on its own.
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
    {"DPhi-2", "philosophers", "dphi-2", 16, {"41.7", "6", "1,510", "~62,967", "2.0", "20.9"}, {}},
    {"DPhi-3",
     "philosophers",
     "dphi-3",
     24,
     {"7,098.0", "25", "2,236", "~15,871,128", "1.2", "5,915.0"},
     {}},
    {"Pam-2", "pam", "loopback-2", 0, {"5.4", "39", "856", "~4,622", "2.3", "2.3"}, {true, true}},
    {"Pam-3", "pam", "pam-3", 0, {"97.8", "65", "6,081", "~594,722", "5.2", "18.9"}, {}},
    {"Pastry-2",
     "pastry",
     "pastry-2",
     0,
     {"4.9", "48", "713", "~3,494", "1.5", "3.3"},
     {true, true}},
    {"Pastry-3",
     "pastry",
     "pastry-3",
     0,
     {"132.4", "2,220", "7,360", "~974,464", "9.7", "13.6"},
     {}},
    {"Chord-2",
     "chord",
     "chord-2",
     0,
     {"19.0", "48", "3,282", "~62,358", "2.7", "7.0"},
     {false, true}},
    {"Chord-3",
     "chord",
     "chord-3",
     0,
     {"1,587.0", "1,326", "17,384", "~27,588,408", "2.9", "547.2"},
     {false, true}},
}};

inline constexpr std::array kModes = {dir::DependencyMode::kConservative,
                                      dir::DependencyMode::kExact};

// Philosophers are in components of eight. In conservative mode those are divided in turn, into
// parts of two; undivided ones have more local traces than there is time for.
DirSubject SubjectOf(const DirRow& row, dir::DependencyMode mode);
// How many traces there must be: known for philosophers only.
std::optional<double> ExpectedTraces(const DirRow& row, dir::DependencyMode mode);

// One row in one mode, with the paper's interface where nothing else is said. Times are the best of
// several.
struct DirResult {
  const DirRow* row;
  dir::DependencyMode mode;
  DirRun reduced;
  PlainRun plain;
  Seconds dependency_time;
  // The same with plain DFS in the place of DPOR; conservative only, as MACEMC.
  std::optional<DirRun> dfs_reduced;
  std::optional<PlainRun> dfs_plain;
  DirRun sends;  // With the interface of engine dir.

  bool divided() const {
    return row->philosophers > 0 && mode == dir::DependencyMode::kConservative;
  }
  std::string name() const {
    return std::string(row->name) + ", " + ModeName(mode) + (divided() ? "*" : "");
  }
  // What says how many traces there are: the plain search, or arithmetic.
  enum class Judge { kNone, kSearch, kFormula };
  Judge judge() const;
  bool wrong() const;
  // Ratios, as the paper defines them; none of a part.
  std::optional<double> reduction() const;
  std::optional<double> time_ratio() const { return TimeRatio(reduced, plain); }
  std::optional<double> sends_time_ratio() const { return TimeRatio(sends, plain); }
  std::optional<double> dfs_time_ratio() const;
  std::optional<double> speedup() const;
  static std::optional<double> TimeRatio(const DirRun& reduced, const PlainRun& plain);
};
using DirResults = std::vector<DirResult>;
// How many traces of the conservative plain search a local trace stands for. The reduction by
// exactness and by interfaces together: with the paper's ratio, both searches become exact.
std::optional<double> OverallReduction(const DirResults& results, const DirResult& result);

// "41.7", "0.034"; kNoFigure if there is none.
std::string RatioText(std::optional<double> ratio);

}  // namespace foretell::bench
