package ready

import (
	ft "foretell"
	"foretell/ready/codec"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// invariant looks at a part of every server's state. The key of a node says what it contributes; none: it
// cannot be part of a violation.
type invariant struct {
	name, text   string
	scope, flags uint32
	key          func(s *server) []byte
	violated     func(w *world, keys [][]byte) bool // nil: a key is a violation.
}

var invariants = []invariant{
	{"election-safety", "No two nodes lead in the same term.", ft.PerPair, ft.Stable, ledKey, ledTwice},
	{"log-matching", "Logs with an entry of the same index and term are the same up to there.",
		ft.PerPair, 0, logKey, logsDiffer},
	{"leader-completeness", "A leader has what a node of its own or a lower term counts as committed.",
		ft.PerPair, 0, claimKey, someLeaderLacks},
	{"state-machine-safety", "No two nodes apply different entries at the same index.",
		ft.PerPair, ft.Stable, toldKey, appliedDiffer},
	{"committed-on-a-majority", "What a node has applied is on the disks of a majority.",
		ft.PerSystem, 0, holdingKey, aMinorityHolds},
	{"same-after-restart", "A node that restarts applies what it has applied before.",
		ft.PerNode, ft.Stable, func(s *server) []byte { return yes(s.app.differs) }, nil},
	{"restart-works", "The library starts on what its loop has saved.", ft.PerNode, ft.Stable,
		func(s *server) []byte { return yes(s.fault.text != "" && s.fault.atBoot) }, nil},
	{"no-panic", "The library does not panic.", ft.PerNode, ft.Stable,
		func(s *server) []byte { return yes(s.fault.text != "" && !s.fault.atBoot) }, nil},
	{"linearizable-reads", "A client that was told of a write does not read what was before.",
		ft.PerNode, ft.Stable, nil, nil}, // The client's.
}

func yes(there bool) []byte {
	if there {
		return []byte{1}
	}
	return nil
}

// invariants has those that a world can break, or keep.
func (w *world) invariants() (list []invariant) {
	for _, i := range invariants {
		fixed := i.name != "committed-on-a-majority" || len(w.changes) == 0 // A majority of whom?
		if fixed && (i.key != nil || w.hasClient()) {
			list = append(list, i)
		}
	}
	return list
}

func (w *world) key(i invariant, node int, state []byte) []byte {
	if w.isClient(node) {
		return yes(i.key == nil && w.client(state).readOld())
	}
	if i.key == nil {
		return nil
	}
	return i.key(w.server(node, state))
}

func ledKey(s *server) []byte {
	if s.led == 0 {
		return nil
	}
	c := codec.Writer()
	c.Uint(&s.led)
	return c.Bytes()
}

func ledTwice(_ *world, keys [][]byte) bool {
	var a, b uint64
	codec.Reader(keys[0]).Uint(&a)
	codec.Reader(keys[1]).Uint(&b)
	return a&b != 0
}

// claim is a log with what its node makes of it.
type claim struct {
	term, commit, self uint64
	leads              bool
	log                []pb.Entry
}

func (k *claim) code(c *codec.Codec) *claim {
	c.Uint(&k.term)
	c.Uint(&k.commit)
	c.Uint(&k.self)
	c.Bool(&k.leads)
	c.Entries(&k.log)
	return k
}

func (k *claim) bytes() []byte {
	c := codec.Writer()
	k.code(c)
	return c.Bytes()
}

func claimOf(key []byte) *claim { return new(claim).code(codec.Reader(key)) }

// at is the entry of an index, if the log still has it.
func (k *claim) at(index uint64) *pb.Entry {
	if len(k.log) == 0 || index < k.log[0].Index || index > k.log[len(k.log)-1].Index {
		return nil
	}
	return &k.log[index-k.log[0].Index]
}

func logKey(s *server) []byte {
	log := s.disk.entries()
	if s.node != nil {
		log = s.node.FtLook().Log
	}
	if len(log) == 0 {
		return nil
	}
	return (&claim{log: log}).bytes()
}

func logsDiffer(_ *world, keys [][]byte) bool {
	a, b := claimOf(keys[0]), claimOf(keys[1])
	differ := false
	for _, entry := range a.log {
		other := b.at(entry.Index)
		if other == nil {
			continue
		}
		if differ = differ || !same(entry, *other); differ && entry.Term == other.Term {
			return true
		}
	}
	return false
}

func claimKey(s *server) []byte {
	if s.node == nil {
		return nil
	}
	look := s.node.FtLook()
	leads := look.Role == raft.StateLeader
	if !leads && look.Commit == 0 {
		return nil
	}
	log := look.Log
	for !leads && len(log) > 0 && log[len(log)-1].Index > look.Commit {
		log = log[:len(log)-1]
	}
	return (&claim{term: look.Term, commit: look.Commit, leads: leads, self: look.First, log: log}).bytes()
}

func someLeaderLacks(_ *world, keys [][]byte) bool {
	a, b := claimOf(keys[0]), claimOf(keys[1])
	return lacks(a, b) || lacks(b, a)
}

func lacks(leader, other *claim) bool {
	if !leader.leads || leader.term < other.term {
		return false
	}
	for _, entry := range other.log {
		if entry.Index > other.commit {
			break
		}
		mine := leader.at(entry.Index)
		if mine == nil && entry.Index >= leader.self || mine != nil && !same(*mine, entry) {
			return true
		}
	}
	return false
}

func toldKey(s *server) []byte {
	if len(s.app.told) == 0 {
		return nil
	}
	return (&claim{log: s.app.told}).bytes()
}

func appliedDiffer(_ *world, keys [][]byte) bool {
	a, b := claimOf(keys[0]), claimOf(keys[1])
	for _, entry := range a.log {
		if other := b.at(entry.Index); other != nil && !same(entry, *other) {
			return true
		}
	}
	return false
}

// holding is what a node has told, and what its disk has.
func holdingKey(s *server) []byte {
	told, onDisk := s.app.told, s.disk.entries()
	if len(told) == 0 && len(onDisk) == 0 {
		return nil
	}
	snapshot, _ := s.disk.Snapshot()
	c := codec.Writer()
	c.Uint(&snapshot.Metadata.Index)
	c.Entries(&told)
	c.Entries(&onDisk)
	return c.Bytes()
}

func aMinorityHolds(w *world, keys [][]byte) bool {
	told, disks, compacted := make([]claim, len(keys)), make([]claim, len(keys)), make([]uint64, len(keys))
	for i, key := range keys {
		if key != nil {
			c := codec.Reader(key)
			c.Uint(&compacted[i])
			c.Entries(&told[i].log)
			c.Entries(&disks[i].log)
		}
	}
	for _, node := range told {
		for _, entry := range node.log {
			holders := 0
			for i := range disks {
				mine := disks[i].at(entry.Index)
				if entry.Index <= compacted[i] || mine != nil && same(*mine, entry) {
					holders++
				}
			}
			if 2*holders <= w.servers {
				return true
			}
		}
	}
	return false
}
