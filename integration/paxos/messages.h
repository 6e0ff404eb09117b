#pragma once

#include <cstdint>
#include <variant>

#include "foretell/model/typed/fields.h"

namespace foretell::integration::paxos {

// Ballots and values start at 1; 0 means none.
struct Vote {
  uint32_t ballot = 0;
  uint32_t value = 0;
  FORETELL_FIELDS(ballot, value)
  friend bool operator==(const Vote&, const Vote&) = default;
};

// Every message names the log index whose instance it belongs to.
struct Prepare {
  uint32_t index = 0;
  uint32_t ballot = 0;
  FORETELL_FIELDS(index, ballot)
};

struct Promise {
  uint32_t index = 0;
  uint32_t ballot = 0;
  Vote accepted;
  FORETELL_FIELDS(index, ballot, accepted)
};

struct Accept {
  uint32_t index = 0;
  uint32_t ballot = 0;
  uint32_t value = 0;
  FORETELL_FIELDS(index, ballot, value)
};

struct Learn {
  uint32_t index = 0;
  uint32_t ballot = 0;
  uint32_t value = 0;
  FORETELL_FIELDS(index, ballot, value)
};

using Message = std::variant<Prepare, Promise, Accept, Learn>;

}  // namespace foretell::integration::paxos
