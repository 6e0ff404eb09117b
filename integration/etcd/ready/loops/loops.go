// Package loops has a Ready loop as it should be, and six that people write instead. Each is what a user
// would write: it knows the library, and the interface that it calls.
package loops

import (
	"foretell/ready/loop"
	"go.etcd.io/etcd/raft"
)

// Correct is what the documentation means.
func Correct(rd raft.Ready, io loop.IO) {
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

// "Messages may be sent while entries from the same batch are being persisted" (doc.go).
func documented(rd raft.Ready, io loop.IO) {
	io.SaveHardState(rd.HardState)
	saved := io.Go(func(io loop.IO) { io.SaveEntries(rd.Entries) })
	io.Send(rd.Messages)
	saved()
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func hardStateFirst(rd raft.Ready, io loop.IO) {
	io.SaveHardState(rd.HardState)
	io.SaveEntries(rd.Entries)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func sendFirst(rd raft.Ready, io loop.IO) {
	io.Send(rd.Messages)
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func hardStateLast(rd raft.Ready, io loop.IO) {
	io.SaveEntries(rd.Entries)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.SaveHardState(rd.HardState)
	io.Advance()
}

func noHardState(rd raft.Ready, io loop.IO) {
	io.SaveEntries(rd.Entries)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func applyFirst(rd raft.Ready, io loop.IO) {
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Send(rd.Messages)
	io.Advance()
}

// Named is a loop that is wrong, and the first scenario that shows it.
type Named struct {
	Name, Text string
	Loop       loop.Loop
	Scenario   string
}

var Wrong = []Named{
	{"documented", "Sends while entries are saved, as the documentation allows.", documented, "proposal"},
	{"hardstate-first", "Saves the hard state before the entries.", hardStateFirst, "proposal"},
	{"send-first", "Sends before anything is saved.", sendFirst, "proposal"},
	{"hardstate-last", "Saves the hard state at the end.", hardStateLast, "crash"},
	{"no-hardstate", "Never saves the hard state.", noHardState, "crash"},
	{"apply-first", "Applies before it saves.", applyFirst, "one-node"},
}

// Find is a loop by its name; "" is Correct.
func Find(name string) (loop.Loop, bool) {
	for _, l := range Wrong {
		if l.Name == name {
			return l.Loop, true
		}
	}
	return Correct, name == ""
}
