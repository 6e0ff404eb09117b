@0xd2f1a7c05b8e4963;
# What crosses processes and what is written to disk: checkpoints, cuts, filters, bundles, and the
# interfaces of nodes and agents. Versioning: fields are only ever added, never renumbered or
# removed; a change that an old peer would misunderstand raises `protocol` in NodeInfo.

using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("foretell::snapshot::wire");

enum NodeStatus { up @0; down @1; failed @2; absent @3; }
enum EventKind { deliver @0; action @1; crash @2; restart @3; break @4; }
enum FilterKind { drop @0; reset @1; postpone @2; refuse @3; }
enum Mode { off @0; observe @1; shadow @2; enforce @3; guard @4; }

struct NodeState {
  status @0 :NodeStatus;
  crashes @1 :UInt8;
  breaks @2 :UInt8;
  body @3 :Data;
}

struct SentMessage { seq @0 :UInt64; body @1 :Data; checkpoint @2 :UInt64; }
struct Outbox {
  to @0 :UInt32;
  epoch @1 :UInt64;
  last @2 :UInt64;
  recent @3 :List(SentMessage);
}
struct Inbox {
  from @0 :UInt32;
  epoch @1 :UInt64;
  high @2 :UInt64;
  missing @3 :List(UInt64);
  closed @4 :Bool;
}
struct Checkpoint {
  node @0 :UInt32;
  number @1 :UInt64;
  state @2 :NodeState;
  sent @3 :List(Outbox);
  received @4 :List(Inbox);
  life @5 :UInt64;
  floor @6 :UInt64;
}

# A checkpoint as it travels: the bytes of a Checkpoint message, compressed.
struct PackedCheckpoint {
  number @0 :UInt64;
  hash @1 :UInt64;       # XXH3 of the whole Checkpoint message, number excluded (set to 0).
  union {
    unchanged @2 :Void;  # The same as the one that the collector has, but for the number.
    zstd @3 :Data;       # On its own.
    zstdDelta @4 :Data;  # With the one that the collector has as the dictionary.
  }
  size @5 :UInt64;       # Before compression.
}

struct Message { from @0 :UInt32; to @1 :UInt32; body @2 :Data; }
struct Cut {
  nodes @0 :List(NodeState);
  inFlight @1 :List(Message);
}

struct Event { kind @0 :EventKind; peer @1 :UInt32; body @2 :Data; }
struct PathStep { node @0 :UInt32; event @1 :Event; choices @2 :List(UInt32); }

struct Filter {
  decision @0 :Text;
  invariant @1 :Text;
  kind @2 :FilterKind;
  mode @3 :Mode;
  node @4 :UInt32;
  event @5 :Event;
  leaseMillis @6 :UInt64;
}

# Which code a cut belongs to.
struct Origin {
  service @0 :Text;
  scenario @1 :Text;
  bug @2 :Text;
  version @3 :Text;   # Of the service's code.
  foretell @4 :Text;  # Of this program.
}

# A record of the archive.
struct Snapshot {
  number @0 :UInt64;
  takenUnixNanos @1 :Int64;
  origin @2 :Origin;
  cut @3 :Cut;
  absent @4 :List(UInt32);
  exact @5 :Bool;
  notes @6 :List(Text);
  absentReasons @7 :List(Text);  # One for each of `absent`; none in older records.
}

# What is known about a way into a state from which a liveness predicate can never hold again.
struct Death {
  criticalStep @0 :UInt32;     # Along the path, from 1; 0: the start is dead.
  byLoss @1 :Bool;             # Only if `lost` is lost.
  lost @2 :List(Message);
  twin @3 :List(PathStep);     # The same steps up to the critical one, then a way to live.
  cures @4 :List(Cure);
  proof @5 :DeathProof;
  states @6 :UInt64;           # Of the proof.
}
enum DeathProof { closed @0; local @1; covered @2; }
struct Cure {
  step @0 :PathStep;
  text @1 :Text;
  helps @2 :Bool;
  steps @3 :UInt32;
  open @4 :Bool;  # Nobody could tell whether it helps. Older files say that it does not.
}

# A predicted violation with all that is needed to see it again.
struct Bundle {
  snapshot @0 :Snapshot;
  imagined @1 :Cut;      # The cut with what the test driver may do; where the path starts.
  invariant @2 :Text;
  text @3 :Text;
  path @4 :List(PathStep);
  engine @5 :Text;
  seed @6 :UInt64;       # Always 0: no engine that predicts draws anything.
  decision @7 :Text;     # Names what was done about it in the audit log; empty: nothing was.
  command @8 :Text;      # The command that replays it.
  plan @9 :List(Filter); # What would stop it; empty if nothing would.
  planText @10 :Text;
  focus @11 :Cut;        # What matters of `imagined`, to draw from; empty in older files.
  death @12 :Death;      # Not there if the invariant is none that must hold eventually.
  plugins @13 :List(Text);      # Of the agent's configuration: where the service came from.
  earlier @14 :List(Snapshot);  # The cuts before it, the oldest first; only if it has happened.
}

