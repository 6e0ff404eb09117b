package ready

import (
	ft "foretell"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// network plays a cluster from its boot up to the cut that a search starts from: messages arrive in the
// order in which they were sent, but for those that are held.
type network struct {
	world   *world
	servers []*server
	flying  []flight
	sender  int
	past    []happened
}

type flight struct {
	from, to int
	body     []byte
	held     bool
}

func (w *world) network() *network {
	n := &network{world: w}
	for id := 0; id < w.servers; id++ {
		n.servers = append(n.servers, w.fresh(id))
	}
	if w.warm != nil {
		w.warm(n)
	}
	return n
}

func (n *network) Send(to int, body []byte) {
	n.flying = append(n.flying, flight{n.sender, to, body, false})
}

// do is one deed, whatever the budget, and what the loop makes of it.
func (n *network) do(node int, d deed) {
	n.servers[node].left[d]++
	n.handle(node, ft.Event{Kind: ft.Act, Body: action(d)})
}

func (n *network) handle(node int, event ft.Event) {
	n.happen(node, event)
	if s := n.servers[node]; s.world.stepwise && s.node != nil && len(s.loopActions()) > 0 {
		n.handle(node, ft.Event{Kind: ft.Act, Body: s.loopActions()[0]})
	}
}

// happen is an event as it is, and goes down in history. A client's need not be played.
func (n *network) happen(node int, event ft.Event) {
	n.sender = node
	h := happened{node: node, event: event}
	if !n.world.isClient(node) {
		s := n.servers[node]
		s.lost = false
		s.handle(event, n)
		h.lost = s.lost
	}
	n.past = append(n.past, h)
}

// quiet delivers all that is not held.
func (n *network) quiet() {
	for i := 0; i < len(n.flying); {
		if f := n.flying[i]; f.held {
			i++
		} else {
			n.flying = append(n.flying[:i:i], n.flying[i+1:]...)
			n.handle(f.to, ft.Event{Kind: ft.Deliver, Peer: f.from, Body: f.body})
			i = 0
		}
	}
}

// hold keeps what node `from` has sent of a kind and is still on its way.
func (n *network) hold(from int, kind pb.MessageType) {
	for i, f := range n.flying {
		if f.from == from && f.body[0] == raftMessage && decodeMessage(f.body).Type == kind {
			n.flying[i].held = true
		}
	}
}

// step delivers the oldest message that is not held.
func (n *network) step() {
	for i, f := range n.flying {
		if !f.held {
			n.flying = append(n.flying[:i:i], n.flying[i+1:]...)
			n.handle(f.to, ft.Event{Kind: ft.Deliver, Peer: f.from, Body: f.body})
			return
		}
	}
}

// start is the cut, as OPEN has it.
func (n *network) start() []byte {
	var w ft.Writer
	w.U32(uint32(n.world.nodes()))
	for node := 0; node < n.world.nodes(); node++ {
		w.Add(uint32(0), uint32(0), uint32(0))
		w.Blob(n.state(node))
	}
	w.U32(uint32(len(n.flying)))
	for _, f := range n.flying {
		w.Add(uint32(f.from), uint32(f.to))
		w.Blob(f.body)
	}
	return w.Bytes
}

func (n *network) state(node int) []byte {
	if n.world.isClient(node) {
		return (&client{}).Encode()
	}
	return n.servers[node].Encode()
}

// Node 0 leads, and everybody has applied that it does.
func warmLeader(n *network) {
	n.do(0, campaign)
	n.quiet()
}

// And node 1 has asked for a read twice, and was answered; its second question and its second answer to
// the first round of heartbeats are late.
func warmDelayed(n *network) {
	warmLeader(n)
	n.do(1, read)
	n.step() // The question arrives.
	n.do(1, retry)
	n.hold(1, pb.MsgReadIndex)
	n.step() // So does the leader's heartbeat.
	n.hold(1, pb.MsgHeartbeatResp)
	n.quiet()
}
