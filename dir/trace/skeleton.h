#pragma once

#include <cstdint>
#include <vector>

#include "foretell/dir/ids/signature.h"
#include "foretell/dir/trace/behaviour.h"
#include "foretell/dir/trace/components.h"

namespace foretell::dir {

// A local skeleton: the projection of a global one to a component.
struct LocalSkeleton {
  Signature behaviour;
  std::vector<Signature> transitions;  // Of the component, in the order of the global trace.
  std::vector<uint32_t> positions;     // Of these, in the global trace.
  Environment environment;
};

// A global skeleton and a complete global trace that has it: an element of G (section 3.3). The
// skeleton is kept as its local skeletons, which determine it.
struct Skeleton {
  Signature signature;                // The sum of ComponentSignature of all components.
  std::vector<LocalSkeleton> locals;  // By component.
  Trace trace;
  // If the components are the parts of a divided one: the behaviour of that one. Belongs to the
  // composer.
  const Behaviour* component_behaviour = nullptr;

  static Signature ComponentSignature(ComponentId component, const Signature& behaviour) {
    return SignatureOf({{0, component.value()}, behaviour});
  }
};

inline uint64_t BytesOf(const Skeleton& skeleton) {
  uint64_t bytes = sizeof(Skeleton) + skeleton.trace.size() * sizeof(TraceStep);
  for (const LocalSkeleton& local : skeleton.locals) {
    bytes += sizeof(local) + local.transitions.size() * (sizeof(Signature) + sizeof(uint32_t)) +
             local.environment.arrivals.size() * sizeof(Arrival);
  }
  return bytes;
}

}  // namespace foretell::dir