struct NodeInfo {
  protocol @0 :UInt32;
  service @1 :Text;
  scenario @2 :Text;
  bug @3 :Text;
  version @4 :Text;
  node @5 :UInt32;
  nodeCount @6 :UInt32;
  checkpoint @7 :UInt64;
}
struct FilterHits { decision @0 :Text; mode @1 :Mode; count @2 :UInt64; }
struct NodeCounters {
  events @0 :UInt64;
  checkpoints @1 :UInt64;
  checkpointNanos @2 :UInt64;
  checkpointBytes @3 :UInt64;
  unused4 @4 :UInt64;  # Was sentBytes: the agent counts what it receives.
  vetoed @5 :UInt64;
  shadowed @6 :UInt64;
  immediateVetoed @7 :UInt64;
  immediateShadowed @8 :UInt64;
  hits @9 :List(FilterHits);
  guardAsked @10 :UInt64;
  guardForced @11 :UInt64;
  guardRefused @12 :UInt64;
  guardExpired @13 :UInt64;
  guardLapsed @14 :UInt64;
  guardNanos @15 :UInt64;
  agents @16 :List(KnownAgent);
}
# An agent, as it presents itself: `name` is the same after a restart, `life` is not.
struct AgentIdentity { name @0 :Text; life @1 :Text; modes @2 :List(InvariantMode); }
struct KnownAgent {
  agent @0 :AgentIdentity;
  connected @1 :Bool;
  knownMillis @2 :UInt64;
  filters @3 :UInt32;
  leaseMillis @4 :UInt64;
}
struct SafetyCut {
  number @0 :UInt64;
  cut @1 :Cut;
  modes @2 :List(InvariantMode);
  leaseMillis @3 :UInt64;
}
struct InvariantMode { invariant @0 :Text; mode @1 :Mode; }

enum Refusal { none @0; pruned @1; bandwidth @2; shuttingDown @3; }

interface Listener {
  interesting @0 () -> ();
}

# Mode guard (docs/decisions/0047-guard.md). A view is what the guarded invariants see of a node: one
# key each, in the order of the terms.
struct GuardKey { union { none @0 :Void; key @1 :Data; } }
struct GuardTerms { invariants @0 :List(Text); holdMillis @1 :UInt64; }
struct GuardJoined { step @0 :UInt64; views @1 :List(List(GuardKey)); }
struct GuardStep {
  number @0 :UInt64;
  base @1 :UInt64;
  forced @2 :Bool;
  views @3 :List(List(GuardKey));
  event @4 :Text;
}

# Served by an agent to the nodes that it guards. Calls arrive in the order in which they were made.
interface Guardian {
  ask @0 (step :GuardStep) -> (granted :Bool, decision :Text, invariant :Text);
  settled @1 (at :UInt64, decided :UInt64) -> ();
  lapsed @2 (why :Text) -> ();  # The node does not ask any more.
}

# Served by every node. Any language with Cap'n Proto RPC can implement it.
interface Node {
  hello @0 (protocol :UInt32, agent :Text) -> (info :NodeInfo);
  # `have`: hash of the last checkpoint this collector got from this node, 0 if none.
  checkpoint @1 (number :UInt64, have :UInt64)
      -> (checkpoint :PackedCheckpoint, refusal :Refusal, reason :Text);
  setFilters @2 (filters :List(Filter)) -> ();  # All of this agent's.
  setSafetyCut @3 (cut :SafetyCut) -> ();
  counters @4 () -> (counters :NodeCounters);
  listen @5 (listener :Listener) -> ();
  # From now on `guardian` is asked; without invariants nobody is. Ends with the connection.
  guard @6 (terms :GuardTerms, guardian :Guardian) -> (joined :GuardJoined);
  # Whose filters and cuts come over this connection from now on.
  introduce @7 (agent :AgentIdentity) -> ();
  # What `life`, an earlier one of this agent, has left behind becomes this one's.
  adopt @8 (life :Text) -> (filters :List(Filter));
}

# Served by the agent on its control socket.
interface Agent {
  kill @0 (reason :Text) -> ();      # No veto from now on; those in force are taken back.
  revive @1 () -> ();
  # `text` for people, `json` for scripts (docs/json.md); an older agent has neither.
  status @2 () -> (killed :Bool, rounds :UInt64, reason :Text, text :Text, json :Text);
}

# What a record of the archive says about itself without being unpacked.
struct Summary {
  origin @0 :Origin;
  size @1 :UInt64;        # Of the Snapshot message before compression.
  nodes @2 :UInt32;       # Of the system, absent ones included.
  absent @3 :List(UInt32);
  inFlight @4 :UInt64;
  exact @5 :Bool;
  notes @6 :List(Text);
}

# The list of an archive's records, kept beside it. Good for as long as size and time of the last
# change are those of the archive.
struct ArchiveIndex {
  size @0 :UInt64;
  changedUnixNanos @1 :Int64;
  entries @2 :List(Entry);
  lost @3 :List(Loss);

  struct Entry {
    offset @0 :UInt64;
    bytes @1 :UInt64;
    number @2 :UInt64;
    takenUnixNanos @3 :Int64;
    cutHash @4 :UInt64;
    summary @5 :Summary;
  }
  struct Loss { offset @0 :UInt64; bytes @1 :UInt64; why @2 :Text; tail @3 :Bool; }
}
