// What people and tools hand to the program: configurations, reports as JSON, lines for `debug`.

#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "foretell/agent/debug/command_loop.h"
#include "foretell/agent/debug/saved_path.h"
#include "foretell/agent/debug/session.h"
#include "foretell/agent/debug/subject.h"
#include "foretell/agent/sidecar/config/resolved_config.h"
#include "foretell/integration/catalog.h"
#include "foretell/tests/fuzz/targets.h"

namespace foretell::fuzz {
namespace {

const agent::Parts& OurParts() {
  static const auto* const parts = new agent::Parts{integration::BuiltinServices(), {}};
  return *parts;
}

// A file without a place in any folder.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : file_(memfd_create("fuzz", MFD_CLOEXEC)) {
    static_cast<void>(!write(file_, bytes.data(), bytes.size()));
  }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  std::string path() const { return absl::StrCat("/proc/self/fd/", file_); }

 private:
  const int file_;
};

absl::StatusOr<agent::Session> Begin(agent::SubjectRequest request) {
  auto subject = agent::LoadSubject(request, OurParts());
  if (!subject.ok()) return subject.status();
  return agent::Session::Begin(*std::move(subject), nullptr);
}

// Commands that look, and none that writes files or needs a search.
constexpr const char* kHarmless[] = {
    "step",   "back", "jump",    "where",    "steps",      "events", "find",
    "filter", "node", "show",    "messages", "holds",      "watch",  "unwatch",
    "values", "diff", "enabled", "take",     "executions", "use",    "help"};

bool Harmless(const std::string& line) {
  const auto words = agent::SplitWords(line);
  if (!words.ok() || words->empty()) return true;
  const auto command = agent::FindCommand(words->front());
  if (!command.ok()) return true;
  return std::find(std::begin(kHarmless), std::end(kHarmless),
                   std::string_view((*command)->name)) != std::end(kHarmless);
}

void RunLines(const std::string& text, agent::Session& session) {
  std::ostringstream out;
  const agent::Screen screen{.out = out, .style = {.utf8 = true, .columns = 100}};
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    static_cast<void>(agent::Completions(session, line));
    if (Harmless(line)) static_cast<void>(agent::RunLine(line, session, screen));
  }
}

// What two-proposals says when it is walked through a little, as `save` has it.
std::string SavedWalk() {
  auto session = *Begin({.what = "paxos"});
  for (int step = 0; step < 6; ++step) {
    const auto enabled = session.system().Enabled();
    if (enabled.empty()) break;
    if (!session.Take(enabled[static_cast<size_t>(step) % enabled.size()]).ok()) break;
  }
  return *agent::SavedPath(session.subject(), session.execution());
}

constexpr char kLook[] =
    "where\nsteps\nevents\nshow\nmessages\nholds\nenabled\nvalues\nback 1\nstep 2\ndiff start "
    "end\n";

}  // namespace

void RunConfig(const std::string& bytes) {
  auto config = agent::ParseConfig("agent.toml", bytes, {});
  if (!config.ok() || !config->plugins.empty()) return;
  const auto resolved = agent::ResolveConfig(*std::move(config), OurParts().catalog);
  if (resolved.ok()) static_cast<void>(agent::Describe(*resolved));
}

std::vector<std::string> ConfigSeeds() {
  std::ifstream file(FORETELL_AGENT_TOML);
  const std::string shipped{std::istreambuf_iterator<char>(file), {}};
  std::string everything = shipped;
  for (size_t at = 0; (at = everything.find("\n# ", at)) != std::string::npos;) {
    const size_t key = at + 3;
    const size_t end = everything.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", key);
    if (everything.compare(end, 3, " = ") == 0) everything.erase(at + 1, 2);
    at = key;
  }
  return {shipped, everything,
          "[service]\nname = \"paxos\"\n[[nodes]]\nid = 0\naddress = \"unix:/run/a\"\n"
          "[invariants]\ndefault = \"guard\"\nagreement = \"off\"\n"};
}

void RunReport(const std::string& bytes) {
  const MemoryFile file(bytes);
  auto session = Begin({.what = file.path(), .force = true});
  if (session.ok()) RunLines(kLook, *session);
}

std::vector<std::string> ReportSeeds() { return {SavedWalk()}; }

void RunDebug(const std::string& bytes) {
  static const std::string report = SavedWalk();
  const MemoryFile file(report);
  auto session = Begin({.what = file.path()});
  RunLines(bytes, *session);
}

std::vector<std::string> DebugSeeds() {
  return {kLook, "take 1\ntake 2\nshow 0\nfilter node 1\nfind Accept\nuse path\nhelp show\n",
          "watch 0 acceptor\nstep\nunwatch 0 acceptor\njump 3\ndiff path:1 path:3\nevents 0\n"
          "show 1 'proposer.ballot'\nmessages 0\n# a comment\nnode 2\nvalues acceptor.promised\n"};
}

}  // namespace foretell::fuzz
