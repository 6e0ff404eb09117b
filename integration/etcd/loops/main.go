// The plug-in `etcd`: etcd's raft under the loop that its documentation means, and under six that people
// write instead. Each is what a user would write.
package main

import (
	"foretell/ready"
	"go.etcd.io/etcd/raft"
)

func correct(rd raft.Ready, io ready.IO) {
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

// "Messages may be sent while entries from the same batch are being persisted" (doc.go).
func documented(rd raft.Ready, io ready.IO) {
	io.SaveHardState(rd.HardState)
	saved := io.Go(func(io ready.IO) { io.SaveEntries(rd.Entries) })
	io.Send(rd.Messages)
	saved()
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func hardStateFirst(rd raft.Ready, io ready.IO) {
	io.SaveHardState(rd.HardState)
	io.SaveEntries(rd.Entries)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func sendFirst(rd raft.Ready, io ready.IO) {
	io.Send(rd.Messages)
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func hardStateLast(rd raft.Ready, io ready.IO) {
	io.SaveEntries(rd.Entries)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.SaveHardState(rd.HardState)
	io.Advance()
}

func noHardState(rd raft.Ready, io ready.IO) {
	io.SaveEntries(rd.Entries)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

func applyFirst(rd raft.Ready, io ready.IO) {
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Send(rd.Messages)
	io.Advance()
}

func init() {
	ready.Register("etcd", "etcd's raft 3.4.23, unmodified, and the Ready loop around it.", correct,
		ready.Variant{"documented", "Sends while entries are saved, as the documentation allows.", documented},
		ready.Variant{"hardstate-first", "Saves the hard state before the entries.", hardStateFirst},
		ready.Variant{"send-first", "Sends before anything is saved.", sendFirst},
		ready.Variant{"hardstate-last", "Saves the hard state at the end.", hardStateLast},
		ready.Variant{"no-hardstate", "Never saves the hard state.", noHardState},
		ready.Variant{"apply-first", "Applies before it saves.", applyFirst})
}

func main() { ready.Serve() }
