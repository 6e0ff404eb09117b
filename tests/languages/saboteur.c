/* The lock service of integration/languages/c, which goes wrong: SABOTAGE="OP HOW" says at which op and
 * how. A process (-DFORETELL_KIT_MAIN) or a library. */
#ifdef FORETELL_KIT_MAIN
#define SABOTEUR_PROCESS
#endif
#undef FORETELL_KIT_MAIN
#define foretell_service_abi lock_abi
#define foretell_service_call lock_call
#include "lock.c"
#undef foretell_service_abi
#undef foretell_service_call

static char how[32];
static unsigned at = 1000;

static void read_plan(void) {
  const char* plan = getenv("SABOTAGE");
  if (plan != NULL && at == 1000) sscanf(plan, "%u %31s", &at, how);
}
static int planned(const char* name) { return strcmp(how, name) == 0; }
static void* volatile kept;

/* What takes the process, or the caller, down. */
static void go_wrong(void) {
  volatile int* nowhere = NULL;
  if (planned("abort")) fprintf(stderr, "assertion failed\n"), abort();
  if (planned("exit")) _exit(7);
  if (planned("null")) *nowhere = 1;
  while (planned("loop")) {
  }
  while (planned("sleep")) pause();
  while (planned("memory")) {
    if ((kept = malloc(1 << 24)) == NULL) abort();
    memset(kept, 1, 1 << 24);
  }
}
#ifdef SABOTEUR_PROCESS
/* What is wrong with the reply alone. */
static void spoil(foretell_out* out) {
  if (planned("garbage")) {
    for (size_t i = 0; i < out->size; ++i) out->data[i] = (uint8_t)(0xa5 ^ i);
    foretell_raw(out, "\377\377\377\377\377\377\377", 7);
  }
  if (planned("cut")) out->size = out->size > 0 ? out->size - 1 : 0;
  if (planned("cut") && out->size == 0) foretell_raw(out, "x", 1);
}
static void put(uint32_t size, uint32_t code, const foretell_out* out, int replies) {
  foretell_out frame = {0};
  foretell_u32(&frame, size), foretell_u32(&frame, code), foretell_raw(&frame, out->data, out->size);
  if (write(replies, frame.data, frame.size) < 0) _exit(1);
  free(frame.data);
}
int main(void) {
  read_plan();
  const int replies = dup(1);
  uint8_t header[8];
  while (fread(header, 1, 8, stdin) == 8) {
    foretell_blob numbers = {header, 8};
    const uint32_t size = foretell_take(&numbers), op = foretell_take(&numbers);
    uint8_t* request = (uint8_t*)malloc(size + 1);
    foretell_out out = {0};
    if (fread(request, 1, size, stdin) != size) return 1;
    const uint32_t code = (uint32_t)foretell_answer(op, (foretell_blob){request, size}, &out);
    const int now = op == at;
    if (now) go_wrong(), spoil(&out);
    if (now && planned("truncated")) {
      put((uint32_t)out.size + 9, code, &out, replies);
      return 0;
    }
    put(now && planned("lie") ? UINT32_MAX : (uint32_t)out.size, now && planned("code") ? 77 : code, &out, replies);
    if (now && planned("noise") && write(replies, "hello\n", 6) < 0) return 1;
    free(request), free(out.data);
  }
  return 0;
}
#else
uint32_t foretell_service_abi(void) { return FORETELL_SERVICE_ABI; }
int64_t foretell_service_call(uint32_t op, const uint8_t* in, size_t size, uint8_t* out, size_t room) {
  read_plan();
  if (op == at) go_wrong();
  const int64_t code = lock_call(op, in, size, out, room);
  return op == at && planned("lie") ? INT64_MAX : op == at && planned("code") ? -77 : code;
}
#endif
