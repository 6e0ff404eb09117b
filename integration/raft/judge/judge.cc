#include "foretell/integration/raft/judge/judge.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "foretell/model/report.h"

namespace foretell::integration::raft {
namespace {

// A simulator that hangs is ended.
constexpr unsigned kSecondsMax = 60;

Verdict NoProcess() {
  return {Verdict::Kind::kInexpressible,
          absl::StrCat("no process for the judge: ", std::strerror(errno))};
}

std::string ReadAll(int file) {
  std::string bytes;
  char part[4096];
  while (true) {
    const ssize_t count = read(file, part, sizeof(part));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return bytes;
    bytes.append(part, static_cast<size_t>(count));
  }
}

Verdict Play(FixtureReplay& replay, const std::string& invariant) {
  while (!replay.done()) {
    const absl::Status next = replay.Next();
    if (next.ok()) continue;
    return {
        absl::IsUnimplemented(next) ? Verdict::Kind::kInexpressible : Verdict::Kind::kNotConfirmed,
        std::string(next.message())};
  }
  std::vector<FixtureServer> views;
  for (unsigned i = 0; i < replay.servers(); ++i) views.push_back(replay.Look(i));
  const absl::StatusOr<std::string> broken = Broken(views, invariant);
  if (!broken.ok()) return {Verdict::Kind::kInexpressible, std::string(broken.status().message())};
  if (!broken->empty()) return {Verdict::Kind::kConfirmed, *broken};
  return {Verdict::Kind::kNotConfirmed,
          absl::StrCat("all ", replay.at(), " steps happen, but ", invariant, " holds")};
}

// What it means that the simulator's process did not get to a verdict. Only a stray pointer is the
// library's own doing for sure: who aborts may be one of our checks, who is late may be slow.
Verdict Ended(int status, const std::string& invariant) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  const std::string death =
      absl::StrCat("the library dies in its own simulator, of signal ", signal);
  if (signal != SIGSEGV && signal != SIGBUS) {
    return {Verdict::Kind::kInexpressible,
            absl::StrCat("the simulator ended without a verdict, with signal ", signal)};
  }
  const bool expected = invariant == model::kLocalAssertions;
  return {expected ? Verdict::Kind::kConfirmed : Verdict::Kind::kNotConfirmed, death};
}

}  // namespace

std::string Text(const Verdict& verdict) {
  switch (verdict.kind) {
    case Verdict::Kind::kConfirmed: return absl::StrCat("confirmed: ", verdict.reason);
    case Verdict::Kind::kNotConfirmed: return absl::StrCat("not confirmed: ", verdict.reason);
    case Verdict::Kind::kInexpressible: break;
  }
  return absl::StrCat("cannot be expressed: ", verdict.reason);
}

Verdict Judge(unsigned servers, Schedule schedule, const std::string& invariant) {
  // What breaks the library must not break us: the simulator runs in a process of its own.
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return NoProcess();
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsMax);
    auto* const replay = new FixtureReplay(servers, std::move(schedule));
    const Verdict verdict = Play(*replay, invariant);
    // A simulator that was led astray may not survive being closed, which is of interest only if
    // that is the question, and still open.
    const bool open = verdict.kind == Verdict::Kind::kNotConfirmed;
    if (invariant == model::kLocalAssertions && open) delete replay;
    const std::string bytes = static_cast<char>(verdict.kind) + verdict.reason;
    _exit(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) ? 0 : 1);
  }
  close(ends[1]);
  const std::string bytes = child < 0 ? "" : ReadAll(ends[0]);
  close(ends[0]);
  if (child < 0) return NoProcess();
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && !bytes.empty()) {
    return {static_cast<Verdict::Kind>(bytes[0]), bytes.substr(1)};
  }
  return Ended(status, invariant);
}

Verdict Judge(unsigned servers, const model::Path& path, const std::string& invariant) {
  absl::StatusOr<Schedule> schedule = ScheduleOf(path);
  if (!schedule.ok()) {
    return {Verdict::Kind::kInexpressible, std::string(schedule.status().message())};
  }
  return Judge(servers, *std::move(schedule), invariant);
}

}  // namespace foretell::integration::raft
