"""States and messages as people read them."""
from pysyncobj import journal

import disk

ROLES = ("follower", "candidate", "leader")


def of_command(command):
    data = command.encode("latin-1")
    return "noop" if data[0] == 1 else f"put {journal.loads(data[1:])[1][0]}"


def of_entries(entries):
    """Of (index, term, command), as index:command@term."""
    return " ".join(f"{index}:{of_command(command)}@{term}" for index, term, command in entries)


def of_message(message):
    shown = dict(message)
    if "entries" in message:
        shown["entries"] = "[" + of_entries((index, term, command) for command, index, term in message["entries"]) + "]"
    name = shown.pop("type")
    return f"{name}({', '.join(f'{part}={value}' for part, value in shown.items())})"


def of_state(state):
    log = [(index, term, command) for index, (term, command) in enumerate(disk.log_of(state["disk"]), 1)]
    saved = " ".join(f"{name}={value}" for name, value in state["disk"].items() if name != "journal")
    fields = [("log", of_entries(log)), ("saved", saved)]
    if "role" in state:
        fields.append(("role", ROLES[state["role"]]))
    fields += [(name, str(value)) for name, value in state.items() if name not in ("disk", "left", "role")]
    return fields + [("left", " ".join(f"{name}={value}" for name, value in state["left"].items() if value) or "-")]
