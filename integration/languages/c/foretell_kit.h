/* Services for Foretell in C, with typed callbacks. Fill in a foretell_kit, say
 * FORETELL_KIT(my_kit) once in a .c file, and build a library (-shared -fPIC) or, with
 * -DFORETELL_KIT_MAIN, a process. A state is a struct of `state_size` bytes without padding or with
 * padding that is zero: its bytes are what Foretell compares. All lists end with a row of zeros,
 * and what is zero has the default of foretell_service.h. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foretell_service.h"

typedef struct {
  uint8_t* data;
  size_t size, room;
} foretell_out;
typedef struct {
  const uint8_t* data;
  size_t size;
} foretell_blob; /* data is null: not there. */
typedef struct {
  const char *name, *text;
} foretell_named;
typedef struct {
  const char *name, *text;
  int64_t value, min, max;
} foretell_parameter;
typedef struct {
  uint32_t kind, peer;
  foretell_blob body;
} foretell_event;
typedef struct {
  foretell_out sends, offered, restarted;
  uint32_t sent, choices, timers;
  const uint8_t* chosen; /* u32 each. */
  uint32_t chosen_count;
  char failure[256];
} foretell_context;
typedef struct {
  const char *name, *text;
  uint32_t scope, flags;
  int (*project)(const void* system, uint32_t node, const void* state, foretell_out* key);
  int (*violated)(const void* system, const foretell_blob* keys, uint32_t count);
} foretell_invariant;
typedef struct {
  const char *name, *text;
  int (*reached)(const void* system, uint32_t node, const void* state);
} foretell_goal;
typedef struct {
  const char *name, *text, *version, *live;
  const foretell_named *scenarios, *bugs;
  const foretell_parameter* parameters;
  const foretell_invariant* invariants;
  const foretell_goal* goals;
  const char *const *message_kinds, *const *action_kinds;
  uint32_t family_flags, flags, fault_handlers; /* The last: one bit for each kind of event. */
  size_t system_size, state_size;
  /* Fills in what is zero; `value` has those of `parameters`. Returns why not, or null. */
  const char* (*open)(void* system, const char* scenario, const char* bug, const int64_t* value);
  uint32_t (*nodes)(const void* system);
  void (*faults)(const void* system, uint32_t node, uint32_t* crashes_max, uint32_t* breaks_max);
  const char* (*role)(const void* system, uint32_t node);
  void (*initial)(const void* system, uint32_t node, void* state);
  uint32_t (*actions)(const void* system, uint32_t node, const void* state,
                      foretell_out* list); /* How many. */
  void (*handle)(const void* system, uint32_t node, void* state, const foretell_event*,
                 foretell_context*);
  uint32_t (*kind)(uint32_t what, foretell_blob body);
  uint32_t (*fields)(const void* system, uint32_t node, const void* state,
                     foretell_out* list);                              /* How many. */
  void (*line)(uint32_t what, foretell_blob body, foretell_out* text); /* Of a message or action. */
} foretell_kit;

