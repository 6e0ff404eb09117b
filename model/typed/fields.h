#pragma once

// One line per struct gives canonical encoding, decoding and rendering:
//
//   struct Vote {
//     uint32_t ballot = 0;
//     std::optional<std::string> value;
//     FORETELL_FIELDS(ballot, value)
//   };
//
// Members may be integers, enums, bool, std::string, std::array, vector, set, map, optional, pair,
// variant of structs, and structs with FORETELL_FIELDS. A struct without members needs nothing.
// What no handler depends on, a log for instance, can be Auxiliary<...> (model/typed/auxiliary.h):
// a checker then takes states that differ in it only for one.
// Equal values have equal encodings: containers are ordered, integers are written in their shortest
// form. People read a struct by its name, or by its `static constexpr const char* kName`, and an
// enumerator kWantsLeft as wants-left, unless EnumName(value) says otherwise.
//
// A struct whose fields go by other names lists them itself:
//
//   template <class V>
//   void Fields(V& v) {
//     v("b", ballot);
//     v("v", value);
//   }

#include "foretell/model/typed/codec.h"

// Lists every member, in any order. A member that is left out, or named twice, does not compile: an
// aggregate with n members can be made from n times {}, and not from one more.
#define FORETELL_FIELDS(...)                                                          \
  template <class ForetellVisitor>                                                    \
  void Fields([[maybe_unused]] ForetellVisitor& foretell_visitor) {                   \
    __VA_OPT__(FORETELL_EXPAND_(FORETELL_VISIT_(__VA_ARGS__)))                        \
  }                                                                                   \
  template <class ForetellSelf>                                                       \
  static constexpr bool ForetellListsAll() {                                          \
    return !requires {                                                                \
      ForetellSelf{{} __VA_OPT__(, FORETELL_EXPAND_(FORETELL_BRACES_(__VA_ARGS__)))}; \
    }                                                                                 \
    &&::foretell::model::AllDifferent(                                                \
        {__VA_OPT__(FORETELL_EXPAND_(FORETELL_NAMES_(__VA_ARGS__)))});                \
  }

// A macro may not call itself. What is called through FORETELL_AGAIN_ is looked at again each time
// that FORETELL_EXPAND_ scans the text, which is 255 times.
#define FORETELL_EXPAND_(...) FORETELL_SCAN4_(FORETELL_SCAN4_(FORETELL_SCAN4_(__VA_ARGS__)))
#define FORETELL_SCAN4_(...) FORETELL_SCAN3_(FORETELL_SCAN3_(FORETELL_SCAN3_(__VA_ARGS__)))
#define FORETELL_SCAN3_(...) FORETELL_SCAN2_(FORETELL_SCAN2_(FORETELL_SCAN2_(__VA_ARGS__)))
#define FORETELL_SCAN2_(...) FORETELL_SCAN1_(FORETELL_SCAN1_(FORETELL_SCAN1_(__VA_ARGS__)))
#define FORETELL_SCAN1_(...) __VA_ARGS__
#define FORETELL_PARENTHESES_ ()

#define FORETELL_VISIT_(member, ...) \
  foretell_visitor(#member, member); \
  __VA_OPT__(FORETELL_VISIT_AGAIN_ FORETELL_PARENTHESES_(__VA_ARGS__))
#define FORETELL_VISIT_AGAIN_() FORETELL_VISIT_
#define FORETELL_BRACES_(member, ...) \
  {}                                  \
  __VA_OPT__(, FORETELL_BRACES_AGAIN_ FORETELL_PARENTHESES_(__VA_ARGS__))
#define FORETELL_BRACES_AGAIN_() FORETELL_BRACES_
#define FORETELL_NAMES_(member, ...) \
#member __VA_OPT__(, FORETELL_NAMES_AGAIN_ FORETELL_PARENTHESES_(__VA_ARGS__))
#define FORETELL_NAMES_AGAIN_() FORETELL_NAMES_
