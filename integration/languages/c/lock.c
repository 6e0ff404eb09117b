/* A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
 * The server may crash once, and must not forget who holds the lock. */
#include "foretell_kit.h"

enum { kServer = 0 };
typedef struct { uint32_t clients; int forgets_holder; } lock_system;
typedef struct { uint8_t granted_to, asked, holds; } lock_state; /* granted_to: 0 is nobody. */

static const char* open_lock(void* system, const char* scenario, const char* bug, const int64_t* value) {
  lock_system* s = (lock_system*)system;
  s->clients = (uint32_t)value[0];
  s->forgets_holder = strcmp(bug, "forgets-holder") == 0;
  return (void)scenario, NULL;
}
static uint32_t nodes(const void* system) { return 1 + ((const lock_system*)system)->clients; }
static const char* role(const void* s, uint32_t node) { return (void)s, node == kServer ? "server" : "client"; }
static void faults(const void* s, uint32_t node, uint32_t* crashes, uint32_t* breaks) {
  *crashes = node == kServer, *breaks = 0, (void)s;
}
static uint32_t actions(const void* system, uint32_t node, const void* state, foretell_out* list) {
  const lock_state* s = (const lock_state*)state;
  const int acquire = node != kServer && !s->asked;
  if (acquire) foretell_text(list, "Acquire");
  if (s->holds) foretell_text(list, "Release");
  return (void)system, (uint32_t)(acquire + s->holds);
}
static int is(foretell_blob body, const char* name) {
  return body.size == strlen(name) && memcmp(body.data, name, body.size) == 0;
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
  if (is(event->body, "Acquire") && s->granted_to == 0) {
    s->granted_to = (uint8_t)event->peer;
    foretell_send(context, event->peer, "Grant", 5);
  }
  if (is(event->body, "Grant")) s->holds = 1;
  if (is(event->body, "Release")) s->granted_to = 0;
  (void)node;
}
static int holds(const void* system, uint32_t node, const void* state) {
  return (void)system, (void)node, ((const lock_state*)state)->holds;
}
static int project(const void* system, uint32_t node, const void* state, foretell_out* key) {
  return (void)key, holds(system, node, state);
}
static int two(const void* system, const foretell_blob* keys, uint32_t count) {
  return (void)system, (void)keys, count == 2;
}
static uint32_t kind(uint32_t what, foretell_blob body) {
  return is(body, "Acquire") ? 0 : is(body, "Release") && what == FORETELL_MESSAGE ? 2 : 1;
}
static void line(uint32_t what, foretell_blob body, foretell_out* text) {
  foretell_raw(text, body.data, body.size), foretell_raw(text, "()", 2), (void)what;
}
static uint32_t fields(const void* system, uint32_t node, const void* state, foretell_out* list) {
  const lock_state* s = (const lock_state*)state;
  const char holder[2] = {(char)(s->granted_to ? '0' + s->granted_to : '-'), 0};
  foretell_text(list, "granted_to"), foretell_text(list, holder);
  foretell_text(list, "asked"), foretell_text(list, s->asked ? "yes" : "no");
  foretell_text(list, "holds"), foretell_text(list, s->holds ? "yes" : "no");
  return (void)system, (void)node, 3;
}

static const foretell_kit lock = {
    .name = "lock", .text = "A lock server that may crash, and its clients.", .live = "start",
    .scenarios = (const foretell_named[]){{"start", "From the initial states."}, {0}},
    .bugs = (const foretell_named[]){{"forgets-holder", "A crashed server forgets the holder."}, {0}},
    .parameters = (const foretell_parameter[]){{"clients", "how many clients there are", 2, 1, 5}, {0}},
    .invariants = (const foretell_invariant[]){
        {"one-holder", "No two clients hold the lock.", 1, 0, project, two}, {0}},
    .goals = (const foretell_goal[]){{"granted", "Somebody gets the lock.", holds}, {0}},
    .message_kinds = (const char* const[]){"Acquire", "Grant", "Release", NULL},
    .action_kinds = (const char* const[]){"Acquire", "Release", NULL},
    .flags = FORETELL_IGNORES_BREAKS | FORETELL_NO_TIMERS, .fault_handlers = 1 << FORETELL_CRASH,
    .system_size = sizeof(lock_system), .state_size = sizeof(lock_state),
    .open = open_lock, .nodes = nodes, .faults = faults, .role = role, .actions = actions, .handle = handle,
    .kind = kind, .fields = fields, .line = line};
FORETELL_KIT(lock)
