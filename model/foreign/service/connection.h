#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "foretell/model/foreign/carriers/carrier.h"

namespace foretell::model::foreign {

// What the families of one plug-in, and all services that they ever make, have in common. They
// outlive each other in any order, so that they share it.
struct Connection {
  explicit Connection(std::unique_ptr<Carrier> answering) : carrier(std::move(answering)) {}

  const std::unique_ptr<Carrier> carrier;
  std::atomic<uint32_t> systems{0};  // Numbers given so far.
};

}  // namespace foretell::model::foreign
