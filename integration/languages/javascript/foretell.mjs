// Services for Foretell in JavaScript: `foretell check NAME --plugin 'exec:node my_service.mjs'`.
//
// States, messages and actions are plain values: null, booleans, integers, strings, arrays and objects.
// Their bytes are JSON with sorted keys; anything else is refused, for it has no canonical form. The numbers
// are those of foretell_service.h.
import fs from "node:fs";

export const [NODE, PAIR, SYSTEM] = [0, 1, 2]; // Scopes of invariants.
export const [STABLE, EVENTUALLY, WHEN_STUCK] = [1, 2, 4]; // Flags of invariants.
export const [DELIVER, ACTION, CRASH, RESTART, BREAK] = [0, 1, 2, 3, 4]; // Kinds of events.
export const [STATE, MESSAGE] = [0, 1]; // What is rendered; 2 is an action.
export const [HAS_AUXILIARY, IGNORES_BREAKS, NO_TIMERS] = [1, 2, 4]; // Flags of a system.

function canonical(value) {
  if (value === null || typeof value === "boolean" || typeof value === "string" || Number.isSafeInteger(value)) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) {
    throw new TypeError(`no canonical bytes for ${String(value)}`);
  }
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}
export const encode = (value) => Buffer.from(canonical(value));
export const decode = (bytes) => JSON.parse(bytes.toString());

export class Reader {
  constructor(bytes) { [this.bytes, this.at] = [bytes, 0]; }
  u32() { return this.bytes.readUInt32LE((this.at += 4) - 4); }
  i64() { return Number(this.bytes.readBigInt64LE((this.at += 8) - 8)); }
  blob() {
    const size = this.u32();
    if (this.at + size > this.bytes.length) throw new RangeError("blob is cut short");
    return this.bytes.subarray((this.at += size) - size, this.at);
  }
  text() { return this.blob().toString(); }
  value() { return decode(this.blob()); }
  list(each) { return Array.from({ length: this.u32() }, each); }
  event() { return { kind: this.u32(), peer: this.u32(), body: this.blob() }; }
}

export function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Number(value));
  return bytes;
}
export function i64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}
export const join = (...parts) => Buffer.concat(parts);
export const blob = (data) => join(u32(Buffer.byteLength(data)), Buffer.from(data));
export const many = (items, each = blob) => join(u32(items.length), ...items.map((item) => each(item)));
export const record = (tags) => many(tags, ([tag, value]) => join(u32(tag), blob(value)));

// What a handler does to the world.
export class Context {
  sends = [];
  offered = [];
  restarted = [];
  constructor(choices = []) { this.choices = choices; }
  send(to, message) { this.sends.push([to, encode(message)]); }
  choose(count) { // One of 0 .. count-1; every way is explored.
    this.offered.push(count);
    return this.choices[this.offered.length - 1] ?? 0;
  }
  restartTimer(action) { this.restarted.push(encode(action)); }
}

