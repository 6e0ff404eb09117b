#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/model/foreign/carriers/carrier.h"
#include "foretell/model/foreign/carriers/child.h"
#include "foretell/model/foreign/carriers/nursery.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::model::foreign {

struct ProcessOptions {
  Patiences patiences;
  uint64_t memory_max = uint64_t{4} << 30;  // Bytes that each process may write to.
};

// Processes of one command: as many as there are threads that ask at the same time. One that dies
// or hangs is replaced, and its request asked again; if that ends the same way, it is the request's
// fault, which is remembered, so that every such request costs two processes and no more, and one
// once the search is over.
class ProcessCarrier final : public Carrier {
 public:
  ProcessCarrier(const std::string& command, const ProcessOptions& options);

  absl::Status Call(uint32_t op, std::string_view request, std::string& reply) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status Open(uint32_t system, const std::string& request, std::string& reply) override
      ABSL_LOCKS_EXCLUDED(mutex_);
  void Close(uint32_t system) override ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Systems = std::map<uint32_t, std::string>;  // The requests that open them.

  // One that has nothing to do, or a new one.
  absl::StatusOr<std::unique_ptr<Child>> Borrow() ABSL_LOCKS_EXCLUDED(mutex_);
  absl::StatusOr<std::unique_ptr<Child>> Start() ABSL_LOCKS_EXCLUDED(mutex_);
  void Return(std::unique_ptr<Child> child) ABSL_LOCKS_EXCLUDED(mutex_);
  // Asks one that is there, which is told about the system first if need be.
  absl::Status AskOne(Child& child, uint32_t op, std::string_view request, std::string& reply)
      ABSL_LOCKS_EXCLUDED(mutex_);
  absl::Status OpenIn(Child& child, uint32_t system) ABSL_LOCKS_EXCLUDED(mutex_);
  // Until it is answered, or found to be fatal.
  absl::Status AskAgain(uint32_t op, std::string_view request, std::string& reply)
      ABSL_LOCKS_EXCLUDED(mutex_);

  const ProcessOptions options_;
  Nursery nursery_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Child>> idle_ ABSL_GUARDED_BY(mutex_);
  Systems systems_ ABSL_GUARDED_BY(mutex_);
  std::string described_ ABSL_GUARDED_BY(mutex_);  // By the first of them; empty before that.
  // Requests that end processes, and how.
  absl::flat_hash_map<std::string, std::string> fatal_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace foretell::model::foreign
