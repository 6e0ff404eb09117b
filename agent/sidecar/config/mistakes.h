#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "foretell/agent/sidecar/config/config.h"

namespace foretell::agent {

// All that is wrong with a configuration: one run shows every mistake.
class Mistakes {
 public:
  // Texts can quote values; whatever these hold, each mistake stays one line.
  void Add(const Place& place, const std::string& what);
  size_t count() const { return found_.size(); }
  // By line of the file, whatever order they were found in; what is not in the file comes last.
  std::vector<std::string> Lines() const;
  // InvalidArgument with these lines, if there are any.
  absl::Status status() const;

 private:
  struct Mistake {
    Place place;
    std::string text;
  };
  std::vector<Mistake> found_;
};

}  // namespace foretell::agent
