#pragma once

#include <string>
#include <vector>

namespace foretell::agent {

struct NewFile {
  std::string name;
  std::string content;
};

// The files of a small service called `name`, which build at once.
// REQUIRES: `name` is lower-case letters, digits and dashes, and begins with a letter.
std::vector<NewFile> NewServiceFiles(const std::string& name);

}  // namespace foretell::agent
