#pragma once

#include <cstdint>

#include "dir/components.h"
#include "dir/dependency.h"
#include "dir/lexicon.h"
#include "dir/watch.h"
#include "model/cut.h"
#include "model/service.h"

namespace foretell::dir {

// Which transitions of a component are interface transitions, that is, part of skeletons.
enum class Interface : uint8_t {
  kSendsAndReceives,  // Section 3.1 to the letter.
  // Those that send. A receive shows only through what is sent after it, so it need not be seen;
  // each send stands for all that its component had received before it.
  kSends,
};

// What all explorers of one check have in common.
struct Setting {
  const model::Service& service;
  const model::SystemCut& start;
  const Components& components;
  EventNumbers& event_numbers;
  const Dependency& dependency;
  Interface interface = Interface::kSends;
  // If there is one, invariants are checked, and what components have to show for that is part of
  // the interface, too (section 6.2).
  const Watch* watch = nullptr;
  // The longest trace that is followed. Services whose nodes can go on for ever have no longest.
  uint32_t depth_max = 4096;

  // The same, divided otherwise.
  Setting With(const Components& other) const {
    return {service, start, other, event_numbers, dependency, interface, watch, depth_max};
  }
};

}  // namespace foretell::dir
