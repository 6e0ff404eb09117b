#pragma once

// Texts of engine dir's reports.

#include <cstdint>
#include <string>
#include <vector>

#include "foretell/dir/explore/global_explorer.h"
#include "foretell/dir/journal/records.h"

namespace foretell::dir {

// "1 unit", "1,234 units".
std::string Counted(uint64_t count, const std::string& what);

// The counts of an exploration. Local traces are left out where a journal does not know them.
std::string CountsText(const Tally& tally, bool complete, bool local_traces_known);
std::string ProgressText(const Tally& tally);

// Notes on the units that a check took from its journal, and on the journal's losses. None about a
// new one.
std::vector<std::string> JournalNotes(uint64_t units, const RecordReader::Losses& losses);

}  // namespace foretell::dir
