#pragma once

// How reports of engine dir say things.

#include <cstdint>
#include <string>
#include <vector>

#include "dir/global_explorer.h"
#include "dir/journal_records.h"

namespace foretell::dir {

// "1 unit", "1,234 units".
std::string Counted(uint64_t count, const std::string& what);

// What was found. Local traces are left out where a journal does not know them.
std::string CountsText(const Tally& tally, bool complete, bool local_traces_known);
std::string ProgressText(const Tally& tally);

// What a check owes to its journal, and what the journal has lost. Nothing about a new one.
std::vector<std::string> JournalNotes(uint64_t units, const RecordReader::Losses& losses);

}  // namespace foretell::dir
