// Package ready runs a Ready loop of yours, over etcd's raft, under Foretell: on several nodes, with every
// order of messages, and with crashes between any two things that the loop does. The loop takes an IO
// where it calls its disk, its transport and its state machine:
//
//	func handle(rd raft.Ready, io loop.IO) {
//		io.Save(rd.HardState, rd.Entries, rd.Snapshot)
//		io.Send(rd.Messages)
//		io.Apply(rd.Snapshot, rd.CommittedEntries)
//		io.Advance()
//	}
//	func init() { ready.Register("myloop", "What my loop is.", handle) }
//
// Here no call does anything by itself: it is written down, and done when Foretell says so. A loop must
// therefore depend on its Ready only. A program needs package loop and nothing else; the init function
// belongs into a file that begins with `//go:build foretell_library` (example/check.go).
package ready

import (
	ft "foretell"
	"foretell/ready/loop"
)

// IO is what a loop calls; package loop says what each call means.
type IO = loop.IO

// Loop handles one Ready.
type Loop = loop.Loop

// Variant is a loop under a name of its own, for `--bug`.
type Variant struct {
	Name, Text string
	Loop       Loop
	Scenario   string // Those before it are refused, because nothing is wrong there; none: nothing is.
}

// Register makes a plug-in of a loop; in an init function. Variants are other ways to do it.
func Register(name, text string, loop Loop, variants ...Variant) {
	ft.Register(family(name, text, loop, variants))
}

// Serve is all that main does in a plug-in that is nothing else.
func Serve() { ft.Serve() }
