#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "foretell/dir/ids/event_numbers.h"
#include "foretell/dir/trace/behaviour.h"
#include "foretell/dir/trace/components.h"

namespace foretell::dir {

// The result of a unit of work. All that the global explorer knows follows from these and from how
// the system starts, so they are all of its state changes that need to be kept.
struct UnitResult {
  ComponentId component;
  Signature environment;
  std::vector<std::pair<Behaviour, uint64_t>> traces;  // The number of each.
};

// A journal of the global explorer's state changes, so that one that is killed can go on where it
// was (section 4.3).
class Journal {
 public:
  virtual ~Journal() = default;
  virtual void Write(const UnitResult& result) = 0;
};

// A result as bytes that do not depend on event numbers, which differ from run to run.
std::string EncodeResult(const UnitResult& result, const EventNumbers& event_numbers);
// Bytes come from a file: InvalidArgument if they are no result of a system with these components.
absl::StatusOr<UnitResult> DecodeResult(const std::string& bytes, const Components& components,
                                        EventNumbers& event_numbers);

}  // namespace foretell::dir
