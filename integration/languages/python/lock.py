"""A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
The server may crash once, and must not forget who holds the lock."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import foretell

SERVER = 0
MESSAGES, ACTIONS = ("Acquire", "Grant", "Release"), ("Acquire", "Release")


class Lock(foretell.Service):
    message_kinds, action_kinds, fault_handlers = MESSAGES, ACTIONS, (foretell.CRASH,)
    flags = 2 | 4  # No handler of breaks, no timers.

    def __init__(self, scenario, bug, parameters):
        self.nodes = 1 + parameters.get("clients", 2)
        self.forgets_holder = bug == "forgets-holder"
        holds = lambda node, state: True if state["holds"] else None
        self.invariants = [("one-holder", "No two clients hold the lock.", foretell.PAIR, 0, holds, lambda keys: True)]
        self.goals = [("granted", "Somebody gets the lock.", lambda node, state: state["holds"])]

    role = lambda self, node: "server" if node == SERVER else "client"
    faults = lambda self, node: (int(node == SERVER), 0)
    initial = lambda self, node: {"granted_to": None, "asked": False, "holds": False}

    def actions(self, node, state):
        can = {"Acquire": node != SERVER and not state["asked"], "Release": state["holds"]}
        return [name for name in ACTIONS if can[name]]

    def handle(self, node, state, kind, peer, body, context):
        if kind == foretell.CRASH:
            return self.initial(node) if self.forgets_holder else state
        if kind == foretell.ACTION:
            context.send(SERVER, body)
            return dict(state, asked=True, holds=False)
        if kind == foretell.DELIVER and body == "Acquire" and state["granted_to"] is None:
            context.send(peer, "Grant")
            return dict(state, granted_to=peer)
        if kind == foretell.DELIVER and body == "Grant":
            return dict(state, holds=True)
        if kind == foretell.DELIVER and body == "Release":
            return dict(state, granted_to=None)
        return state

    def kind(self, what, value):
        return (MESSAGES if what == foretell.MESSAGE else ACTIONS).index(value)

    def render(self, what, node, value):
        if what != foretell.STATE:
            return f"{value}()", []
        words = {None: "-", True: "yes", False: "no"}
        shown = lambda one: str(one) if type(one) is int else words[one]
        return "", [(name, shown(value[name])) for name in ("granted_to", "asked", "holds")]


foretell.serve(foretell.Family(
    "lock", "A lock server that may crash, and its clients.", Lock, live="start",
    bugs=[("forgets-holder", "A crashed server forgets the holder.")],
    parameters=[("clients", "how many clients there are", 2, 1, 5)]))
