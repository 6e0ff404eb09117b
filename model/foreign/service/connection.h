#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "foretell/model/foreign/carriers/carrier.h"

namespace foretell::model::foreign {

// What the families of one plug-in, and all services that they ever make, have in common. They
// outlive each other in any order, so that they share it.
struct Connection {
  Connection(std::unique_ptr<Carrier> answering, std::unique_ptr<Carrier> other)
      : carrier(std::move(answering)), elsewhere(std::move(other)) {}

  const std::unique_ptr<Carrier> carrier;
  // Another process that answers the same, to compare with; null if there is none.
  const std::unique_ptr<Carrier> elsewhere;
  std::atomic<uint32_t> systems{0};  // Numbers given so far.
};

}  // namespace foretell::model::foreign
