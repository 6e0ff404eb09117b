"""What Raft promises, as (name, text, scope, flags, projection, violation)."""
import foretell

import disk
from node import LEADER


def term_led(node, state):
    return state["term"] if state.get("role") == LEADER else None


def log(node, state):
    entries = disk.log_of(state["disk"])
    return entries if len(entries) > 1 else None


def differ(keys):
    """Two logs that agree on the term at an index agree on everything up to there."""
    pairs = list(zip(*keys))
    return any(a[0] == b[0] and any(c != d for c, d in pairs[:i + 1]) for i, (a, b) in enumerate(pairs))


def claim(node, state):
    """The whole log of a leader, and what anybody counts as committed."""
    if "role" not in state or (state["role"] != LEADER and state["commit"] <= 1):
        return None
    entries, leads = disk.log_of(state["disk"]), state["role"] == LEADER
    return [state["term"], leads, state["commit"], entries if leads else entries[: state["commit"]]]


def lacks(leader, other):
    term, leads, _, entries = leader
    committed = other[3][: other[2]]
    return leads and term >= other[0] and entries[: len(committed)] != committed


def applied(node, state):
    return state.get("values") or None


def holding(node, state):
    return [state.get("commit", 1), disk.log_of(state["disk"])]


def minority_holds(keys):
    holders = lambda index, entry: sum(key is not None and key[1][index : index + 1] == [entry] for key in keys)
    return any(2 * holders(index, entry) <= len(keys)
               for key in keys if key is not None
               for index, entry in enumerate(key[1][: key[0]]) if index > 0)


PROMISES = [
    ("election-safety", "No two nodes lead in the same term.", foretell.PAIR, 0, term_led,
     lambda keys: keys[0] == keys[1]),
    ("log-matching", "Logs with an entry of the same index and term are the same up to there.", foretell.PAIR, 0,
     log, differ),
    ("leader-completeness", "A leader has every entry that a node of its own or a lower term has committed.",
     foretell.PAIR, 0, claim, lambda keys: lacks(*keys) or lacks(*reversed(keys))),
    ("state-machine-safety", "No two nodes apply different commands at the same index.", foretell.PAIR, 0, applied,
     lambda keys: any(a != b for a, b in zip(*keys))),
    ("committed-on-a-majority", "What a node counts as committed is on the disks of a majority.",
     foretell.SYSTEM, 0, holding, minority_holds),
]
