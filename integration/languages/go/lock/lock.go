// A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
// The server may crash once, and must not forget who holds the lock.
package main

import (
	"fmt"
	"strings"

	ft "foretell"
)

const server, messages, actions = 0, "Acquire Grant Release", "Acquire Release"

// State is one byte for each member; grantedTo is 0 for nobody, for the server is no client.
type state struct {
	grantedTo    byte
	asked, holds bool
	forgets      bool // The planted bug; no part of the state.
}

func flag(b bool) byte          { return map[bool]byte{true: 1}[b] }
func decode(b []byte) *state    { return &state{grantedTo: b[0], asked: b[1] == 1, holds: b[2] == 1} }
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
	s, yes := decode(body), map[bool]string{true: "yes", false: "no"}
	granted := strings.Replace(fmt.Sprint(s.grantedTo), "0", "-", 1) // There are fewer than ten.
	out.Add("", uint32(3), "granted_to", granted, "asked", yes[s.asked], "holds", yes[s.holds])
}
func kind(in *ft.Reader, out *ft.Writer) {
	names := map[uint32]string{ft.Message: messages, ft.Action: actions}[in.U32()]
	before, _, _ := strings.Cut(names, string(in.Blob()))
	out.U32(uint32(strings.Count(before, " ")))
}
func holds(in *ft.Reader, out *ft.Writer) { in.U32(); in.U32(); out.Bool(decode(in.Blob()).holds) }

func open(scenario, bug string, set map[string]int64) (*ft.System, error) {
	clients := int64(2)
	if set["clients"] > 0 {
		clients = set["clients"]
	}
	r := new(ft.Writer).Tag(ft.NODES, uint32(1+clients)).Tag(ft.NODE, uint32(1), uint32(0), "server")
	for n := int64(0); n < clients; n++ {
		r.Tag(ft.NODE, uint32(0), uint32(0), "client")
	}
	for tag, names := range []string{ft.MESSAGE_KIND: messages, ft.ACTION_KIND: actions} {
		for _, name := range strings.Fields(names) {
			r.Tag(uint32(tag), []byte(name))
		}
	}
	r.Tag(ft.INVARIANT, "one-holder", "No two clients hold the lock.", ft.PerPair, uint32(0))
	r.Tag(ft.GOAL, "granted", "Somebody gets the lock.")
	r.Tag(ft.FAULT_HANDLER, ft.Crash).Tag(ft.SYSTEM_FLAGS, ft.IgnoresBreaks|ft.NoTimers)
	wake := func(node int, bytes []byte) ft.Node { s := decode(bytes); s.forgets = bug != ""; return s }
	return &ft.System{Record: r, Wake: wake, Ops: map[uint32]func(*ft.Reader, *ft.Writer){
		ft.INITIAL: func(in *ft.Reader, out *ft.Writer) { out.Blob((&state{}).Encode()) },
		ft.ACTIONS: func(in *ft.Reader, out *ft.Writer) {
			if node, s := in.U32(), decode(in.Blob()); s.holds {
				out.Blobs([][]byte{[]byte("Release")})
			} else if node != server && !s.asked {
				out.Blobs([][]byte{[]byte("Acquire")})
			} else {
				out.Blobs(nil)
			}
		},
		ft.PROJECT:  func(in *ft.Reader, out *ft.Writer) { holds(in, out); out.Blob(nil) },
		ft.VIOLATES: func(in *ft.Reader, out *ft.Writer) { out.Bool(true) }, // Two that hold it.
		ft.REACHED:  holds, ft.RENDER: render, ft.KIND: kind,
	}}, nil
}
func init() {
	r := new(ft.Writer).Tag(ft.TEXT, []byte("A lock server that may crash, and its clients."))
	r.Tag(ft.SCENARIO, "start", "From the initial states.").Tag(ft.LIVE, []byte("start"))
	r.Tag(ft.BUG, "forgets-holder", "A crashed server forgets the holder.")
	r.Tag(ft.PARAMETER, "clients", "how many clients there are", int64(2), int64(1), int64(5))
	ft.Register(ft.Family{Name: "lock", Record: r, Open: open})
}
func main() { ft.Serve() }
