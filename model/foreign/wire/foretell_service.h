/* foretell_service.h: services for Foretell in any language, version 1.
 *
 * A request is a number (`op`) and bytes; the reply is a code and bytes. There are two carriers for
 * the same bytes:
 *
 *   a library   `foretell check NAME --plugin libNAME.so`: exports the two functions below;
 *   a process   `foretell check NAME --plugin 'exec:COMMAND'`: reads frames from its standard input
 *               and answers each, in order, on its standard output. Both directions: u32 size of
 *               the bytes, u32 op or i32 code, the bytes. It ends when its input does.
 *
 * Contract. Every reply depends on its request only, not on what was asked before, on the time, on
 * chance or on the process that answers: several processes are asked in turn, and each is replaced
 * when it dies. Equal states are equal bytes, and so are equal messages and actions: the checker
 * knows nothing else of them. A handler that panics is caught by the service and reported as the
 * failure of that run.
 *
 * Bytes. Numbers are little-endian: u32, u64, i64. A blob is a u32 length and that many bytes; a
 * text is a blob of UTF-8; a list is a u32 count and its elements; a bool is a u32, 0 or 1. A
 * *record* is a list of (u32 tag, blob value): tags may come in any order, repeat where it says so,
 * and be left out, which means the default; tags that the host does not know are ignored. All else
 * is exact: what is missing or left over makes a reply malformed.
 *
 * docs/languages.md is the author's guide; integration/languages/ has kits.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FORETELL_SERVICE_ABI 1u

/* What is asked. `system` is a number that the host chose in OPEN. Ops that a service does not know
 * are answered with FORETELL_UNSUPPORTED: the default in brackets then holds. Those without
 * brackets must be answered. */
enum foretell_op {
  /* u32 abi of the host -> u32 abi of the service, list of record `foretell_family_tag` */
  FORETELL_DESCRIBE = 0,
  /* u32 system, text family, text scenario, text bug (or empty), list of (text parameter, i64) that
   * the user has set -> record `foretell_system_tag` */
  FORETELL_OPEN = 1,
  /* u32 system -> nothing. The number may be used again. [nothing happens] */
  FORETELL_CLOSE = 2,
  /* u32 system, u32 node -> blob state */
  FORETELL_INITIAL = 3,
  /* u32 system, u32 node, blob state -> list of blob action. In a fixed order. [none] */
  FORETELL_ACTIONS = 4,
  /* u32 system, u32 node, blob state, list of event, list of u32 choice -> result
   *   event:  u32 kind (foretell_event_kind), u32 peer, blob body
   *   result: blob state, list of (u32 to, blob message), list of u32 offered, list of text label,
   *           list of u32 weight, text failure, list of blob restarted
   * Handles the events one after the other on one live object and reports on the last. Its i-th
   * choice among k possibilities is choice i, or 0 beyond the end of the list; `offered` has the k
   * of each choice. Labels and weights say what was chosen, one for each choice, or are empty. A
   * failure that is not empty is a broken assertion or a panic; nothing else counts then.
   * `restarted` has the actions whose timers start afresh. For a crash, the state is what survives.
   */
  FORETELL_RUN = 5,
  /* list of blob, each a request of RUN -> list of blob, each its reply. [asked one by one] */
  FORETELL_RUN_MANY = 6,
  /* u32 system, u32 invariant, u32 node, blob state -> bool present, blob key. The part of the
   * state that the invariant looks at; not present: the node cannot contribute to a violation. */
  FORETELL_PROJECT = 7,
  /* u32 system, u32 invariant, list of (bool present, blob key) -> bool. One key (scope node), two
   * (pair), or one for each node (system). */
  FORETELL_VIOLATES = 8,
  /* u32 system, u32 what (foretell_what), u32 node, blob -> text line, list of (text name, text
   * value). For people: the line of a message or action, the fields of a state; both may be given.
   * [the bytes] */
  FORETELL_RENDER = 9,
  /* u32 system, u32 what, u32 node, blob -> bool. Whether bytes from outside are well-formed; for
   * messages and actions, and where it is not known, node is FORETELL_ANY_NODE. [true] */
  FORETELL_VALID = 10,
  /* u32 system, blob state -> blob. The state without what nothing depends on. Asked only if the
   * system has FORETELL_HAS_AUXILIARY. [the state] */
  FORETELL_RELEVANT = 11,
  /* u32 system, u32 goal, u32 node, blob state -> bool. [false] */
  FORETELL_REACHED = 12,
  /* u32 system, u32 what (message or action), blob -> u32, an index into the kinds of OPEN. [0] */
  FORETELL_KIND = 13,

  /* What only live systems, liveness predicates and random walks need. */

  /* u32 system, blob action -> u32 origin (0 call, 1 timer), u64 delay in milliseconds, bool and
   * u64 spread in milliseconds, bool vetoable, bool adverse. [a call, vetoable, not adverse] */
  FORETELL_TIMING = 32,
  /* u32 system, u32 node, blob state -> list of blob action. [the actions that are calls] */
  FORETELL_CALLS = 33,
  /* u32 system, text -> bool present, blob action. [none] */
  FORETELL_PARSE_CALL = 34,
  /* u32 system, u32 node, blob state, text question -> bool present, text answer. [none] */
  FORETELL_ASK = 35,
  /* u32 system, cut -> list of (cut, cut focus, text). [the cut as it is]
   *   cut: list of node (u32 status, u32 crashes, u32 breaks, blob state), list of message in
   * flight (u32 from, u32 to, blob); status: 0 up, 1 down, 2 failed, 3 absent */
  FORETELL_IMAGINE = 36,
  /* u32 system, event -> bool present, u32 weight. [as usual for its kind] */
  FORETELL_WEIGHT = 37,
  /* u32 system, text invariant, list of step (u32 node, event, list of u32 choice) -> text, which
   * begins with "confirmed", "not confirmed" or "cannot be expressed". Asked only if the family has
   * FORETELL_HAS_JUDGE. */
  FORETELL_OPINION = 38
};

