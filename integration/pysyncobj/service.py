"""PySyncObj 0.3.11 of Debian as a service for Foretell: README.md."""
import hashlib
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [FOLDER, os.path.join(FOLDER, "../languages/python")]  # Installed, the kit is here.
import foretell
try:
    from pysyncobj import journal, syncobj
except ImportError:
    sys.exit("there is no pysyncobj for /usr/bin/python3: scripts/setup --languages installs python3-pysyncobj")

import disk
import node as nodes
import promises
import text

BUDGETS = {"ElectionTimeout": "elections", "Heartbeat": "heartbeats", "Put": "puts", "Second": "seconds"}
ACTIONS = tuple(BUDGETS)
MESSAGES = ("request_vote", "response_vote", "append_entries", "next_node_idx")


def may(elections=0, puts=0, heartbeats=0, seconds=0):
    return {"elections": elections, "puts": puts, "heartbeats": heartbeats, "seconds": seconds}


# name: text, budgets by node, crashes by node, whether it was up before
SCENARIOS = {
    "restart": ("nodes 0 and 2 may each time out once; node 1 may crash and restart",
                [may(1), may(), may(1)], [0, 1, 0], False),
    "lost-entry": ("restart, and leaders may take a put and send heartbeats once",
                   [may(1, 1, 1), may(), may(1, 1, 1)], [0, 1, 0], False),
    "reboot": ("all nodes have just restarted with a put of term 5 in their journals; nodes 0 and 2 may each time "
               "out once, and node 0 may take a put and send heartbeats once",
               [may(1, 1, 1), may(), may(1)], [0, 0, 0], True),
    "no-crash": ("nodes 0 and 2 may each time out once and, as leader, take a put and send heartbeats once",
                 [may(1, 1, 1), may(), may(1, 1, 1)], [0, 0, 0], False),
}
PARAMETERS = [
    ("saved", "a wrapper has term and vote on the disk before anything is sent", 0, 0, 1),
    ("elections", "how much oftener nodes 0 and 2 may time out", 0, 0, 3),
    ("puts", "how many puts more each of them may take", 0, 0, 3),
    ("heartbeats", "how much oftener each of them may send heartbeats", 0, 0, 3),
    ("seconds", "how often they write their commit index to the disk", 0, 0, 3),
]

# What is in the journals of nodes that were up before: command, index, term.
BEFORE = [(b"\1", 1, 0), (b"\1", 2, 5), (b"\0" + journal.dumps((0, ("old",))), 3, 5)]


class PySyncObj(foretell.Service):
    nodes, streams, flags = 3, True, foretell.IGNORES_BREAKS
    message_kinds = MESSAGES
    fault_handlers = (foretell.CRASH, foretell.RESTART)
    invariants = promises.PROMISES
    goals = [("leader", "A node leads.", lambda node, state: state.get("role") == nodes.LEADER),
             ("commit", "A node counts an entry as committed.", lambda node, state: state.get("commit", 1) > 1)]

    def __init__(self, scenario, bug, parameters):
        _, budgets, self.crashes, self.was_up = SCENARIOS[scenario]
        self.saves_vote = parameters.get("saved", 0) == 1
        more = may(**{name: parameters.get(name, 0) for name in budgets[0]})
        self.budgets = [{name: budget[name] + (more[name] if node != 1 else 0) for name in more}
                        for node, budget in enumerate(budgets)]
        self.action_kinds = [action for action in ACTIONS if any(budget[BUDGETS[action]] for budget in self.budgets)]
        nodes.check_shape()
        self.objects = [nodes.Values(node, self.nodes) for node in range(self.nodes)]

    def faults(self, node):
        return self.crashes[node], 0

    def initial(self, node):
        medium = disk.with_log(BEFORE) if self.was_up else disk.EMPTY
        if self.saves_vote:
            medium = dict(medium, vote=[BEFORE[-1][2] if self.was_up else 0, None])
        return nodes.Live.boot(node, self.nodes, {"disk": medium, "left": self.budgets[node]}).sleep()

    def actions(self, node, state):
        leads, left = state["role"] == nodes.LEADER, state["left"]
        can = {"ElectionTimeout": not leads, "Heartbeat": leads, "Put": leads,
               "Second": state["commit"] != state["disk"]["commit"]}
        return [name for name in ACTIONS if can[name] and left[BUDGETS[name]]]

    def wake(self, node, state):
        return nodes.Live.wake(self.objects[node], state) if "role" in state else state

    def sleep(self, live):
        return live.sleep() if isinstance(live, nodes.Live) else live

    def handle(self, node, live, kind, peer, body, context):
        if kind == foretell.CRASH:
            return live.remains()
        if kind == foretell.RESTART:
            live = nodes.Live.boot(node, self.nodes, live)
            self.objects[node] = live.it
            return live
        if kind == foretell.DELIVER:
            live.deliver(peer, body)
        else:
            self.act(node, live, body)
        for to, message in live.tick():
            context.send(to, message)
        return live

    def act(self, node, live, action):
        left = live.left[BUDGETS[action]]
        {"ElectionTimeout": live.election_timeout, "Heartbeat": live.heartbeat, "Second": live.second,
         "Put": lambda: live.it.put(f"{node}.{left}")}[action]()
        live.left[BUDGETS[action]] = left - 1

    def kind(self, what, value):
        return MESSAGES.index(value["type"]) if what == foretell.MESSAGE else self.action_kinds.index(value)

    def render(self, what, node, value):
        if what == foretell.STATE:
            return "", text.of_state(value)
        return text.of_message(value) if what == foretell.MESSAGE else f"{value}()", []


def version():
    """Of the library, and of these files."""
    data = b""
    for module in (syncobj, journal, disk, nodes, text, promises, sys.modules[__name__]):
        with open(module.__file__, "rb") as file:
            data += file.read()
    return f"{syncobj.VERSION}-{hashlib.sha256(data).hexdigest()[:12]}"


if __name__ == "__main__":
    foretell.serve(foretell.Family(
        "pysyncobj", "Debian's PySyncObj 0.3.11, unmodified: a list on three nodes", PySyncObj, version=version(),
        scenarios=[(name, scenario[0]) for name, scenario in SCENARIOS.items()], parameters=PARAMETERS))
