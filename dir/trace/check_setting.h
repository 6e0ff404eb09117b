#pragma once

#include <cstdint>

#include "foretell/dir/ids/event_numbers.h"
#include "foretell/dir/trace/components.h"
#include "foretell/dir/trace/dependency.h"
#include "foretell/dir/trace/interface_projection.h"
#include "foretell/model/cut.h"
#include "foretell/model/service.h"

namespace foretell::dir {

// The transitions of a component that are interface transitions, that is, part of skeletons.
enum class Interface : uint8_t {
  kSendsAndReceives,  // Section 3.1 to the letter.
  // Transitions that send. A receive shows only through what is sent after it, so it need not be
  // seen; each send stands for all that its component had received before it.
  kSends,
};

// The setting that all explorers of one check share.
struct CheckSetting {
  const model::Service& service;
  const model::SystemCut& start;
  const Components& components;
  EventNumbers& event_numbers;
  const Dependency& dependency;
  Interface interface = Interface::kSends;
  // If there is one, invariants are checked, and changes of interface keys are part of the
  // interface, too (section 6.2).
  const InterfaceProjection* projection = nullptr;
  // The longest trace that is followed. Services whose nodes can go on for ever have no longest.
  uint32_t depth_max = 4096;

  // The same setting with other components.
  CheckSetting WithComponents(const Components& other) const {
    return {service, start, other, event_numbers, dependency, interface, projection, depth_max};
  }
};

}  // namespace foretell::dir
