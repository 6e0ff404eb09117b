#include "foretell/dir/notes.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace foretell::dir {
namespace {

// Thousands apart, as the rest of a report has them.
std::string Grouped(uint64_t count) {
  std::string text = absl::StrCat(count);
  for (size_t from_end = 3; from_end < text.size(); from_end += 4) {
    text.insert(text.size() - from_end, ",");
  }
  return text;
}

// Digits that a sum of doubles does not have are not shown: they would depend on its order.
std::string GlobalTraces(double count) {
  constexpr double kExactBelow = 9007199254740992;  // 2^53
  if (count < kExactBelow) return Counted(static_cast<uint64_t>(count), "global trace");
  return absl::StrFormat("about %.6g global traces", count);
}

}  // namespace

std::string Counted(uint64_t count, const std::string& what) {
  return absl::StrCat(Grouped(count), " ", what, count == 1 ? "" : "s");
}

std::string CountsText(const Tally& tally, bool complete, bool local_traces_known) {
  std::string text = Counted(tally.skeletons, "global skeleton");
  uint64_t last = tally.skeletons;
  if (local_traces_known) {
    last = tally.local_traces;
    absl::StrAppend(&text, "; ", Counted(last, "local trace"));
  }
  if (!complete) return text + " so far.";
  return absl::StrCat(text, last == 1 ? " stands" : " stand", " for at least ",
                      GlobalTraces(tally.global_traces), ".");
}

std::string ProgressText(const Tally& tally) {
  return absl::StrCat(
      Counted(tally.skeletons, "skeleton"), ", ", Counted(tally.local_traces, "local trace"), ", ",
      Counted(tally.branchings, "branching"), ", ", Counted(tally.queue, "unit"), " waiting");
}

std::vector<std::string> JournalNotes(uint64_t units, const RecordReader::Losses& losses) {
  std::vector<std::string> notes;
  if (units > 0)
    notes.push_back(absl::StrCat("Went on with ", Counted(units, "unit"), " of the journal."));
  if (losses.torn_bytes > 0) {
    notes.push_back(absl::StrCat(
        "The journal ended within a record: ", Counted(losses.torn_bytes, "byte"), " cut off."));
  }
  if (losses.damaged_places > 0) {
    const std::string places =
        losses.damaged_places == 1
            ? ""
            : absl::StrCat("in ", Counted(losses.damaged_places, "place"), ", the first ");
    notes.push_back(absl::StrCat("The journal is damaged ", places, "at offset ", losses.damaged_at,
                                 ": ", Counted(losses.damaged_bytes, "byte"), " left out."));
  }
  return notes;
}

}  // namespace foretell::dir
