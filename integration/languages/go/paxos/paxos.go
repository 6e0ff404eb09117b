// Single-decree Paxos: every node is proposer, acceptor and learner, and messages to oneself go through
// the network. Node 2 may crash once. The twin in C++ is tests/languages/paxos.cc.
package main

import (
	"fmt"
	"strings"

	ft "foretell"
)

const nodes = 3

// A state is one byte for each member, in this order; people read them by these names.
const (
	left, ballot, promises, bestBallot, value = 0, 1, 2, 3, 4
	promised, acceptedBallot, acceptedValue   = 5, 6, 7
	heardBallot, heard, chosen                = 8, 9, 10
)

var names = strings.Fields("left ballot promises best_ballot value promised accepted_ballot accepted_value " +
	"heard_ballot heard chosen")

// A message is its kind and its numbers, one byte each.
var messages = []struct {
	name   string
	fields []string
}{
	{"Prepare", []string{"ballot"}},
	{"Promise", []string{"ballot", "accepted_ballot", "accepted_value"}},
	{"Accept", []string{"ballot", "value"}},
	{"Accepted", []string{"ballot", "value"}},
}

const (
	prepare = byte(iota)
	promise
	accept
	accepted
)

type acceptor struct {
	s       [11]byte
	node    int
	ignores bool // The planted bug.
}

func (a *acceptor) Encode() []byte { return a.s[:] }
func broadcast(context *ft.Context, message ...byte) {
	for to := 0; to < nodes; to++ {
		context.Send(to, message)
	}
}
func majority(set byte) bool { return set&(set-1) != 0 }

func (a *acceptor) Handle(event ft.Event, context *ft.Context) {
	s := &a.s
	switch event.Kind {
	case ft.Crash: // What is on disk: the acceptor, and what was chosen.
		a.s = [11]byte{promised: s[promised], acceptedBallot: s[acceptedBallot], acceptedValue: s[acceptedValue],
			chosen: s[chosen]}
	case ft.Act:
		s[left], s[ballot], s[value] = 0, byte(a.node+1), byte(a.node+1)
		broadcast(context, prepare, s[ballot])
	case ft.Deliver:
		a.deliver(event.Peer, event.Body, context)
	}
}

func (a *acceptor) deliver(from int, m []byte, context *ft.Context) {
	s := &a.s
	switch kind, b := m[0], m[1]; {
	case kind == prepare && b > s[promised]:
		s[promised] = b
		context.Send(from, []byte{promise, b, s[acceptedBallot], s[acceptedValue]})
	case kind == promise && b == s[ballot]:
		if m[2] > s[bestBallot] && !a.ignores {
			s[bestBallot], s[value] = m[2], m[3]
		}
		if s[promises] |= 1 << from; majority(s[promises]) {
			broadcast(context, accept, b, s[value])
			s[ballot], s[promises], s[bestBallot], s[value] = 0, 0, 0, 0
		}
	case kind == accept && b >= s[promised]:
		s[promised], s[acceptedBallot], s[acceptedValue] = b, b, m[2]
		broadcast(context, accepted, b, m[2])
	case kind == accepted && b >= s[heardBallot]:
		if b > s[heardBallot] {
			s[heardBallot], s[heard] = b, 0
		}
		if s[heard] |= 1 << from; majority(s[heard]) {
			s[chosen] = m[2]
		}
	}
}

func render(in *ft.Reader, out *ft.Writer) {
	what, _, body := in.U32(), in.U32(), in.Blob()
	switch what {
	case ft.State:
		out.Add("", uint32(len(names)))
		for i, name := range names {
			out.Add(name, fmt.Sprint(body[i]))
		}
	case ft.Action:
		out.Add("Propose()", uint32(0))
	default:
		kind, shown := messages[body[0]], []string{}
		for i, field := range kind.fields {
			shown = append(shown, fmt.Sprintf("%s=%d", field, body[1+i]))
		}
		out.Add(fmt.Sprintf("%s(%s)", kind.name, strings.Join(shown, ", ")), uint32(0))
	}
}

func open(scenario, bug string, set map[string]int64) (*ft.System, error) {
	proposers, given := set["proposers"]
	if !given {
		proposers = 2
	}
	r := new(ft.Writer).Tag(ft.NODES, uint32(nodes))
	for n := 0; n < nodes; n++ {
		r.Tag(ft.NODE, uint32(n/2), uint32(0), "")
	}
	r.Tag(ft.INVARIANT, "agreement", "No two nodes choose different values.", ft.PerPair, uint32(0))
	r.Tag(ft.GOAL, "chosen", "A node chooses.")
	for _, message := range messages {
		r.Tag(ft.MESSAGE_KIND, []byte(message.name))
	}
	r.Tag(ft.ACTION_KIND, []byte("Propose"))
	r.Tag(ft.FAULT_HANDLER, ft.Crash).Tag(ft.SYSTEM_FLAGS, ft.IgnoresBreaks|ft.NoTimers)
	state := func(in *ft.Reader) []byte { in.U32(); in.U32(); return in.Blob() }
	wake := func(node int, bytes []byte) ft.Node {
		return &acceptor{*(*[11]byte)(bytes), node, bug == "ignores-accepted"}
	}
	return &ft.System{Record: r, Wake: wake, Ops: map[uint32]func(*ft.Reader, *ft.Writer){
		ft.INITIAL: func(in *ft.Reader, out *ft.Writer) {
			s := [11]byte{}
			if int64(in.U32()) < proposers {
				s[left] = 1
			}
			out.Blob(s[:])
		},
		ft.ACTIONS: func(in *ft.Reader, out *ft.Writer) {
			in.U32()
			out.Blobs([][]byte{{}}[:in.Blob()[left]])
		},
		ft.PROJECT: func(in *ft.Reader, out *ft.Writer) {
			s := state(in)
			out.Add(s[chosen] > 0, string(s[chosen:chosen+1]))
		},
		ft.VIOLATES: func(in *ft.Reader, out *ft.Writer) {
			in.U32()
			keys := ft.List(in, func() string { in.U32(); return string(in.Blob()) })
			out.Bool(keys[0] != keys[1])
		},
		ft.REACHED: func(in *ft.Reader, out *ft.Writer) { out.Bool(state(in)[chosen] > 0) },
		ft.KIND: func(in *ft.Reader, out *ft.Writer) {
			if kind := uint32(0); in.U32() == ft.Message {
				kind = uint32(in.Blob()[0])
				out.U32(kind)
			} else {
				out.U32(0)
			}
		},
		ft.RENDER: render,
	}}, nil
}

func init() {
	r := new(ft.Writer).Tag(ft.TEXT, []byte("Single-decree Paxos on three nodes, one of which may crash."))
	r.Tag(ft.SCENARIO, "start", "From the initial states.").Tag(ft.LIVE, []byte("start"))
	r.Tag(ft.BUG, "ignores-accepted", "Proposers do not ask what was accepted.")
	r.Tag(ft.PARAMETER, "proposers", "how many nodes propose", int64(2), int64(1), int64(3))
	ft.Register(ft.Family{Name: "decree", Record: r, Open: open})
}
func main() { ft.Serve() }
