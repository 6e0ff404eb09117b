package judge

import (
	"math"

	"foretell/ready/loop"
	"foretell/ready/quiet"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// Schedule is all that the judge is told, and what is written down for it to be played elsewhere.
type Schedule struct {
	Loop, Invariant string
	Cluster         Cluster
	Steps           []Step
}

// Cluster is how the servers are set up. The client, if there is one, comes behind the last of them.
type Cluster struct {
	Loop             loop.Loop `json:"-"`
	Servers          int
	Stepwise, Serial bool `json:",omitempty"` // Operations are events; nothing arrives while a Ready is handled.
	PreVote          bool `json:",omitempty"`
	CheckQuorum      bool `json:",omitempty"`
	Inflight         int  // How many appends may be under way to a follower.
	UniqueReads      bool `json:",omitempty"`
	Writer, Reader   int  `json:",omitempty"` // The servers of the client.
}

// Step is an event, in words that are not the checker's.
type Step struct {
	Node int
	Do   string // "deliver", "lost", "crash", "restart", "operation", or what is asked of a node.

	From      int              `json:",omitempty"` // deliver, lost
	Letter    string           `json:",omitempty"` // The same: Text of a message, or a word of or to the client.
	Thread    int              `json:",omitempty"` // operation
	Operation string           `json:",omitempty"` // operation
	Peer      uint64           `json:",omitempty"` // transfer
	Change    *pb.ConfChange   `json:",omitempty"` // change: this
	Change2   *pb.ConfChangeV2 `json:",omitempty"` // or that
}

func (s Step) change() pb.ConfChangeI {
	if s.Change != nil {
		return *s.Change
	}
	return *s.Change2
}

const electionTicks = 10

func (c Cluster) members() (state pb.ConfState) {
	for id := 1; id <= c.Servers; id++ {
		state.Voters = append(state.Voters, uint64(id))
	}
	return state
}

func (c Cluster) config(id uint64, storage raft.Storage) *raft.Config {
	return &raft.Config{
		ID: id, ElectionTick: electionTicks, HeartbeatTick: 1, Storage: storage,
		MaxSizePerMsg: math.MaxUint64, MaxInflightMsgs: c.Inflight, CheckQuorum: c.CheckQuorum,
		PreVote: c.PreVote, Logger: quiet.Logger{},
	}
}
