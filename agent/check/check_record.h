#pragma once

// The findings of one check, and their form on disk: the JSON object that scripts rely on, with
// enough beside the contract's keys to replay every path from the file alone.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "foretell/agent/check/liveness_json.h"
#include "foretell/agent/drawing/space_time.h"
#include "foretell/model/budget.h"
#include "foretell/model/cut.h"
#include "foretell/model/report.h"
#include "foretell/model/service.h"
#include "foretell/predictors/coverage/coverage.h"

namespace foretell::agent {

struct CheckRecord {
  std::string service;
  std::string scenario;
  std::string bug;  // Empty: none.
  std::string engine;
  model::SystemCut start;
  model::Report report;
  double seconds = 0;
  uint64_t peak_rss_bytes = 0;
  model::Budget::Limit ended_by = model::Budget::Limit::kNone;
  bool interrupted = false;
  // Opinions of a judge outside of Foretell, one for each violation; empty where there is none.
  std::vector<std::string> opinions;
  predictors::Coverage coverage;
  DeathEvents death_events;  // Of the first violation, if it is death.
  // The numbers of the recorded cuts in Liveness::cuts.
  std::vector<uint64_t> cut_numbers;
};

// One object and a newline. `pictures` holds one entry per violation of the report.
std::string ToJson(const CheckRecord& record, const std::vector<SpaceTime>& pictures);

// Reads back what explaining needs: names, engine, outcome, start and violations; figures and
// notes are left out. InvalidArgument names the first thing that is wrong.
absl::StatusOr<CheckRecord> FromJson(const std::string& text);

// "paxos, scenario two-proposals, bug last-response, engine lmc".
std::string TitleOf(const CheckRecord& record);

}  // namespace foretell::agent
