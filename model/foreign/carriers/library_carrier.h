#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "foretell/model/foreign/carriers/carrier.h"
#include "foretell/model/sync/mutex.h"

namespace foretell::model::foreign {

// A library in this process. What it does to memory it does to us.
class LibraryCarrier final : public Carrier {
 public:
  using Function = int64_t (*)(uint32_t op, const uint8_t* in, size_t in_size, uint8_t* out,
                               size_t out_capacity);
  explicit LibraryCarrier(Function function) : function_(function) {}

  // From now on by one thread at a time.
  void Serialize() { one_thread_ = true; }

  absl::Status Call(uint32_t op, std::string_view request, std::string& reply) override;
  absl::Status Open(uint32_t system, const std::string& request, std::string& reply) override;
  void Close(uint32_t system) override;

 private:
  absl::Status Ask(uint32_t op, std::string_view request, std::string& reply) const;

  const Function function_;
  bool one_thread_ = false;
  Mutex mutex_;
};

}  // namespace foretell::model::foreign
