#pragma once

// Services from outside: `foretell check NAME --plugin WHAT`, where WHAT is
//
//   lib.so         a library that says FORETELL_PLUGIN (model/plugin.h), of this version and
//   compiler,
//                  or one that has the two functions of foretell_service.h, in any language;
//   exec:COMMAND   processes that answer the same requests on their standard streams.

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "foretell/model/family.h"

namespace foretell::model {

// What processes of exec: may take, and how a library is asked in a process of its own.
struct PluginOptions {
  std::chrono::milliseconds processor_time_max{10'000};  // For one request.
  std::chrono::milliseconds asleep_max{60'000};          // Likewise, of one that does nothing.
  uint64_t memory_max = uint64_t{4} << 30;               // Bytes that each may write to.
  // The search was to end, by its budget or because the user asked for it: little is left for a
  // request then. May be empty. Called by any thread.
  std::function<bool()> over;
  // The command of a process that answers with the library at `path`, so that a sample of its runs
  // can be repeated in another process (host_library.h). Empty: they are not.
  std::function<std::string(const std::string& path)> host;
};

inline constexpr const char* kExecPrefix = "exec:";

// The families of the plug-in `what`. A library stays loaded until the process ends: the code of
// its families, and of every service that they ever make, lives in it. Processes end with the last
// family and service. The version of a family is what it says itself, with a hash of the file.
// Fails with one line that names `what` and the cause: NotFound for no such file, InvalidArgument
// for what is no plug-in, FailedPrecondition for a plug-in of another version or build.
absl::StatusOr<Catalog> LoadPlugin(const std::string& what, const PluginOptions& options = {});

}  // namespace foretell::model
