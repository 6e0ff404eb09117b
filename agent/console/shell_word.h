#pragma once

#include <string>

namespace foretell::agent {

// `word` as a shell takes it for one: in quotes unless it needs none. For commands that people
// copy.
std::string ShellWord(const std::string& word);

}  // namespace foretell::agent
