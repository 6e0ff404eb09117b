#pragma once

// Helpers of all demos: a folder, and a picture of what was predicted.

#include <string>

#include "absl/status/statusor.h"
#include "foretell/agent/console/console.h"
#include "foretell/model/service.h"

namespace foretell::agent {

// A folder for sockets and logs that is gone afterwards.
class DemoFolder {
 public:
  explicit DemoFolder(bool keep);
  ~DemoFolder();
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;
  // Makes a folder in it.
  std::string Folder(const std::string& name) const;
  const std::string& path() const { return path_; }  // Empty if it could not be made.

 private:
  bool keep_;
  std::string path_;
};

// Empties the folder `results`, in which an earlier demo may have left something, and returns the
// sections of an agent's configuration that put bundles, archive and audit log there.
absl::StatusOr<std::string> FreshResults(const std::string& results);

// Draws the prediction of a bundle on the terminal and into the file `picture`, whose name is
// returned; it is empty if the file cannot be written.
absl::StatusOr<std::string> DrawBundle(const model::Service& service, const std::string& bundle,
                                       const std::string& picture, Console& console);

// The findings of the run without steering.
struct Shown {
  bool violated = false;
  bool predicted = false;
};
// The exit code of a demo whose steered run went well. If there was nothing to be seen, says so on
// `console.err`, and what to `try_next`.
int ConcludeDemo(const Shown& shown, const std::string& try_next, Console& console);

}  // namespace foretell::agent