// One system; override what you need.
export class Service {
  nodes = 1;
  streams = false;
  duplicates = 0;
  flags = 0;
  messageKinds = [];
  actionKinds = [];
  faultHandlers = [];
  invariants = []; // { name, text, scope, flags, project(node, state), violated(keys) }; null: no key
  goals = []; // { name, text, reached(node, state) }
  start = null; // A cut as foretell_service.h has it; null: the initial states.
  other = {}; // Further ops of foretell_service.h: { op: (reader) => bytes }.
  faults(node) { return [0, 0]; } // crashes_max, breaks_max
  role(node) { return ""; }
  initial(node) { return null; }
  actions(node, state) { return []; }
  wake(node, state) { return state; } // A live object that handles all events of one request, ...
  sleep(live) { return live; } // ... and its state.
  handle(node, live, event, context) { return live; } // May throw: a finding. After a CRASH: what survives.
  kind(what, value) { return 0; }
  render(what, node, value) { // A line, and the fields of a state.
    const fields = value !== null && typeof value === "object" ? Object.entries(value) : [];
    return [canonical(value), fields.map(([name, one]) => [name, canonical(one)])];
  }
  described() {
    const nodes = Array.from({ length: this.nodes }, (_, node) => [3, join(...this.faults(node).map(u32), blob(this.role(node)))]);
    return record([
      [1, u32(this.nodes)], [2, join(u32(this.streams), u32(this.duplicates))], ...nodes,
      ...this.invariants.map((i) => [4, join(blob(i.name), blob(i.text), u32(i.scope), u32(i.flags ?? 0))]),
      ...this.goals.map((goal) => [5, join(blob(goal.name), blob(goal.text))]),
      ...this.messageKinds.map((kind) => [6, kind]), ...this.actionKinds.map((kind) => [7, kind]),
      ...this.faultHandlers.map((kind) => [8, u32(kind)]), [10, u32(this.flags)],
      ...(this.start === null ? [] : [[12, this.start]]),
    ]);
  }
  run(node, state, events, choices) {
    let [context, failure] = [new Context(), ""];
    try {
      let live = this.wake(node, decode(state));
      for (const event of events) {
        context = new Context(choices);
        const body = event.body.length > 0 ? decode(event.body) : null;
        live = this.handle(node, live, { ...event, body }, context);
      }
      state = encode(this.sleep(live));
    } catch (error) {
      failure = String(error);
    }
    const sends = many(context.sends, ([to, message]) => join(u32(to), blob(message)));
    return join(blob(state), sends, many(context.offered, u32), many([]), many([]), blob(failure), many(context.restarted));
  }
  answer(op, r) {
    if (op === 3) return blob(encode(this.initial(r.u32())));
    if (op === 4) return many(this.actions(r.u32(), r.value()).map(encode));
    if (op === 5) return this.run(r.u32(), r.blob(), r.list(() => r.event()), r.list(() => r.u32()));
    if (op === 7) {
      const key = this.invariants[r.u32()].project(r.u32(), r.value());
      return join(u32(key !== null), blob(key === null ? "" : encode(key)));
    }
    if (op === 8) {
      const invariant = this.invariants[r.u32()];
      const keys = r.list(() => [r.u32(), r.blob()]);
      return u32(invariant.violated(keys.map(([present, key]) => (present ? decode(key) : null))));
    }
    if (op === 9) {
      const [line, fields] = this.render(r.u32(), r.u32(), r.value());
      return join(blob(line), many(fields, ([name, value]) => join(blob(name), blob(value))));
    }
    if (op === 12) return u32(this.goals[r.u32()].reached(r.u32(), r.value()));
    if (op === 13) return u32(this.kind(r.u32(), r.value()));
    return this.other[op]?.(r);
  }
}

function describe(family) {
  const named = (tag, rows) => (rows ?? []).map(([name, text]) => [tag, join(blob(name), blob(text))]);
  return record([
    [1, family.name], [2, family.text ?? ""], [3, family.version ?? ""], [7, family.live ?? ""],
    ...named(4, family.scenarios ?? [["start", "From the initial states."]]), ...named(5, family.bugs),
    ...(family.parameters ?? []).map(([name, text, ...numbers]) => [6, join(blob(name), blob(text), ...numbers.map(i64))]),
  ]);
}

function readAll(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const count = fs.readSync(0, bytes, at, bytes.length - at, null);
    if (count === 0) process.exit(0); // The host is gone.
    at += count;
  }
  return bytes;
}

// Answers requests until standard input ends. A family: { name, text, version, live, scenarios, bugs,
// parameters: [name, text, value, min, max], open(scenario, bug, { parameter: value }) }; open may throw.
export function serve(...families) {
  const systems = new Map();
  console.log = console.info = console.error; // Standard output is for frames.
  function answer(op, r) {
    if (op === 0) return join(u32(1), many(families, describe));
    if (op === 6) return many(r.list(() => answer(5, new Reader(r.blob()))));
    const system = r.u32();
    if (op === 1) {
      const name = r.text();
      const family = families.find((one) => one.name === name);
      const [scenario, bug] = [r.text(), r.text()];
      try {
        systems.set(system, family.open(scenario, bug, Object.fromEntries(r.list(() => [r.text(), r.i64()]))));
      } catch (error) {
        return record([[13, error.message]]);
      }
      return systems.get(system).described();
    }
    if (op === 2) return Buffer.alloc(Number(systems.delete(system)) * 0);
    return systems.get(system).answer(op, r);
  }
  for (;;) {
    const header = new Reader(readAll(Buffer.alloc(8)));
    const request = readAll(Buffer.alloc(header.u32()));
    let [code, reply] = [0, undefined];
    try {
      reply = answer(header.u32(), new Reader(request));
      if (reply === undefined) [code, reply] = [-2, Buffer.alloc(0)];
    } catch (error) {
      [code, reply] = [-3, Buffer.from(String(error))];
    }
    const frame = join(u32(reply.length), u32(code >>> 0), reply);
    for (let at = 0; at < frame.length; ) at += fs.writeSync(1, frame, at);
  }
}
