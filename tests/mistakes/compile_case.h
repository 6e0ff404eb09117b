#pragma once

// Mistakes that do not compile, as compile.txt has them.

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace foretell::mistakes {

struct CompileCase {
  std::string name;                  // What somebody did, for people.
  std::vector<std::string> written;  // The lines that this takes, if they are few.
  std::string wrong;                 // All of the service, with the mistake.
  std::string right;                 // With what was meant; empty: that is the service as it is.
  std::string read;                  // What a compiler says.
};

// `text` is that of compile.txt, `service` that of lock.cc. InvalidArgument, with the case, for one
// that replaces lines which are not there or are there twice.
absl::StatusOr<std::vector<CompileCase>> ParseCompileCases(const std::string& text,
                                                           const std::string& service);

}  // namespace foretell::mistakes
