#include "foretell/agent/commands/selftest.h"

#include "absl/strings/str_cat.h"
#include "foretell/agent/console/live_line.h"
#include "foretell/agent/console/quantities.h"
#include "foretell/agent/selftest/selftest.h"

namespace foretell::agent {
namespace {

absl::Status ReadNumber(const char* option, const std::string& text, uint64_t least,
                        uint64_t& value) {
  if (text.empty()) return absl::OkStatus();
  const absl::StatusOr<uint64_t> number = ParseCount(text, least);
  if (!number.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(option, ": ", std::string(number.status().message())));
  }
  value = *number;
  return absl::OkStatus();
}

}  // namespace

int RunSelftestCommand(const SelftestArgs& args, Streams& streams) {
  SelftestOptions options;
  absl::Status status = ReadNumber("--count", args.count, 1, options.count);
  if (status.ok()) status = ReadNumber("--seed", args.seed, 0, options.seed);
  if (!status.ok()) return Fail(streams, status);
  SelftestReport report;
  {
    LiveLine line(streams);
    report = RunSelftest(options, StandardEngines(), [&](const SelftestReport& so_far) {
      if (!line.Due()) return;
      line.Show(absl::StrCat("selftest  ", FormatCount(so_far.checked), " of ",
                             FormatCount(options.count), " services  ", so_far.disagreements.size(),
                             " disagreements"));
    });
  }
  return PrintSelftest(report, streams.out);
}

}  // namespace foretell::agent
