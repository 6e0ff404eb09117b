#pragma once

#include <cstdint>
#include <variant>

namespace foretell::integration::paxos {

// Ballots and values start at 1; 0 means none.
struct Vote {
  uint32_t ballot = 0;
  uint32_t value = 0;
  template <class V>
  void Fields(V& v) {
    v("ballot", ballot);
    v("value", value);
  }
  friend bool operator==(const Vote&, const Vote&) = default;
};

// Every message names the log index whose instance it belongs to.
struct Prepare {
  static constexpr const char* kName = "Prepare";
  uint32_t index = 0;
  uint32_t ballot = 0;
  template <class V>
  void Fields(V& v) {
    v("index", index);
    v("ballot", ballot);
  }
};

struct Promise {
  static constexpr const char* kName = "Promise";
  uint32_t index = 0;
  uint32_t ballot = 0;
  Vote accepted;
  template <class V>
  void Fields(V& v) {
    v("index", index);
    v("ballot", ballot);
    v("accepted", accepted);
  }
};

struct Accept {
  static constexpr const char* kName = "Accept";
  uint32_t index = 0;
  uint32_t ballot = 0;
  uint32_t value = 0;
  template <class V>
  void Fields(V& v) {
    v("index", index);
    v("ballot", ballot);
    v("value", value);
  }
};

struct Learn {
  static constexpr const char* kName = "Learn";
  uint32_t index = 0;
  uint32_t ballot = 0;
  uint32_t value = 0;
  template <class V>
  void Fields(V& v) {
    v("index", index);
    v("ballot", ballot);
    v("value", value);
  }
};

using Message = std::variant<Prepare, Promise, Accept, Learn>;

}  // namespace foretell::integration::paxos