static inline void foretell_raw(foretell_out* out, const void* bytes, size_t size) {
  while (out->size + size > out->room) {
    out->room = 2 * out->room + 256;
    if ((out->data = (uint8_t*)realloc(out->data, out->room)) == NULL) abort();
  }
  if (size > 0) memcpy(out->data + out->size, bytes, size);
  out->size += size;
}
static inline void foretell_number(foretell_out* out, uint64_t value, int size) {
  for (int i = 0; i < size; ++i) foretell_raw(out, &(uint8_t){(uint8_t)(value >> (8 * i))}, 1);
}
static inline void foretell_u32(foretell_out* out, uint32_t value) {
  foretell_number(out, value, 4);
}
static inline void foretell_put(foretell_out* out, const void* bytes, size_t size) {
  foretell_u32(out, (uint32_t)size);
  foretell_raw(out, bytes, size);
}
static inline void foretell_text(foretell_out* out, const char* text) {
  foretell_put(out, text, strlen(text));
}
/* A tag with its value: t text, u uint32_t, i int64_t, r a text that is the whole value. */
static inline void foretell_tag(foretell_out* out, uint32_t* count, uint32_t tag, const char* form,
                                ...) {
  foretell_out value = {0};
  va_list arguments;
  va_start(arguments, form);
  for (; *form != 0; ++form) {
    if (*form == 't') foretell_text(&value, va_arg(arguments, const char*));
    if (*form == 'u') foretell_u32(&value, va_arg(arguments, uint32_t));
    if (*form == 'i') foretell_number(&value, (uint64_t)va_arg(arguments, int64_t), 8);
    const char* whole = *form == 'r' ? va_arg(arguments, const char*) : NULL;
    if (whole != NULL) foretell_raw(&value, whole, strlen(whole));
  }
  va_end(arguments);
  ++*count;
  foretell_u32(out, tag);
  foretell_put(out, value.data, value.size);
  free(value.data);
}
static inline uint32_t foretell_take(foretell_blob* in) { /* A u32. Ends on what no host sends. */
  if (in->size < 4) abort();
  const uint8_t* b = in->data;
  in->data += 4, in->size -= 4;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline foretell_blob foretell_get(foretell_blob* in) {
  foretell_blob blob = {NULL, foretell_take(in)};
  if (in->size < blob.size) abort();
  blob.data = in->data;
  in->data += blob.size, in->size -= blob.size;
  return blob;
}
static inline void foretell_send(foretell_context* context, uint32_t to, const void* message,
                                 size_t size) {
  ++context->sent;
  foretell_u32(&context->sends, to);
  foretell_put(&context->sends, message, size);
}
static inline uint32_t foretell_choose(foretell_context* context,
                                       uint32_t count) { /* 0 .. count-1 */
  foretell_blob rest = {context->chosen + 4 * context->choices, 4};
  foretell_u32(&context->offered, count);
  return context->choices++ < context->chosen_count ? foretell_take(&rest) : 0;
}
static inline void foretell_fail(foretell_context* context, const char* why) {
  snprintf(context->failure, sizeof(context->failure), "%s", why);
}
static inline void foretell_describe(const foretell_kit* kit, foretell_out* out, uint32_t* n) {
  foretell_tag(out, n, FORETELL_FAMILY_NAME, "r", kit->name);
  foretell_tag(out, n, FORETELL_FAMILY_TEXT, "r", kit->text);
  foretell_tag(out, n, FORETELL_FAMILY_VERSION, "r", kit->version);
  foretell_tag(out, n, FORETELL_FAMILY_LIVE, "r", kit->live);
  for (const foretell_named* r = kit->scenarios; r->name; ++r)
    foretell_tag(out, n, 4, "tt", r->name, r->text);
  for (const foretell_named* r = kit->bugs; r && r->name; ++r)
    foretell_tag(out, n, 5, "tt", r->name, r->text);
  for (const foretell_parameter* r = kit->parameters; r && r->name; ++r)
    foretell_tag(out, n, FORETELL_FAMILY_PARAMETER, "ttiii", r->name, r->text, r->value, r->min,
                 r->max);
  foretell_tag(out, n, FORETELL_FAMILY_FLAGS, "u", kit->family_flags);
}
static inline void foretell_describe_system(const foretell_kit* kit, const void* s,
                                            foretell_out* out, uint32_t* n) {
  foretell_tag(out, n, FORETELL_SYSTEM_NODES, "u", kit->nodes(s));
  for (uint32_t node = 0; node < kit->nodes(s); ++node) {
    uint32_t crashes = 0, breaks = 0;
    if (kit->faults) kit->faults(s, node, &crashes, &breaks);
    foretell_tag(out, n, FORETELL_SYSTEM_NODE, "uut", crashes, breaks,
                 kit->role ? kit->role(s, node) : "");
  }
  for (const foretell_invariant* r = kit->invariants; r && r->name; ++r)
    foretell_tag(out, n, FORETELL_SYSTEM_INVARIANT, "ttuu", r->name, r->text, r->scope, r->flags);
  for (const foretell_goal* r = kit->goals; r && r->name; ++r)
    foretell_tag(out, n, 5, "tt", r->name, r->text);
  for (const char* const* r = kit->message_kinds; r && *r; ++r) foretell_tag(out, n, 6, "r", *r);
  for (const char* const* r = kit->action_kinds; r && *r; ++r) foretell_tag(out, n, 7, "r", *r);
  for (uint32_t kind = 0; kind < 5; ++kind)
    if (kit->fault_handlers >> kind & 1)
      foretell_tag(out, n, FORETELL_SYSTEM_FAULT_HANDLER, "u", kind);
  foretell_tag(out, n, FORETELL_SYSTEM_FLAGS, "u", kit->flags);
}
static inline void foretell_run(const foretell_kit* kit, const void* system, foretell_blob* in,
                                void* state, foretell_out* out) {
  foretell_context c = {0};
  const uint32_t node = foretell_take(in);
  foretell_blob before = foretell_get(in), first = *in;
  memcpy(state, before.data, before.size < kit->state_size ? before.size : kit->state_size);
  const uint32_t events = foretell_take(in);
  for (uint32_t i = 0; i < events; ++i)
    (void)foretell_take(in), (void)foretell_take(in), (void)foretell_get(in);
  const uint32_t chosen = foretell_take(in);
  (void)foretell_take(&first);
  for (uint32_t i = 0; i < events; ++i) {
    foretell_event event;
    event.kind = foretell_take(&first), event.peer = foretell_take(&first),
    event.body = foretell_get(&first);
    c.sends.size = c.offered.size = c.restarted.size = c.sent = c.choices = c.timers = 0;
    c.chosen = in->data, c.chosen_count = chosen;
    kit->handle(system, node, state, &event, &c);
  }
  foretell_put(out, state, kit->state_size);
  foretell_u32(out, c.sent), foretell_raw(out, c.sends.data, c.sends.size);
  foretell_u32(out, c.choices), foretell_raw(out, c.offered.data, c.offered.size);
  foretell_u32(out, 0), foretell_u32(out, 0), foretell_text(out, c.failure);
  foretell_u32(out, c.timers), foretell_raw(out, c.restarted.data, c.restarted.size);
  free(c.sends.data), free(c.offered.data), free(c.restarted.data);
}
/* Everything but DESCRIBE and OPEN; `in` is behind the number of the system. */
static inline int64_t foretell_ask(const foretell_kit* kit, const void* s, uint32_t op,
                                   foretell_blob in, void* state, foretell_out* out) {
  if (op == FORETELL_RUN) return foretell_run(kit, s, &in, state, out), 0;
  const uint32_t index = op == FORETELL_INITIAL || op == FORETELL_ACTIONS ? 0 : foretell_take(&in);
  if (op == FORETELL_VIOLATES) {
    const uint32_t count = foretell_take(&in);
    foretell_blob* keys = (foretell_blob*)calloc(count + 1, sizeof(*keys));
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t present = foretell_take(&in);
      const foretell_blob key = foretell_get(&in);
      if (present) keys[i] = key;
    }
    foretell_u32(out, kit->invariants[index].violated(s, keys, count) != 0);
    return free(keys), 0;
  }
  if (op == FORETELL_KIND && kit->kind)
    return foretell_u32(out, kit->kind(index, foretell_get(&in))), 0;
  if (op == FORETELL_KIND) return FORETELL_UNSUPPORTED;
  foretell_out list = {0};
  uint32_t count = 0;
  const uint32_t node = foretell_take(&in);
  const foretell_blob bytes = op == FORETELL_INITIAL ? (foretell_blob){NULL, 0} : foretell_get(&in);
  if (bytes.size == kit->state_size) memcpy(state, bytes.data, bytes.size);
  switch (op) {
    case FORETELL_INITIAL:
      if (kit->initial) kit->initial(s, node, state);
      foretell_put(out, state, kit->state_size);
      break;
    case FORETELL_ACTIONS: count = kit->actions ? kit->actions(s, node, state, &list) : 0; break;
    case FORETELL_PROJECT:
      count = kit->invariants[index].project(s, node, state, &list) != 0;
      break;
    case FORETELL_REACHED: foretell_u32(out, kit->goals[index].reached(s, node, state) != 0); break;
    case FORETELL_RENDER:
      if (index != FORETELL_STATE && kit->line) kit->line(index, bytes, &list);
      foretell_put(out, list.data, list.size), list.size = 0;
      if (index == FORETELL_STATE && kit->fields) count = kit->fields(s, node, state, &list);
      break;
    default: return free(list.data), FORETELL_UNSUPPORTED;
  }
  if (op == FORETELL_ACTIONS || op == FORETELL_PROJECT || op == FORETELL_RENDER)
    foretell_u32(out, count);
  if (op == FORETELL_PROJECT) foretell_u32(out, (uint32_t)list.size);
  foretell_raw(out, list.data, list.size);
  return free(list.data), 0;
}
static inline char* foretell_word(foretell_blob* in) {
  const foretell_blob text = foretell_get(in);
  return strndup((const char*)text.data, text.size);
}
static inline void foretell_open(const foretell_kit* kit, void** slot, foretell_blob in,
                                 foretell_out* out) {
  int64_t values[64] = {0};
  char *family = foretell_word(&in), *scenario = foretell_word(&in), *bug = foretell_word(&in);
  for (int i = 0; kit->parameters && kit->parameters[i].name; ++i)
    values[i] = kit->parameters[i].value;
  for (uint32_t set = foretell_take(&in); set > 0; --set) {
    char* name = foretell_word(&in);
    const uint64_t low = foretell_take(&in), value = low | (uint64_t)foretell_take(&in) << 32;
    for (int i = 0; kit->parameters && kit->parameters[i].name; ++i)
      if (strcmp(kit->parameters[i].name, name) == 0) values[i] = (int64_t)value;
    free(name);
  }
  uint32_t count = 0;
  foretell_out tags = {0};
  free(*slot);
  *slot = calloc(1, kit->system_size + 1);
  const char* refused = kit->open ? kit->open(*slot, scenario, bug, values) : NULL;
  if (refused)
    foretell_tag(&tags, &count, FORETELL_SYSTEM_REFUSED, "r", refused);
  else
    foretell_describe_system(kit, *slot, &tags, &count);
  foretell_u32(out, count), foretell_raw(out, tags.data, tags.size);
  free(tags.data), free(family), free(scenario), free(bug);
}
static inline int64_t foretell_answer(const foretell_kit* kit, uint32_t op, foretell_blob in,
                                      foretell_out* out) {
  static void* systems[4096]; /* Whoever asks about one has waited for the answer to its OPEN. */
  uint32_t count = 0;
  if (op == FORETELL_DESCRIBE) {
    foretell_out tags = {0};
    foretell_describe(kit, &tags, &count);
    foretell_u32(out, FORETELL_SERVICE_ABI), foretell_u32(out, 1), foretell_u32(out, count);
    foretell_raw(out, tags.data, tags.size);
    return free(tags.data), 0;
  }
  if (op == FORETELL_RUN_MANY || in.size < 4) return FORETELL_UNSUPPORTED;
  void** slot = &systems[foretell_take(&in) % 4096];
  if (op == FORETELL_OPEN) return foretell_open(kit, slot, in, out), 0;
  if (op == FORETELL_CLOSE) return free(*slot), *slot = NULL, 0;
  if (op > FORETELL_KIND || op == FORETELL_VALID || op == FORETELL_RELEVANT)
    return FORETELL_UNSUPPORTED;
  void* state = calloc(1, kit->state_size + 1);
  const int64_t code = foretell_ask(kit, *slot, op, in, state, out);
  return free(state), code;
}
static inline int foretell_serve(const foretell_kit* kit) {
  FILE *in = fdopen(dup(0), "rb"), *replies = fdopen(dup(1), "wb");
  dup2(2, 1); /* What handlers print must not come between the frames. */
  uint8_t header[8];
  while (fread(header, 1, 8, in) == 8) {
    foretell_blob numbers = {header, 8};
    const uint32_t size = foretell_take(&numbers), op = foretell_take(&numbers);
    uint8_t* request = (uint8_t*)malloc(size + 1);
    foretell_out out = {0}, frame = {0};
    if (fread(request, 1, size, in) != size) return 1;
    const int64_t code = foretell_answer(kit, op, (foretell_blob){request, size}, &out);
    foretell_u32(&frame, (uint32_t)out.size), foretell_u32(&frame, (uint32_t)code);
    foretell_raw(&frame, out.data, out.size);
    fwrite(frame.data, 1, frame.size, replies), fflush(replies);
    free(request), free(out.data), free(frame.data);
  }
  return 0;
}
#ifdef FORETELL_KIT_MAIN
#define FORETELL_KIT(kit) \
  int main(void) { return foretell_serve(&(kit)); }
#else
#define FORETELL_KIT(kit)                                                                       \
  uint32_t foretell_service_abi(void) { return FORETELL_SERVICE_ABI; }                          \
  int64_t foretell_service_call(uint32_t op, const uint8_t* in, size_t size, uint8_t* out,      \
                                size_t room) {                                                  \
    foretell_out reply = {0};                                                                   \
    int64_t code = foretell_answer(&(kit), op, (foretell_blob){in, size}, &reply);              \
    if (code == 0 && reply.size <= room && reply.size > 0) memcpy(out, reply.data, reply.size); \
    if (code == 0) code = (int64_t)reply.size;                                                  \
    free(reply.data);                                                                           \
    return code;                                                                                \
  }
#endif
