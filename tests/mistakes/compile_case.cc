#include "foretell/tests/mistakes/compile_case.h"

#include <algorithm>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace foretell::mistakes {
namespace {

using Lines = std::vector<std::string>;

// Lines of the service, and what takes their place.
struct Hunk {
  Lines service;
  Lines wrong;
  Lines right;
};

struct Draft {
  std::string name;
  std::vector<Hunk> hunks;
  std::string read;
};

void AddLine(char mark, const std::string& line, Draft& draft) {
  const bool begins =
      draft.hunks.empty() || !draft.hunks.back().wrong.empty() || !draft.hunks.back().right.empty();
  if (mark == '-' && begins) draft.hunks.emplace_back();
  Hunk& hunk = draft.hunks.back();
  (mark == '-' ? hunk.service : mark == '+' ? hunk.wrong : hunk.right).push_back(line);
}

std::vector<Draft> ReadDrafts(const std::string& text) {
  std::vector<Draft> drafts;
  const Lines lines = absl::StrSplit(text, '\n');
  for (const std::string& line : lines) {
    if (line.rfind("== ", 0) == 0) {
      drafts.push_back({.name = line.substr(3)});
    } else if (line.rfind("> ", 0) == 0) {
      drafts.back().read = line.substr(2);
    } else if (!line.empty() && absl::StrContains("-+=", line.substr(0, 1))) {
      AddLine(line[0], line.substr(1), drafts.back());
    }
  }
  return drafts;
}

absl::Status Replace(const Lines& from, const Lines& to, std::string& text) {
  const std::string old = absl::StrJoin(from, "\n") + "\n";
  const size_t at = text.find(old);
  if (at == std::string::npos || text.find(old, at + 1) != std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("not there, or there twice: ", absl::StrJoin(from, "\n")));
  }
  text.replace(at, old.size(), to.empty() ? "" : absl::StrJoin(to, "\n") + "\n");
  return absl::OkStatus();
}

bool Has(const Lines& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

// The lines that make the mistake: those that are in what is right too do not.
Lines WrongLines(const Draft& draft) {
  constexpr size_t kFew = 2;
  Lines wrong;
  for (const Hunk& hunk : draft.hunks) {
    for (const std::string& line : hunk.wrong) {
      const std::string bare(absl::StripAsciiWhitespace(line));
      if (bare.empty() || Has(hunk.service, line) || Has(hunk.right, line)) continue;
      wrong.push_back(bare);
    }
  }
  return wrong.size() <= kFew ? wrong : Lines();
}

absl::StatusOr<CompileCase> Finish(const Draft& draft, const std::string& service) {
  CompileCase made{draft.name, WrongLines(draft), service, service, draft.read};
  bool meant_otherwise = false;
  for (const Hunk& hunk : draft.hunks) {
    if (auto status = Replace(hunk.service, hunk.wrong, made.wrong); !status.ok()) return status;
    if (hunk.right.empty()) continue;
    meant_otherwise = true;
    if (auto status = Replace(hunk.service, hunk.right, made.right); !status.ok()) return status;
  }
  if (!meant_otherwise) made.right.clear();
  return made;
}

}  // namespace

absl::StatusOr<std::vector<CompileCase>> ParseCompileCases(const std::string& text,
                                                           const std::string& service) {
  std::vector<CompileCase> cases;
  for (const Draft& draft : ReadDrafts(text)) {
    absl::StatusOr<CompileCase> made = Finish(draft, service);
    if (!made.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(draft.name, " ", std::string(made.status().message())));
    }
    cases.push_back(*std::move(made));
  }
  return cases;
}

}  // namespace foretell::mistakes
