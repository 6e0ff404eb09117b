"""Services for Foretell in Python: `foretell check NAME --plugin 'exec:python3 my_service.py'`.

States, messages and actions are plain values: None, bool, int, str, lists, and dicts with str as keys. Their
bytes are JSON with sorted keys. Sets and floats are refused, for they have no canonical form. The numbers
are those of foretell_service.h.
"""
import json
import os
import struct

NODE, PAIR, SYSTEM = 0, 1, 2  # Scopes of invariants.
STABLE, EVENTUALLY, WHEN_STUCK = 1, 2, 4  # Flags of invariants.
DELIVER, ACTION, CRASH, RESTART, BREAK = range(5)  # Kinds of events.
STATE, MESSAGE = 0, 1  # What is rendered; 2 is an action.
HAS_AUXILIARY, IGNORES_BREAKS, NO_TIMERS = 1, 2, 4  # Flags of a system.


def refuse_float(text):
    raise TypeError(f"{text} is a float, which has no canonical bytes")


def encode(value):
    data = json.dumps(value, sort_keys=True, separators=(",", ":"))
    if "." in data or "e" in data:
        json.loads(data, parse_float=refuse_float)
    return data.encode()


decode = json.loads


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form="<I"):
        (value,) = struct.unpack_from(form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def blob(self):
        size = self.number()
        if self.at + size > len(self.data):
            raise ValueError("blob is cut short")
        self.at += size
        return self.data[self.at - size : self.at]

    text = lambda self: self.blob().decode()
    value = lambda self: decode(self.blob())
    list = lambda self, each: [each() for _ in range(self.number())]
    event = lambda self: (self.number(), self.number(), self.blob())


u32, i64 = struct.Struct("<I").pack, struct.Struct("<q").pack


def blob(data):
    data = data.encode() if isinstance(data, str) else data
    return u32(len(data)) + data


def many(items, each=blob):
    return u32(len(items)) + b"".join(each(item) for item in items)


record = lambda *tags: many(tags, lambda tag: u32(tag[0]) + blob(tag[1]))


class Context:
    """What a handler does to the world."""

    def __init__(self, choices=()):
        self.choices, self.sends, self.offered, self.restarted = choices, [], [], []

    def send(self, to, message):
        self.sends.append((to, encode(message)))

    def choose(self, count):
        """One of 0 .. count-1; every way is explored."""
        self.offered.append(count)
        return self.choices[len(self.offered) - 1] if len(self.offered) <= len(self.choices) else 0

    def restart_timer(self, action):
        self.restarted.append(encode(action))


class Service:
    """One system; override what you need."""

    nodes, streams, duplicates, flags = 1, False, 0, 0
    message_kinds, action_kinds, fault_handlers = (), (), ()
    invariants, goals = (), ()  # (name, text, scope, flags, project, violated); (name, text, reached)
    start, other = b"", {}  # A cut or none, and further ops {op: function(reader) -> bytes}: foretell_service.h.

    faults = lambda self, node: (0, 0)  # crashes_max, breaks_max
    role = lambda self, node: ""
    initial = lambda self, node: None
    actions = lambda self, node, state: []
    kind = lambda self, what, value: 0
    wake = lambda self, node, state: state  # A live object that handles all events of one request, ...
    sleep = lambda self, live: live  # ... and its state.

    def handle(self, node, live, kind, peer, body, context):
        """Returns the live object after an event, or what survives a CRASH. An exception is a finding."""
        return live

    def render(self, what, node, value):
        """A line, and the fields of a state: [(name, text), ...]."""
        return json.dumps(value), [(n, json.dumps(v)) for n, v in value.items()] if isinstance(value, dict) else []

    def described(self):
        tags = [(1, u32(self.nodes)), (2, u32(self.streams) + u32(self.duplicates)), (10, u32(self.flags))]
        tags += [(3, b"".join(map(u32, self.faults(n))) + blob(self.role(n))) for n in range(self.nodes)]
        tags += [(4, blob(i[0]) + blob(i[1]) + u32(i[2]) + u32(i[3])) for i in self.invariants]
        tags += [(5, blob(goal[0]) + blob(goal[1])) for goal in self.goals]
        tags += [(6, kind.encode()) for kind in self.message_kinds] + [(7, kind.encode()) for kind in self.action_kinds]
        tags += [(8, u32(kind)) for kind in self.fault_handlers]
        return record(*tags, *([(12, self.start)] if self.start else []))

    def run(self, node, state, events, choices):
        context, failure = Context(), ""
        try:
            live = self.wake(node, decode(state))
            for kind, peer, body in events:
                context = Context(choices)
                live = self.handle(node, live, kind, peer, decode(body) if body else None, context)
            state = encode(self.sleep(live))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        sends = many(context.sends, lambda send: u32(send[0]) + blob(send[1]))
        return (blob(state) + sends + many(context.offered, u32) + many([]) + many([]) + blob(failure)
                + many(context.restarted))

    def answer(self, op, r):
        if op == 3:
            return blob(encode(self.initial(r.number())))
        if op == 4:
            return many([encode(action) for action in self.actions(r.number(), r.value())])
        if op == 5:
            return self.run(r.number(), r.blob(), r.list(r.event), r.list(r.number))
        if op == 7:
            key = self.invariants[r.number()][4](r.number(), r.value())
            return u32(key is not None) + blob(b"" if key is None else encode(key))
        if op == 8:
            violated = self.invariants[r.number()][5]
            keys = r.list(lambda: (r.number(), r.blob()))
            return u32(bool(violated([decode(key) if present else None for present, key in keys])))
        if op == 9:
            line, fields = self.render(r.number(), r.number(), r.value())
            return blob(line) + many(fields, lambda field: blob(field[0]) + blob(field[1]))
        if op == 12:
            return u32(bool(self.goals[r.number()][2](r.number(), r.value())))
        if op == 13:
            return u32(self.kind(r.number(), r.value()))
        return self.other[op](r) if op in self.other else None


class Family:
    """`open` makes a Service of a scenario, a bug and {parameter: value}; it may raise ValueError."""

    def __init__(self, name, text, open, scenarios=(("start", "From the initial states."),), bugs=(),
                 parameters=(), live="", version=""):
        self.name, self.open = name, open
        tags = [(4, blob(n) + blob(t)) for n, t in scenarios] + [(5, blob(n) + blob(t)) for n, t in bugs]
        tags += [(6, blob(n) + blob(t) + i64(v) + i64(a) + i64(b)) for n, t, v, a, b in parameters]
        tags += [(tag, word.encode()) for tag, word in ((1, name), (2, text), (3, version), (7, live))]
        self.record = record(*tags)


def serve(*families):
    """Answers requests until standard input ends. What handlers print goes to standard error."""
    out, source, systems = os.fdopen(os.dup(1), "wb"), os.fdopen(os.dup(0), "rb"), {}
    os.dup2(2, 1)

    def answer(op, r):
        if op == 0:
            return u32(1) + many(families, lambda family: family.record)
        if op == 6:
            return many(r.list(lambda: answer(5, Reader(r.blob()))))
        system = r.number()
        if op == 1:
            family = {family.name: family for family in families}[r.text()]
            try:
                systems[system] = family.open(r.text(), r.text(), dict(r.list(lambda: (r.text(), r.number("<q")))))
            except ValueError as error:
                return record((13, str(error).encode()))
            return systems[system].described()
        if op == 2 and systems.pop(system, None):
            return b""
        return systems[system].answer(op, r)

    while len(header := source.read(8)) == 8:
        size, op = struct.unpack("<II", header)
        try:
            reply = answer(op, Reader(source.read(size)))
            code, reply = (0, reply) if reply is not None else (-2, b"")
        except Exception as error:
            code, reply = -3, f"{type(error).__name__}: {error}".encode()
        out.write(struct.pack("<Ii", len(reply), code) + reply)
        out.flush()
