#pragma once

// C++ text without what confuses a reader of braces, and the functions found in it. Made for code
// that clang-format has been over; it is a ruler, not a compiler.

#include <cstddef>
#include <string>
#include <vector>

namespace foretell::tidy {

std::vector<std::string> SplitLines(const std::string& text);

// `text` with comments, literals and preprocessor lines turned into blanks. Line breaks stay, so
// that line numbers do.
std::string BlankNoise(const std::string& text);

struct Function {
  std::string head;  // Signature, or as much of it as names the function.
  size_t line = 0;   // Where the signature starts, from 1.
  size_t lines = 0;  // Signature and body.
};

// The functions of `text`, in order. A lambda counts as part of the function it is in.
std::vector<Function> FindFunctions(const std::string& text);

}  // namespace foretell::tidy
