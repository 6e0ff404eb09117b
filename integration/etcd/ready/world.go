package ready

import (
	"math"

	"foretell/ready/codec"
	"foretell/ready/quiet"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// What a node can do by itself, or is asked to, each with a budget of its own.
type deed byte

const (
	campaign deed = iota
	beat
	propose
	read
	retry // Asks for the same read once more, after half a second without an answer.
	change
	transfer
	checkQuorum
	expire // Nothing came from the leader for an election timeout.
	compact
	deeds         // How many of them have budgets.
	do    = deeds // The next operation of the loop.
	put   = deeds + 1
	get   = deeds + 2
)

var deedNames = []string{"Campaign", "Beat", "Propose", "ReadIndex", "RetryRead", "ProposeConfChange",
	"TransferLeader", "CheckQuorum", "LeaseExpires", "Compact", "Do", "Put", "Get"}

// world is a scenario with the loop that runs in it.
type world struct {
	loop     Loop
	bug      string // Its name; none: the correct one.
	servers  int
	budgets  map[deed][]int // By node; those left out have none.
	crashes  []int
	terms    uint64 // Nobody campaigns at this term or beyond, so that a node's states come to an end.
	stepwise bool   // Every operation is an event; otherwise, a Ready is handled at once.
	serial   bool   // Nothing arrives while a Ready is handled, as with RawNode in one goroutine.
	batch    int    // Nothing arrives while so many messages wait for the next Ready; 0: no limit.
	inflight int    // How many appends may be under way to a follower; 0: as many more than there are.
	preVote  bool
	quorum   bool   // CheckQuorum.
	unique   bool   // A read that is asked for again has another id.
	changes  []byte // Which changes of the configuration can be proposed.
	writer   int    // Servers that the client writes to and reads from; there is none if both are 0.
	reader   int
	warm     func(*network) // How the cut that the search starts from comes about.
}

func (w *world) nodes() int {
	if w.hasClient() {
		return w.servers + 1
	}
	return w.servers
}
func (w *world) hasClient() bool        { return w.writer != w.reader }
func (w *world) isClient(node int) bool { return node >= w.servers }

func (w *world) budget(node int, d deed) int {
	if list := w.budgets[d]; node < len(list) {
		return list[node]
	}
	return 0
}

func (w *world) total(d deed) (sum int) {
	for node := 0; node < w.servers; node++ {
		sum += w.budget(node, d)
	}
	return sum
}

func (w *world) members() (state pb.ConfState) {
	for node := 0; node < w.servers; node++ {
		state.Voters = append(state.Voters, uint64(node+1))
	}
	return state
}

// More than any budget lets a leader send, so that nobody can tell how many there are.
const inflightMany = 256

func (w *world) inflights() int {
	if w.inflight == 0 {
		return inflightMany
	}
	return w.inflight
}

func (w *world) config(node int, storage raft.Storage) *raft.Config {
	return &raft.Config{
		ID: uint64(node + 1), ElectionTick: 10, HeartbeatTick: 1, Storage: storage,
		MaxSizePerMsg: math.MaxUint64, MaxInflightMsgs: w.inflights(), CheckQuorum: w.quorum, PreVote: w.preVote,
		Logger: quiet.Logger{},
	}
}

func (w *world) alive() raft.FtAlive {
	return raft.FtAlive{Activity: w.quorum || w.total(compact) > 0, Inflights: w.inflight > 0}
}

// Messages of the network: a byte that says which, then those of raft, or the client's value.
const (
	raftMessage byte = iota
	putMessage
	writtenMessage
	getMessage
	valueMessage
)

func encodeMessage(m pb.Message) []byte {
	m.To, m.From = 0, 0 // The network knows.
	c := codec.Writer()
	c.Message(&m)
	return append([]byte{raftMessage}, c.Bytes()...)
}

func decodeMessage(bytes []byte) (m pb.Message) {
	c := codec.Reader(bytes[1:])
	c.Message(&m)
	c.End()
	return m
}
