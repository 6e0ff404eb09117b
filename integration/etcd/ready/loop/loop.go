// Package loop says what a Ready loop is.
package loop

import (
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// IO is what a Ready loop does to the world. What was saved when a call returns survives a crash.
type IO interface {
	// Save is SaveEntries and then SaveHardState; with a snapshot, all three reach the disk together.
	Save(state pb.HardState, entries []pb.Entry, snapshot pb.Snapshot)
	SaveEntries(entries []pb.Entry)
	SaveHardState(state pb.HardState)
	Send(messages []pb.Message)
	// Apply includes ApplyConfChange for entries that change the configuration.
	Apply(snapshot pb.Snapshot, entries []pb.Entry)
	Advance() // Once for each Ready.
	// Go is for what runs beside the rest of the loop; wait is where the loop needs it to be done. The next
	// Ready is taken when all of it is done, even where a loop does not wait. Not inside of Go.
	Go(parallel func(io IO)) (wait func())
}

// Loop handles one Ready. It must depend on that only.
type Loop func(rd raft.Ready, io IO)
