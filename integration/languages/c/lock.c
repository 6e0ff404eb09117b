/* A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
 * The server may crash once, and must not forget who holds the lock. */
#include "foretell_kit.h"

enum { kServer = 0 };
typedef struct { uint32_t clients; int forgets_holder; } lock_system;
typedef struct { uint8_t granted_to, asked, holds; } lock_state; /* granted_to: 0 is nobody. */

static void describe(foretell_out* tags) {
  foretell_tag(tags, FORETELL_FAMILY_NAME, "r", "lock");
  foretell_tag(tags, FORETELL_FAMILY_TEXT, "r", "A lock server that may crash, and its clients.");
  foretell_tag(tags, FORETELL_FAMILY_SCENARIO, "tt", "start", "From the initial states.");
  foretell_tag(tags, FORETELL_FAMILY_LIVE, "r", "start");
  foretell_tag(tags, FORETELL_FAMILY_BUG, "tt", "forgets-holder", "A crashed server forgets the holder.");
  foretell_tag(tags, FORETELL_FAMILY_PARAMETER, "ttiii", "clients", "how many clients there are",
               (int64_t)2, (int64_t)1, (int64_t)5);
}
static void open_lock(void* system, foretell_blob scenario, foretell_blob bug, foretell_blob set,
                      foretell_out* tags) {
  static const char* const kinds[] = {"Acquire", "Grant", "Release"};
  lock_system* s = (lock_system*)system;
  s->clients = (uint32_t)foretell_setting(set, "clients", 2), (void)scenario;
  s->forgets_holder = foretell_is(bug, "forgets-holder");
  foretell_tag(tags, FORETELL_SYSTEM_NODES, "u", 1 + s->clients);
  for (uint32_t node = 0; node <= s->clients; ++node)
    foretell_tag(tags, FORETELL_SYSTEM_NODE, "uut", node == kServer, 0, node == kServer ? "server" : "client");
  foretell_tag(tags, FORETELL_SYSTEM_INVARIANT, "ttuu", "one-holder", "No two clients hold the lock.", 1, 0);
  foretell_tag(tags, FORETELL_SYSTEM_GOAL, "tt", "granted", "Somebody gets the lock.");
  for (int i = 0; i < 3; ++i) foretell_tag(tags, FORETELL_SYSTEM_MESSAGE_KIND, "r", kinds[i]);
  for (int i = 0; i < 3; i += 2) foretell_tag(tags, FORETELL_SYSTEM_ACTION_KIND, "r", kinds[i]);
  foretell_tag(tags, FORETELL_SYSTEM_FAULT_HANDLER, "u", FORETELL_CRASH);
  foretell_tag(tags, FORETELL_SYSTEM_FLAGS, "u", FORETELL_IGNORES_BREAKS | FORETELL_NO_TIMERS);
}
static void actions(const void* system, uint32_t node, const void* state, foretell_out* list) {
  const lock_state* s = (const lock_state*)state;
  if (node != kServer && !s->asked) foretell_text(list, "Acquire");
  if (s->holds) foretell_text(list, "Release");
  (void)system;
}
static void handle(const void* system, uint32_t node, void* state, const foretell_event* event,
                   foretell_context* context) {
  lock_state* s = (lock_state*)state;
  if (event->kind == FORETELL_CRASH && ((const lock_system*)system)->forgets_holder) memset(s, 0, sizeof(*s));
  if (event->kind == FORETELL_ACTION) {
    s->asked = 1, s->holds = 0;
    foretell_send(context, kServer, event->body.data, event->body.size);
  }
  if (event->kind != FORETELL_DELIVER) return;
  if (foretell_is(event->body, "Acquire") && s->granted_to == 0) {
    s->granted_to = (uint8_t)event->peer;
    foretell_send(context, event->peer, "Grant", 5);
  }
  if (foretell_is(event->body, "Grant")) s->holds = 1;
  if (foretell_is(event->body, "Release")) s->granted_to = 0;
  (void)node;
}
static int holds(const void* system, uint32_t goal, uint32_t node, const void* state) {
  return (void)system, (void)goal, (void)node, ((const lock_state*)state)->holds;
}
static int project(const void* system, uint32_t invariant, uint32_t node, const void* state, foretell_out* key) {
  return (void)key, holds(system, invariant, node, state);
}
static int two(const void* system, uint32_t invariant, const foretell_blob* keys, uint32_t count) {
  return (void)system, (void)invariant, (void)keys, count == 2;
}
static uint32_t kind(uint32_t what, foretell_blob body) {
  return foretell_is(body, "Acquire") ? 0 : foretell_is(body, "Release") && what == FORETELL_MESSAGE ? 2 : 1;
}
static void line(uint32_t what, foretell_blob body, foretell_out* text) {
  foretell_raw(text, body.data, body.size), foretell_raw(text, "()", 2), (void)what;
}
static void fields(const void* system, uint32_t node, const void* state, foretell_out* list) {
  const lock_state* s = (const lock_state*)state;
  const char holder[2] = {(char)(s->granted_to ? '0' + s->granted_to : '-'), 0};
  foretell_text(list, "granted_to"), foretell_text(list, holder);
  foretell_text(list, "asked"), foretell_text(list, s->asked ? "yes" : "no");
  foretell_text(list, "holds"), foretell_text(list, s->holds ? "yes" : "no");
  (void)system, (void)node;
}

const foretell_kit foretell_service = {
    .system_size = sizeof(lock_system), .state_size = sizeof(lock_state), .describe = describe,
    .open = open_lock, .actions = actions, .handle = handle, .project = project, .violates = two,
    .reached = holds, .kind = kind, .line = line, .fields = fields};
