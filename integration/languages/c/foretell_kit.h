/* Services for Foretell in C. Include this in one .c file, define foretell_service there, and build
 * a library (-shared -fPIC) or, with -DFORETELL_KIT_MAIN, a process. A state is a struct of
 * `state_size` bytes, whose padding is zero. The names are those of foretell_service.h, which says
 * what each of them means, and which default a callback has that is null. */
#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foretell_service.h"

/* clang-format off */
typedef struct { uint8_t* data; size_t size, room; uint32_t count; /* put */ } foretell_out;
typedef struct { const uint8_t* data; size_t size; } foretell_blob; /* data is null: not there. */
typedef struct { uint32_t kind, peer; foretell_blob body; } foretell_event;
typedef struct {
  foretell_out sends, offered, restarted; /* Put an action there: its timer starts afresh. */
  foretell_blob choices; char failure[256]; /* The latter not empty: an assertion is broken. */
} foretell_context;
/* clang-format on */
typedef struct {
  size_t system_size, state_size; /* Both begin with zeros. */
  void (*describe)(foretell_out* tags);
  /* `set`: see foretell_setting. The tag FORETELL_SYSTEM_REFUSED says why not. */
  void (*open)(void* system, foretell_blob scenario, foretell_blob bug, foretell_blob set,
               foretell_out* tags);
  void (*initial)(const void* system, uint32_t node, void* state);
  void (*actions)(const void* system, uint32_t node, const void* state, foretell_out* list);
  void (*handle)(const void* system, uint32_t node, void* state, const foretell_event*,
                 foretell_context*);
  int (*project)(const void* system, uint32_t invariant, uint32_t node, const void* state,
                 foretell_out* key); /* Whether there is a key. */
  int (*violates)(const void* system, uint32_t invariant, const foretell_blob* keys, uint32_t n);
  int (*reached)(const void* system, uint32_t goal, uint32_t node, const void* state);
  uint32_t (*kind)(uint32_t what, foretell_blob body);
  /* For people: a message or action in a line; names and values of a state in turn. */
  void (*line)(uint32_t what, foretell_blob body, foretell_out* text);
  void (*fields)(const void* system, uint32_t node, const void* state, foretell_out* list);
} foretell_kit;
extern const foretell_kit foretell_service;

/* clang-format off */
static inline void foretell_raw(foretell_out* out, const void* bytes, size_t size) {
  for (; out->size + size > out->room; out->data = (uint8_t*)realloc(out->data, out->room))
    out->room = 2 * out->room + 256;
  if (size > 0) memcpy(out->data + out->size, bytes, size), out->size += size;
}
static inline void foretell_u32(foretell_out* out, uint32_t v)
{ foretell_raw(out, (uint8_t[]){v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24}, 4); }
static inline void foretell_put(foretell_out* out, const void* bytes, size_t size)
{ foretell_u32(out, (uint32_t)size), foretell_raw(out, bytes, size), ++out->count; }
static inline void foretell_text(foretell_out* out, const char* text)
{ foretell_put(out, text, strlen(text)); }
static inline void foretell_list(foretell_out* out, foretell_out* list, uint32_t count)
{ foretell_u32(out, count), foretell_raw(out, list->data, list->size), free(list->data); }
static inline int foretell_is(foretell_blob body, const char* name)
{ return body.size == strlen(name) && memcmp(body.data, name, body.size) == 0; }
static inline void foretell_send(foretell_context* c, uint32_t to, const void* bytes, size_t size)
{ foretell_u32(&c->sends, to), foretell_put(&c->sends, bytes, size); }
/* clang-format on */
static inline uint32_t foretell_take(foretell_blob* in) { /* A u32. Ends on what no host sends. */
  if (in->size < 4) abort();
  const uint8_t* b = in->data;
  in->data += 4, in->size -= 4;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}
