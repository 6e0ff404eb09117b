#pragma once

// Whether a class has a member of a given name.

#include <type_traits>

namespace foretell::model {

// Has##NAME<P>: P has a member called NAME that is a function or a constant, public or not. Looked
// up in a class that inherits another NAME as well, the name is ambiguous then; &P::NAME would miss
// overloads, templates and what is private.
#define FORETELL_HAS_MEMBER_(NAME)                                               \
  struct Other##NAME {                                                           \
    int NAME;                                                                    \
  };                                                                             \
  template <class P>                                                             \
  struct Both##NAME : P, Other##NAME {};                                         \
  template <class P>                                                             \
  concept Keeps##NAME = requires {                                               \
    typename P::NAME;                                                            \
  }                                                                              \
  || requires { requires std::is_member_object_pointer_v<decltype(&P::NAME)>; }; \
  template <class P>                                                             \
  concept Has##NAME =                                                            \
      !Keeps##NAME<P> && ((std::is_final_v<P> && requires { &P::NAME; }) ||      \
                          (!std::is_final_v<P> && !requires { &Both##NAME<P>::NAME; }));

}  // namespace foretell::model
