"""One real SyncObj that is built from a state, handles an event and is read back. Time stands still: a
timer fires because its deadline is moved into the past."""
import pysyncobj
from pysyncobj import syncobj
from pysyncobj.node import Node
from pysyncobj.transport import Transport

import disk

FOLLOWER, CANDIDATE, LEADER = 0, 1, 2
PAST, NOW, LATER = 0.0, 1000.0, 2000.0
syncobj.monotonicTime = lambda: NOW

# All that a SyncObj has, or it is another version and something would be forgotten. What comes from a state,
IN_STATE = ("raftCommitIndex raftCurrentTerm raftLastApplied raftLog raftMatchIndex raftNextIndex raftState "
            "votedForNodeId votesCount")
# what is the same between events, or dead because there are no clients that wait and all are connected,
CONSTANT = ("commandsLocalCounter commandsQueue commandsWaitingCommit commandsWaitingReply conf connectedNodes "
            "consumers currentVersionFuncNames destroying enabledCodeVersion encryptor initialised lastInitTryTime "
            "lastReadonlyCheck leaderCommitIndex mainThread needLoadDumpFile nodeClass onReadyCalled "
            "onTickCallbacks onTickCallbacksLock otherNodes properies raftLeader readonlyNodes selfCodeVersion "
            "selfNode thread transport")
# deadlines, for time stands still,
DEADLINES = "lastResponseTime newAppendEntriesTime numOneSecondDumps raftElectionDeadline startTime"
# and what needs options that are not set: dumps, changes of members.
UNUSED = ("changeClusterIDx forceLogCompaction lastSerializedEntry lastSerializedTime noopIDx recvTransmission "
          "serializer")
PUBLIC = {"_poller", "_methodToID", "_idToMethod", "_idToConsumer", "values"}


class Outbox(Transport):
    """Keeps what is sent. All nodes are connected: what cannot arrive is lost on the way."""

    def __init__(self, sync_obj, self_node, other_nodes):
        super().__init__(sync_obj, self_node, other_nodes)
        self.sent = []

    def send(self, node, message):
        if "entries" in message:  # Bytes and tuples have no JSON.
            entries = [[command.decode("latin-1"), index, term] for command, index, term in message["entries"]]
            message = dict(message, entries=entries)
        self.sent.append((int(node.id), message))
        return True


class Values(pysyncobj.SyncObj):
    """The application: a list of what was put, in the order of the log. Members of the library, which are
    private, are its items."""

    def __init__(self, node, count):
        self.values = []
        others = [Node(str(other)) for other in range(count) if other != node]
        conf = pysyncobj.SyncObjConf(autoTick=False, journalFile=disk.JOURNAL)
        super().__init__(Node(str(node)), others, conf, transportClass=Outbox)
        for other in others:
            self["transport"]._onNodeConnected(other)

    @pysyncobj.replicated
    def put(self, value):
        self.values.append(value)

    def __getitem__(self, name):
        return getattr(self, "_SyncObj__" + name)

    def __setitem__(self, name, value):
        setattr(self, "_SyncObj__" + name, value)


def check_shape():
    disk.mount(disk.EMPTY)
    has = set(vars(Values(0, 3)))
    names = " ".join((IN_STATE, CONSTANT, DEADLINES, UNUSED)).split()
    differ = has ^ PUBLIC ^ {"_SyncObj__" + name for name in names}
    if syncobj.VERSION != "0.3.11" or differ:
        raise SystemExit(f"pysyncobj {syncobj.VERSION}: made for 0.3.11; members that differ: {sorted(differ)}")


class Live:
    """A node that is up."""

    def __init__(self, it, medium, left):
        self.it, self.medium, self.left = it, medium, dict(left)

    @staticmethod
    def boot(node, count, state):
        """By the library's own constructor. `state` has what survived."""
        disk.mount(state["disk"])
        live = Live(Values(node, count), state["disk"], state["left"])
        if "vote" in state["disk"]:
            live.it["raftCurrentTerm"], live.it["votedForNodeId"] = state["disk"]["vote"]
        return live

    @staticmethod
    def wake(it, state):
        """Into an object that was another one before."""
        disk.mount(state["disk"])
        it["raftLog"] = syncobj.createJournal(disk.JOURNAL)
        if state["commit"] != state["disk"]["commit"]:
            it["raftLog"].setRaftCommitIndex(state["commit"])
        it["raftState"] = state["role"]
        it["raftCurrentTerm"], it["votedForNodeId"] = state["term"], state["voted_for"]
        it["raftCommitIndex"], it["raftLastApplied"] = state["commit"], state["applied"]
        it["votesCount"] = state.get("votes", 0)
        it["raftLeader"] = it["selfNode"] if state["role"] == LEADER else None
        for other in it["otherNodes"]:
            index = int(other.id)
            it["raftNextIndex"][other] = state["next"][index] if "next" in state else 0
            it["raftMatchIndex"][other] = state["match"][index] if "match" in state else 0
            it["lastResponseTime"][other] = NOW
        it["raftElectionDeadline"] = it["newAppendEntriesTime"] = LATER
        it["numOneSecondDumps"] = 0
        it.values = list(state["values"])
        return Live(it, state["disk"], state["left"])

    def sleep(self):
        it, role = self.it, self.it["raftState"]
        state = {"disk": disk.unmount(self.medium), "left": self.left, "role": role,
                 "term": it["raftCurrentTerm"], "voted_for": it["votedForNodeId"],
                 "commit": it["raftCommitIndex"], "applied": it["raftLastApplied"], "values": it.values}
        if role == CANDIDATE:
            state["votes"] = it["votesCount"]
        if role == LEADER:
            others = {int(other.id): other for other in it["otherNodes"]}
            for name, indices in (("next", it["raftNextIndex"]), ("match", it["raftMatchIndex"])):
                state[name] = [indices[others[n]] if n in others else None for n in range(1 + len(others))]
        if "vote" in self.medium:
            state["disk"]["vote"] = [state["term"], state["voted_for"]]
        return state

    def remains(self):
        """After a crash: what was written, for the machine goes on; nothing is written late."""
        state = self.sleep()
        return {"disk": state["disk"], "left": state["left"]}

    def deliver(self, peer, message):
        if "entries" in message:
            entries = [(command.encode("latin-1"), index, term) for command, index, term in message["entries"]]
            message = dict(message, entries=entries)
        self.it["transport"]._onMessageReceived(Node(str(peer)), message)

    def election_timeout(self):
        self.it["raftElectionDeadline"] = PAST

    def heartbeat(self):
        self.it["newAppendEntriesTime"] = PAST

    def second(self):
        self.it["numOneSecondDumps"] = -1

    def tick(self):
        """Lets the library do what is due; returns what it sends, by receiver: the library has them in a set."""
        self.it.doTick()
        sent, self.it["transport"].sent = self.it["transport"].sent, []
        return sorted(sent, key=lambda send: send[0])
