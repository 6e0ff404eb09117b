#include "foretell/tests/scenarios/story.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace foretell::scenarios {
namespace {

constexpr const char* kRule = "----";

// Lines without their ends. REQUIRES: `text` ends with a newline or is empty.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

class Parser {
 public:
  Parser(const std::string& file, std::vector<std::string> lines)
      : file_(file), lines_(std::move(lines)) {}

  absl::StatusOr<Story> Parse() {
    Story story;
    while (true) {
      std::string above = TakeAbove();
      if (at_ == lines_.size()) {
        story.below = std::move(above);
        return story;
      }
      Block block{.above = std::move(above), .line = at_ + 1, .command = lines_[at_++]};
      while (at_ < lines_.size() && lines_[at_] != kRule) block.input.push_back(lines_[at_++]);
      if (at_ == lines_.size()) return Mistake(block.line, "no ---- behind this command");
      ++at_;
      absl::Status status = TakeReaction(block);
      if (!status.ok()) return status;
      story.blocks.push_back(std::move(block));
    }
  }

 private:
  absl::Status Mistake(size_t line, const std::string& what) const {
    return absl::InvalidArgumentError(absl::StrCat(file_, ":", line, ": ", what));
  }
  std::string TakeAbove() {
    std::string above;
    while (at_ < lines_.size() && (lines_[at_].empty() || lines_[at_].starts_with("#"))) {
      absl::StrAppend(&above, lines_[at_++], "\n");
    }
    return above;
  }
  bool AtPair() const {
    return at_ + 1 < lines_.size() && lines_[at_] == kRule && lines_[at_ + 1] == kRule;
  }
  // Behind the first "----".
  absl::Status TakeReaction(Block& block) {
    const size_t start = at_;
    const bool paired = at_ < lines_.size() && lines_[at_] == kRule;
    if (paired) ++at_;
    while (at_ < lines_.size() && (paired ? !AtPair() : !lines_[at_].empty())) {
      absl::StrAppend(&block.reaction, lines_[at_++], "\n");
    }
    if (!paired) return absl::OkStatus();
    if (at_ == lines_.size()) return Mistake(start, "this pair of ---- has no second one");
    at_ += 2;
    return absl::OkStatus();
  }

  const std::string& file_;
  const std::vector<std::string> lines_;
  size_t at_ = 0;
};

bool NeedsPairs(const std::string& reaction) {
  return reaction.starts_with("\n") || reaction.find("\n\n") != std::string::npos;
}

void AppendDiffLine(std::string& out, const char* mark, const std::string& line) {
  absl::StrAppend(&out, mark, line, "\n");
}

}  // namespace

absl::StatusOr<Story> ParseStory(const std::string& file, const std::string& text) {
  const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n'));
  if (!text.empty() && text.back() != '\n') {
    return absl::InvalidArgumentError(
        absl::StrCat(file, ":", lines + 1, ": the last line does not end with a newline"));
  }
  return Parser(file, LinesOf(text)).Parse();
}

bool CanBeTold(const std::string& reaction) {
  const std::vector<std::string> lines = LinesOf(reaction);
  return std::find(lines.begin(), lines.end(), kRule) == lines.end();
}

std::string StoryText(const Story& story) {
  std::string text;
  for (const Block& block : story.blocks) {
    // Without the blank line the command would belong to the reaction before it.
    const bool apart = text.empty() || block.above.starts_with("\n");
    absl::StrAppend(&text, apart ? "" : "\n", block.above, block.command, "\n");
    for (const std::string& line : block.input) absl::StrAppend(&text, line, "\n");
    const std::string pair = absl::StrCat(kRule, "\n", kRule, "\n");
    if (NeedsPairs(block.reaction)) {
      absl::StrAppend(&text, pair, block.reaction, pair);
    } else {
      absl::StrAppend(&text, kRule, "\n", block.reaction);
    }
  }
  const bool apart = text.empty() || story.below.empty() || story.below.starts_with("\n");
  return absl::StrCat(text, apart ? "" : "\n", story.below);
}

absl::StatusOr<std::vector<std::string>> WordsOf(const std::string& command) {
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (const char c : command) {
    if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      quoted = !quoted;
    } else {
      words.back() += c;
    }
  }
  if (quoted) return absl::InvalidArgumentError("a quote that is not closed");
  return words;
}

std::string Difference(const std::string& expected, const std::string& actual) {
  if (expected == actual) return "";
  constexpr size_t kAround = 2;
  const std::vector<std::string> before = LinesOf(expected);
  const std::vector<std::string> after = LinesOf(actual);
  const size_t shorter = std::min(before.size(), after.size());
  size_t head = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  size_t tail = 0;
  while (tail < shorter - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  std::string out;
  for (size_t i = head - std::min(head, kAround); i < head; ++i) {
    AppendDiffLine(out, " ", before[i]);
  }
  for (size_t i = head; i < before.size() - tail; ++i) AppendDiffLine(out, "-", before[i]);
  for (size_t i = head; i < after.size() - tail; ++i) AppendDiffLine(out, "+", after[i]);
  for (size_t i = before.size() - tail; i < before.size() - tail + std::min(tail, kAround); ++i) {
    AppendDiffLine(out, " ", before[i]);
  }
  return out;
}

}  // namespace foretell::scenarios
