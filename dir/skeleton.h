#pragma once

#include <cstdint>
#include <vector>

#include "dir/behaviour.h"
#include "dir/components.h"
#include "dir/signature.h"

namespace foretell::dir {

// A global skeleton and a complete global trace that has it: an element of G (section 3.3). What is
// kept of the skeleton is its projections; they determine it.
struct Skeleton {
  struct Part {
    Signature behaviour;
    std::vector<Signature> transitions;  // Of the component, in the order of the trace.
    std::vector<uint32_t> positions;     // Of these, in `trace`.
    Environment environment;
  };
  Signature signature;      // The sum of PartSignature of all components.
  std::vector<Part> parts;  // By component.
  Trace trace;
  // If the components are the parts of one: what it shows to others. Belongs to the composer.
  const Behaviour* shown = nullptr;

  static Signature PartSignature(ComponentId component, const Signature& behaviour) {
    return SignatureOf({{0, component.value()}, behaviour});
  }
};

inline uint64_t BytesOf(const Skeleton& skeleton) {
  uint64_t bytes = sizeof(Skeleton) + skeleton.trace.size() * sizeof(TraceStep);
  for (const Skeleton::Part& part : skeleton.parts) {
    bytes += sizeof(part) + part.transitions.size() * (sizeof(Signature) + sizeof(uint32_t)) +
             part.environment.arrivals.size() * sizeof(Arrival);
  }
  return bytes;
}

}  // namespace foretell::dir
