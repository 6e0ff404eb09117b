#pragma once

#include <istream>

namespace foretell::agent {

// What people and scripts type at.
struct Input {
  std::istream& lines;
  bool live = false;  // Input and output are a terminal that takes escapes.
};

// Standard input.
Input StandardInput();

}  // namespace foretell::agent