static inline foretell_blob foretell_get(foretell_blob* in) {
  const uint32_t size = foretell_take(in);
  if (in->size < size) abort();
  return in->data += size, in->size -= size, (foretell_blob){in->data - size, size};
}
static inline uint32_t foretell_choose(foretell_context* c, uint32_t count) { /* 0 .. count-1 */
  foretell_u32(&c->offered, count), ++c->offered.count;
  return c->choices.size > 0 ? foretell_take(&c->choices) : 0;
}
/* A tag with its value: t text, u uint32_t, i int64_t, r a text that is the whole value. */
static inline void foretell_tag(foretell_out* out, uint32_t tag, const char* form, ...) {
  foretell_out value = {0};
  va_list given;
  for (va_start(given, form); *form != 0; ++form) {
    const char* text = *form == 't' || *form == 'r' ? va_arg(given, const char*) : "";
    const uint64_t wide = *form == 'i' ? (uint64_t)va_arg(given, int64_t) : 0;
    if (*form == 'u') foretell_u32(&value, va_arg(given, uint32_t));
    if (*form == 'i') foretell_u32(&value, (uint32_t)wide), foretell_u32(&value, wide >> 32);
    if (*form == 't') foretell_u32(&value, (uint32_t)strlen(text));
    foretell_raw(&value, text, strlen(text));
  }
  va_end(given);
  foretell_u32(out, tag), foretell_put(out, value.data, value.size), free(value.data);
}
/* What the user has set a parameter to, or `otherwise`. */
static inline int64_t foretell_setting(foretell_blob set, const char* name, int64_t otherwise) {
  for (uint32_t left = foretell_take(&set); left > 0; --left) {
    const int this_one = foretell_is(foretell_get(&set), name);
    const uint64_t low = foretell_take(&set), high = foretell_take(&set);
    if (this_one) otherwise = (int64_t)(low | high << 32);
  }
  return otherwise;
}
static inline void foretell_run(const void* s, uint32_t node, void* state, foretell_blob in,
                                foretell_out* out) {
  foretell_context c = {0};
  const uint32_t count = foretell_take(&in);
  foretell_event* events = (foretell_event*)calloc(count + 1, sizeof(*events));
  for (foretell_event* e = events; e < events + count; ++e)
    e->kind = foretell_take(&in), e->peer = foretell_take(&in), e->body = foretell_get(&in);
  for (uint32_t i = 0; i < count; ++i) { /* The last one counts. */
    free(c.sends.data), free(c.offered.data), free(c.restarted.data);
    c = (foretell_context){.choices = {in.data + 4, in.size - 4}};
    foretell_service.handle(s, node, state, &events[i], &c);
  }
  foretell_put(out, state, foretell_service.state_size);
  foretell_list(out, &c.sends, c.sends.count), foretell_list(out, &c.offered, c.offered.count);
  foretell_u32(out, 0), foretell_u32(out, 0), foretell_text(out, c.failure);
  foretell_list(out, &c.restarted, c.restarted.count), free(events);
}
static inline int foretell_violated(const void* s, uint32_t invariant, foretell_blob in) {
  foretell_blob keys[1024] = {{NULL, 0}}, absent; /* One of each node at most. */
  const uint32_t count = foretell_take(&in);
  if (count > 1024) abort();
  for (uint32_t i = 0; i < count; ++i) {
    foretell_blob* key = foretell_take(&in) ? &keys[i] : &absent;
    *key = foretell_get(&in);
  }
  return foretell_service.violates(s, invariant, keys, count) != 0;
}
static inline void foretell_ask(const void* s, uint32_t op, foretell_blob in, foretell_out* out) {
  const foretell_kit* kit = &foretell_service;
  const int plain = op == FORETELL_INITIAL || op == FORETELL_ACTIONS || op == FORETELL_RUN;
  const uint32_t which = plain ? 0 : foretell_take(&in); /* What; or an invariant, a goal. */
  if (op == FORETELL_VIOLATES) return foretell_u32(out, foretell_violated(s, which, in));
  if (op == FORETELL_KIND)
    return foretell_u32(out, kit->kind ? kit->kind(which, foretell_get(&in)) : 0);
  const uint32_t node = foretell_take(&in);
  const foretell_blob b = op == FORETELL_INITIAL ? (foretell_blob){NULL, 0} : foretell_get(&in);
  max_align_t room[kit->state_size / sizeof(max_align_t) + 1];
  void* state = memset(room, 0, sizeof(room));
  if (b.size == kit->state_size) memcpy(state, b.data, b.size);
  if (op == FORETELL_RUN) return foretell_run(s, node, state, in, out);
  if (op == FORETELL_VALID) return foretell_u32(out, which || b.size == kit->state_size);
  if (op == FORETELL_REACHED) return foretell_u32(out, kit->reached(s, which, node, state) != 0);
  if (op == FORETELL_INITIAL && kit->initial) kit->initial(s, node, state);
  if (op == FORETELL_INITIAL) return foretell_put(out, state, kit->state_size);
  foretell_out list = {0};
  if (op == FORETELL_ACTIONS && kit->actions) kit->actions(s, node, state, &list);
  if (op == FORETELL_ACTIONS) return foretell_list(out, &list, list.count);
  if (op == FORETELL_PROJECT) foretell_u32(out, kit->project(s, which, node, state, &list) != 0);
  if (op == FORETELL_PROJECT) return foretell_list(out, &list, (uint32_t)list.size);
  if (which && kit->line) kit->line(which, b, &list);
  foretell_put(out, list.data, list.size), list.size = 0;
  if (!which && kit->fields) kit->fields(s, node, state, &list);
  foretell_list(out, &list, list.count / 2);
}
static inline int64_t foretell_answer(uint32_t op, foretell_blob in, foretell_out* out) {
  static void* systems[4096]; /* Whoever asks about one has waited for the answer to its OPEN. */
  if (op == FORETELL_RUN_MANY || op == FORETELL_RELEVANT || op > FORETELL_KIND)
    return FORETELL_UNSUPPORTED;
  void** slot = &systems[foretell_take(&in) % 4096];
  foretell_out tags = {0};
  if (op == FORETELL_DESCRIBE) {
    foretell_service.describe(&tags);
    foretell_u32(out, FORETELL_SERVICE_ABI), foretell_u32(out, 1);
  } else if (op == FORETELL_OPEN) {
    foretell_get(&in); /* The family, of which there is one. */
    const foretell_blob scenario = foretell_get(&in), bug = foretell_get(&in);
    free(*slot), *slot = calloc(1, foretell_service.system_size + 1);
    foretell_service.open(*slot, scenario, bug, in, &tags);
  } else if (op == FORETELL_CLOSE) {
    return free(*slot), *slot = NULL, 0;
  } else {
    return foretell_ask(*slot, op, in, out), 0;
  }
  return foretell_list(out, &tags, tags.count), 0;
}
#ifdef FORETELL_KIT_MAIN
int main(void) {
  FILE *in = fdopen(dup(0), "rb"), *replies = fdopen(dup(1), "wb");
  dup2(2, 1); /* What handlers print must not come between the frames. */
  for (uint8_t header[8]; fread(header, 1, 8, in) == 8;) {
    foretell_blob numbers = {header, 8};
    const uint32_t size = foretell_take(&numbers), op = foretell_take(&numbers);
    uint8_t* request = (uint8_t*)malloc(size + 1);
    if (fread(request, 1, size, in) != size) return 1;
    foretell_out out = {0}, frame = {0};
    const int64_t code = foretell_answer(op, (foretell_blob){request, size}, &out);
    foretell_u32(&frame, (uint32_t)out.size), foretell_list(&frame, &out, (uint32_t)code);
    fwrite(frame.data, 1, frame.size, replies), fflush(replies), free(request), free(frame.data);
  }
}
#else
uint32_t foretell_service_abi(void) { return FORETELL_SERVICE_ABI; }
int64_t foretell_service_call(uint32_t op, const uint8_t* in, size_t n, uint8_t* out, size_t room) {
  foretell_out reply = {0};
  const int64_t code = foretell_answer(op, (foretell_blob){in, n}, &reply);
  if (reply.size > 0 && reply.size <= room) memcpy(out, reply.data, reply.size);
  return free(reply.data), code == 0 ? (int64_t)reply.size : code;
}
#endif
