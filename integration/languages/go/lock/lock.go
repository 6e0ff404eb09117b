// A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
// The server may crash once, and must not forget who holds the lock.
package main

import (
	"fmt"

	ft "foretell"
)

const server = 0

var messages, actions = []string{"Acquire", "Grant", "Release"}, []string{"Acquire", "Release"}

// State is one byte for each member; grantedTo is 0 for nobody, for the server is no client.
type state struct {
	grantedTo    byte
	asked, holds bool
	forgets      bool // The planted bug; no part of the state.
}

func flag(b bool) byte { return map[bool]byte{true: 1}[b] }
func decode(b []byte) *state {
	return &state{grantedTo: b[0], asked: b[1] == 1, holds: b[2] == 1}
}
func (s *state) Encode() []byte { return []byte{s.grantedTo, flag(s.asked), flag(s.holds)} }
func (s *state) Handle(event ft.Event, context *ft.Context) {
	switch {
	case event.Kind == ft.Crash && s.forgets:
		*s = state{}
	case event.Kind == ft.Act:
		s.asked, s.holds = true, false
		context.Send(server, event.Body)
	case event.Kind != ft.Deliver:
	case string(event.Body) == "Acquire" && s.grantedTo == 0:
		s.grantedTo = byte(event.Peer)
		context.Send(event.Peer, []byte("Grant"))
	case string(event.Body) == "Grant":
		s.holds = true
	case string(event.Body) == "Release":
		s.grantedTo = 0
	}
}

func render(in *ft.Reader, out *ft.Writer) {
	what, _, body := in.U32(), in.U32(), in.Blob()
	if what != ft.State {
		out.Add(string(body)+"()", uint32(0))
		return
	}
	s, granted := decode(body), "-"
	if s.grantedTo != 0 {
		granted = fmt.Sprint(s.grantedTo)
	}
	yes := map[bool]string{true: "yes", false: "no"}
	out.Add("", uint32(3), "granted_to", granted, "asked", yes[s.asked], "holds", yes[s.holds])
}

func kind(in *ft.Reader, out *ft.Writer) {
	names := map[uint32][]string{ft.Message: messages, ft.Action: actions}[in.U32()]
	body := string(in.Blob())
	for i, name := range names {
		if name == body {
			out.U32(uint32(i))
		}
	}
}

func open(scenario, bug string, set map[string]int64) (*ft.System, error) {
	clients, given := set["clients"]
	if !given {
		clients = 2
	}
	r := new(ft.Record).Tag(ft.NODES, uint32(1+clients)).Tag(ft.NODE, uint32(1), uint32(0), "server")
	for n := int64(0); n < clients; n++ {
		r.Tag(ft.NODE, uint32(0), uint32(0), "client")
	}
	r.Tag(ft.INVARIANT, "one-holder", "No two clients hold the lock.", ft.PerPair, uint32(0))
	r.Tag(ft.GOAL, "granted", "Somebody gets the lock.")
	for _, name := range messages {
		r.Tag(ft.MESSAGE_KIND, []byte(name))
	}
	for _, name := range actions {
		r.Tag(ft.ACTION_KIND, []byte(name))
	}
	r.Tag(ft.FAULT_HANDLER, ft.Crash).Tag(ft.SYSTEM_FLAGS, ft.IgnoresBreaks|ft.NoTimers)
	wake := func(node int, bytes []byte) ft.Node {
		s := decode(bytes)
		s.forgets = bug == "forgets-holder"
		return s
	}
	return &ft.System{Record: r, Wake: wake, Ops: map[uint32]func(*ft.Reader, *ft.Writer){
		ft.INITIAL: func(in *ft.Reader, out *ft.Writer) { out.Blob((&state{}).Encode()) },
		ft.ACTIONS: func(in *ft.Reader, out *ft.Writer) {
			node, s, can := in.U32(), decode(in.Blob()), [][]byte{}
			if node != server && !s.asked {
				can = append(can, []byte("Acquire"))
			}
			if s.holds {
				can = append(can, []byte("Release"))
			}
			out.Blobs(can)
		},
		ft.PROJECT:  func(in *ft.Reader, out *ft.Writer) { in.U32(); in.U32(); out.Add(decode(in.Blob()).holds, "") },
		ft.VIOLATES: func(in *ft.Reader, out *ft.Writer) { out.Bool(true) }, // Two that hold it.
		ft.REACHED:  func(in *ft.Reader, out *ft.Writer) { in.U32(); in.U32(); out.Bool(decode(in.Blob()).holds) },
		ft.RENDER:   render, ft.KIND: kind,
	}}, nil
}

func family() ft.Family {
	r := new(ft.Record).Tag(ft.TEXT, []byte("A lock server that may crash, and its clients."))
	r.Tag(ft.SCENARIO, "start", "From the initial states.").Tag(ft.LIVE, []byte("start"))
	r.Tag(ft.BUG, "forgets-holder", "A crashed server forgets the holder.")
	r.Tag(ft.PARAMETER, "clients", "how many clients there are", int64(2), int64(1), int64(5))
	return ft.Family{Name: "lock", Record: r, Open: open}
}

func init() { ft.Register(family()) }
func main() { ft.Serve() }
