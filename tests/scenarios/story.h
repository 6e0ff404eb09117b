#pragma once

// A story as text, in the manner of etcd raft's datadriven tests: commands, each with the reaction
// of the system.
//
//   # Comments and blank lines stand between blocks.
//   verb argument 'argument with spaces'
//   input, any number of lines
//   ----
//   reaction, up to a blank line
//
// A reaction that has blank lines stands between two pairs of "----" lines.

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace foretell::scenarios {

struct Block {
  std::string above;  // The comments and blank lines before it, as they are.
  size_t line = 0;    // Of the command in the file; the first is 1.
  std::string command;
  std::vector<std::string> input;
  std::string reaction;  // Whole lines.
};

struct Story {
  std::vector<Block> blocks;
  std::string below;  // What stands behind the last block.
};

// InvalidArgument, as "file:line: what", if `text` is no story.
absl::StatusOr<Story> ParseStory(const std::string& file, const std::string& text);
// REQUIRES: every reaction CanBeTold.
std::string StoryText(const Story& story);
// Whether no line of `reaction`, which are whole lines, is a "----".
bool CanBeTold(const std::string& reaction);

// The words of a command; single quotes keep spaces together. InvalidArgument if one is not closed.
absl::StatusOr<std::vector<std::string>> WordsOf(const std::string& command);

// The lines that differ, "-" before those of `expected` and "+" before those of `actual`, and two
// lines before and after them. Empty if the texts are the same.
std::string Difference(const std::string& expected, const std::string& actual);

}  // namespace foretell::scenarios
