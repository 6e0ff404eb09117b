#pragma once

// The types that a protocol names, with their defaults.

#include <cstdint>

namespace foretell::model {

// Stands for messages or actions where there are none.
struct None {};

// A protocol that says nothing of messages sends none.
template <class Protocol>
struct MessageOf {
  using type = None;
};
template <class Protocol>
requires requires { typename Protocol::Message; }
struct MessageOf<Protocol> {
  using type = typename Protocol::Message;
};

template <class Protocol>
struct ActionOf {
  using type = None;
};
template <class Protocol>
requires requires { typename Protocol::Action; }
struct ActionOf<Protocol> {
  using type = typename Protocol::Action;
};

// The lifetime of the objects that handlers work on.
enum class Life : uint8_t {
  kRun,   // Within one call of Service::Run, on one thread.
  kNode,  // As long as a live node.
};

template <class Protocol>
struct LiveOf {
  using type = typename Protocol::State;
};
template <class Protocol>
requires requires { typename Protocol::Live; }
struct LiveOf<Protocol> {
  using type = typename Protocol::Live;
};

}  // namespace foretell::model
