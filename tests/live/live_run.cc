#include "foretell/tests/live/live_run.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "absl/strings/str_cat.h"
#include "foretell/agent/check/selection.h"
#include "foretell/integration/catalog.h"

namespace foretell::live {

RunFolder::RunFolder() {
  std::string name = std::filesystem::temp_directory_path() / "ftlive-XXXXXX";
  if (mkdtemp(name.data()) != nullptr) path_ = name;
}

RunFolder::~RunFolder() {
  std::error_code ignored;
  // What went wrong can be looked at if somebody asks for it.
  if (!path_.empty() && std::getenv("FORETELL_LIVE_KEEP") == nullptr) {
    std::filesystem::remove_all(path_, ignored);
  }
}

agent::DemoRunOptions DemoRunFor(const RunOptions& options, const std::string& folder) {
  agent::DemoRunOptions run;
  run.cluster = {.program = FORETELL_PROGRAM,
                 .folder = folder,
                 .service = options.service,
                 .bug = options.bug,
                 .seed = options.seed,
                 .node_flags = {"--loss", "0.3", "--delay", "2ms..40ms"}};
  run.workload = {.seed = options.seed, .call = options.call};
  run.agent_config = absl::StrCat(
      agent::PatientPace(options.steps_max, options.more), "[invariants]\ndefault = \"",
      options.mode, "\"\n[archive]\npath = \"", folder, "/cuts.ftl\"\n[bundles]\npath = \"", folder,
      "\"\n[audit]\npath = \"", folder, "/audit.jsonl\"\n");
  run.calls_max = options.calls_max;
  run.until_violation = options.until_violation;
  return run;
}

absl::StatusOr<agent::DemoRunResult> RunOne(const RunOptions& options) {
  const RunFolder folder;
  const auto selection =
      agent::Select(integration::BuiltinServices(), options.service, "live", options.bug);
  if (!selection.ok()) return selection.status();
  agent::DemoRunOptions run_options = DemoRunFor(options, folder.path());
  run_options.judge = selection->system.service.get();
  auto run = agent::DemoRun::Start(std::move(run_options));
  if (!run.ok()) return run.status();
  return (*run)->Run({});
}

std::vector<absl::StatusOr<agent::DemoRunResult>> RunAll(const std::vector<RunOptions>& runs) {
  std::vector<absl::StatusOr<agent::DemoRunResult>> results(runs.size(),
                                                            absl::UnknownError("not played"));
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (size_t t = 0; t < std::max(2u, std::thread::hardware_concurrency()); ++t) {
    threads.emplace_back([&] {
      for (size_t i = next++; i < runs.size(); i = next++) results[i] = RunOne(runs[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return results;
}

size_t RunCount(size_t standard) {
  const char* text = std::getenv("FORETELL_LIVE_RUNS");
  return text == nullptr ? standard : std::strtoul(text, nullptr, 10);
}

}  // namespace foretell::live
