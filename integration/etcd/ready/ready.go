// Package ready runs a Ready loop of yours, over etcd's raft, under Foretell: on several nodes, with every
// order of messages, and with crashes between any two things that the loop does. The loop takes an IO
// where it calls its disk, its transport and its state machine:
//
//	func handle(rd raft.Ready, io ready.IO) {
//		io.Save(rd.HardState, rd.Entries, rd.Snapshot)
//		io.Send(rd.Messages)
//		io.Apply(rd.Snapshot, rd.CommittedEntries)
//		io.Advance()
//	}
//	func init() { ready.Register("myloop", "What my loop is.", handle) }
//	func main() { ready.Serve() }
//
// Here no call does anything by itself: it is written down, and done when Foretell says so. A loop must
// therefore depend on its Ready only.
package ready

import (
	ft "foretell"

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
	Advance()
	// Go is for what runs beside the rest of the loop; wait is where the loop needs it to be done.
	Go(parallel func(io IO)) (wait func())
}

// Loop handles one Ready.
type Loop func(rd raft.Ready, io IO)

// Variant is a loop under a name of its own, for `--bug`.
type Variant struct {
	Name, Text string
	Loop       Loop
}

// Register makes a plug-in of a loop; in an init function. Variants are other ways to do it.
func Register(name, text string, loop Loop, variants ...Variant) {
	ft.Register(family(name, text, loop, variants))
}

// Serve is all that main does.
func Serve() { ft.Serve() }