enum foretell_code {
  FORETELL_OK = 0,           /* A process; a library returns the size of the reply. */
  FORETELL_MALFORMED = -1,   /* The request makes no sense to the service. */
  FORETELL_UNSUPPORTED = -2, /* The service does not know this op. */
  FORETELL_INTERNAL = -3     /* The service failed. */
};
/* Codes below zero may come with a text that says more: the bytes of a process's frame; in a
 * library up to `out_capacity` bytes of `out`, ended by a zero byte. */

/* Tags of DESCRIBE, one record for each family. */
enum foretell_family_tag {
  FORETELL_FAMILY_NAME = 1,     /* text; required */
  FORETELL_FAMILY_TEXT = 2,     /* text, one line */
  FORETELL_FAMILY_VERSION = 3,  /* text: names the code of the handlers; the host adds a hash of the
                                   file */
  FORETELL_FAMILY_SCENARIO = 4, /* text name, text; repeated, the first is the default; required */
  FORETELL_FAMILY_BUG = 5,      /* text name, text; repeated */
  FORETELL_FAMILY_PARAMETER = 6, /* text name, text, i64 value, i64 min, i64 max; repeated */
  FORETELL_FAMILY_LIVE = 7,      /* text: the scenario in which nodes run live */
  FORETELL_FAMILY_FLAGS = 8      /* u32, of foretell_family_flag */
};
enum foretell_family_flag {
  FORETELL_ONE_THREAD = 1, /* A library that must not be called by two threads at once. */
  FORETELL_HAS_JUDGE = 2
};

/* Tags of OPEN. */
enum foretell_system_tag {
  FORETELL_SYSTEM_NODES = 1,     /* u32; required unless refused */
  FORETELL_SYSTEM_NETWORK = 2,   /* u32 (0 datagrams, 1 streams), u32 duplicates_max */
  FORETELL_SYSTEM_NODE = 3,      /* u32 crashes_max, u32 breaks_max, text role; repeated, in the
                                    order of the nodes; those left out have no faults */
  FORETELL_SYSTEM_INVARIANT = 4, /* text name, text, u32 scope (0 node, 1 pair, 2 system), u32 flags
                                    (foretell_invariant_flag); repeated */
  FORETELL_SYSTEM_GOAL = 5,      /* text name, text; repeated */
  FORETELL_SYSTEM_MESSAGE_KIND = 6,  /* text; repeated */
  FORETELL_SYSTEM_ACTION_KIND = 7,   /* text; repeated */
  FORETELL_SYSTEM_FAULT_HANDLER = 8, /* u32 event kind; repeated */
  FORETELL_SYSTEM_AUXILIARY = 9,     /* text: a field that nothing depends on; repeated */
  FORETELL_SYSTEM_FLAGS = 10,        /* u32, of foretell_system_flag */
  FORETELL_SYSTEM_COMPONENTS = 11,   /* text, as `foretell check --components` takes it */
  FORETELL_SYSTEM_START = 12,        /* cut; default: initial states, and nothing in flight */
  FORETELL_SYSTEM_REFUSED = 13       /* text: why scenario, bug and parameters do not go together */
};
enum foretell_invariant_flag {
  FORETELL_STABLE = 1,     /* Once violated, violated for ever. When in doubt, leave it out. */
  FORETELL_EVENTUALLY = 2, /* A liveness predicate. */
  FORETELL_WHEN_STUCK = 4  /* Must hold only where nothing can happen any more. */
};
enum foretell_system_flag {
  FORETELL_HAS_AUXILIARY = 1,
  FORETELL_IGNORES_BREAKS = 2, /* No handler does anything about a broken stream. */
  FORETELL_NO_TIMERS = 4
};

enum foretell_event_kind {
  FORETELL_DELIVER = 0, /* peer: the sender; body: the message */
  FORETELL_ACTION = 1,  /* body: the action */
  FORETELL_CRASH = 2,
  FORETELL_RESTART = 3,
  FORETELL_BREAK = 4 /* peer: the other end of the stream */
};
enum foretell_what { FORETELL_STATE = 0, FORETELL_MESSAGE = 1, FORETELL_ACTION_BODY = 2 };
#define FORETELL_ANY_NODE 0xffffffffu

#if defined(__GNUC__)
#define FORETELL_EXPORT __attribute__((visibility("default")))
#else
#define FORETELL_EXPORT
#endif

/* The two symbols of a library. */
FORETELL_EXPORT uint32_t foretell_service_abi(void); /* FORETELL_SERVICE_ABI */
/* Returns the size of the reply, or a code below zero. If the size is more than `out_capacity`,
 * nothing was written, and the host asks again with more room. Called by several threads at once
 * unless a family says FORETELL_ONE_THREAD. `in` and `out` belong to the host. */
FORETELL_EXPORT int64_t foretell_service_call(uint32_t op, const uint8_t* in, size_t in_size,
                                              uint8_t* out, size_t out_capacity);

#ifdef __cplusplus
}
#endif
