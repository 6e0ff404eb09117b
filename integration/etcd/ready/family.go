package ready

import (
	"fmt"

	ft "foretell"
	"go.etcd.io/etcd/raft"
)

// member is a server or a client.
type member interface {
	ft.Node
	Actions() [][]byte
}

func (w *world) member(node int, state []byte) member {
	if w.isClient(node) {
		return w.client(state)
	}
	return w.server(node, state)
}

func family(name, text string, correct Loop, variants []Variant) ft.Family {
	r := new(ft.Writer).Tag(ft.TEXT, []byte(text)).Tag(ft.VERSION, []byte("etcd raft 3.4.23"))
	for _, s := range scenarios {
		r.Tag(ft.SCENARIO, s.name, s.text)
	}
	for _, v := range variants {
		r.Tag(ft.BUG, v.Name, v.Text)
	}
	r.Tag(ft.PARAMETER, "terms", "nobody campaigns at this term; 0: as the scenario says",
		int64(0), int64(0), int64(20))
	r.Tag(ft.PARAMETER, "batch", "nothing arrives while so many messages wait for the next Ready; 0: as the "+
		"scenario says", int64(0), int64(0), int64(100))
	r.Tag(ft.PARAMETER, "inflight", "how many appends may be under way to a follower; 0: more than there are",
		int64(0), int64(0), int64(16))
	r.Tag(ft.PARAMETER, "unique-ids", "a read that is asked for again has another id",
		int64(0), int64(0), int64(1))
	r.Tag(ft.FLAGS, uint32(2)) // FORETELL_HAS_JUDGE
	known := map[string]Variant{"": {Loop: correct}}
	for _, v := range variants {
		known[v.Name] = v
	}
	return ft.Family{Name: name, Record: r,
		Open: func(scenario, bug string, set map[string]int64) (*ft.System, error) {
			if err := raft.FtShape(); err != nil {
				return nil, err
			}
			v := known[bug]
			if v.Scenario != "" && place(scenario, scenarioNames()) < place(v.Scenario, scenarioNames()) {
				return nil, fmt.Errorf("%s breaks nothing in scenario %s; %s is the first in which it does", bug,
					scenario, v.Scenario)
			}
			w := findScenario(scenario).world
			w.loop, w.bug, w.unique = v.Loop, bug, set["unique-ids"] == 1
			if batch := set["batch"]; batch > 0 {
				w.batch = int(batch)
			}
			w.inflight = int(set["inflight"])
			if terms := set["terms"]; terms > 0 {
				w.terms = uint64(terms)
			}
			return open(&w), nil
		}}
}

func open(w *world) *ft.System {
	r := new(ft.Writer).Tag(ft.NODES, uint32(w.nodes())).Tag(ft.SYSTEM_FLAGS, ft.IgnoresBreaks)
	for node := 0; node < w.nodes(); node++ {
		role, crashes := "server", 0
		if w.isClient(node) {
			role = "client"
		} else if node < len(w.crashes) {
			crashes = w.crashes[node]
		}
		r.Tag(ft.NODE, uint32(crashes), uint32(0), role)
	}
	for _, i := range w.invariants() {
		r.Tag(ft.INVARIANT, i.name, i.text, i.scope, i.flags)
	}
	for _, name := range w.messageKinds() {
		r.Tag(ft.MESSAGE_KIND, []byte(name))
	}
	for _, name := range w.actionKinds() {
		r.Tag(ft.ACTION_KIND, []byte(name))
	}
	r.Tag(ft.FAULT_HANDLER, ft.Crash).Tag(ft.FAULT_HANDLER, ft.Restart)
	network := w.network()
	if w.warm != nil {
		r.Tag(ft.START, network.start())
	}
	wake := func(node int, state []byte) ft.Node { return w.member(node, state) }
	return &ft.System{Record: r, Wake: wake, Ops: w.ops(network)}
}

func (w *world) ops(start *network) map[uint32]func(in *ft.Reader, out *ft.Writer) {
	active := w.invariants()
	return map[uint32]func(in *ft.Reader, out *ft.Writer){
		ft.INITIAL: func(in *ft.Reader, out *ft.Writer) { out.Blob(start.state(int(in.U32()))) },
		ft.ACTIONS: func(in *ft.Reader, out *ft.Writer) {
			node := int(in.U32())
			out.Blobs(w.member(node, in.Blob()).Actions())
		},
		ft.PROJECT: func(in *ft.Reader, out *ft.Writer) {
			i, node := active[in.U32()], int(in.U32())
			key := w.key(i, node, in.Blob())
			out.Add(key != nil, string(key))
		},
		ft.VIOLATES: func(in *ft.Reader, out *ft.Writer) {
			i := active[in.U32()]
			keys := ft.List(in, func() []byte {
				there, key := in.U32() == 1, in.Blob()
				return map[bool][]byte{true: key}[there]
			})
			out.Bool(i.violated == nil || i.violated(w, keys))
		},
		ft.OPINION: w.opinion, ft.RENDER: w.render,
		ft.VALID: func(in *ft.Reader, out *ft.Writer) {
			what, node := in.U32(), int(in.U32())
			out.Bool(w.valid(what, node, in.Blob()))
		},
		ft.KIND: w.kind, ft.TIMING: timing,
	}
}

func (w *world) kind(in *ft.Reader, out *ft.Writer) {
	if what, body := in.U32(), in.Blob(); what == ft.Message {
		out.U32(place(messageName(body), w.messageKinds()))
	} else {
		out.U32(place(actionName(body), w.actionKinds()))
	}
}

func place(name string, names []string) uint32 {
	for i, other := range names {
		if other == name {
			return uint32(i)
		}
	}
	panic("this scenario has no " + name)
}

// What a client or an operator asks for is a call; all else a node does by itself.
func timing(in *ft.Reader, out *ft.Writer) {
	origin := uint32(1)
	switch deed(in.Blob()[0]) {
	case propose, read, change, transfer, put, get:
		origin = 0
	}
	out.Add(origin, []byte{100, 0, 0, 0, 0, 0, 0, 0}, false, make([]byte, 8), true, false)
}

// valid is whether bytes are what this service would have written.
func (w *world) valid(what uint32, node int, body []byte) (valid bool) {
	defer func() {
		if recover() != nil {
			valid = false
		}
	}()
	again := body
	switch {
	case what == ft.State && node < w.nodes():
		again = w.member(node, body).Encode()
	case what == ft.Message:
		place(messageName(body), w.messageKinds())
		if messageLine(body); body[0] == raftMessage {
			again = encodeMessage(decodeMessage(body))
		}
	case what == ft.Action:
		place(actionName(body), w.actionKinds())
		actionLine(body)
	}
	return string(again) == string(body)
}
