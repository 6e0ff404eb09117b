package ready

import (
	"fmt"

	ft "foretell"
	"foretell/ready/codec"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// sender is the part of a Context that handlers use.
type sender interface {
	Send(to int, message []byte)
}

// server is a node: the library, its disk, what is left to do of a Ready, and the application.
type server struct {
	world *world
	id    int
	left  [deeds]uint64 // Budgets.
	disk  *disk
	node  *raft.RawNode // None while it is down, or dead.
	plan  plan
	app   app
	led   uint64 // The terms that it led, as a set; nothing reads it but an invariant.
	fault fault
	lost  bool // The last delivery counts as lost; no part of the state.
}

// fault says what the library died of. It stays: whoever restarts the process meets it again.
type fault struct {
	text   string
	atBoot bool
}

func (w *world) fresh(id int) *server {
	s := &server{world: w, id: id, disk: newDisk(w.members())}
	for d := deed(0); d < deeds; d++ {
		s.left[d] = uint64(w.budget(id, d))
	}
	s.boot()
	return s
}

func (w *world) server(id int, state []byte) *server {
	s := &server{world: w, id: id, disk: newDisk(w.members())}
	c := codec.Reader(state)
	s.code(c)
	c.End()
	return s
}

func (s *server) Encode() []byte {
	c := codec.Writer()
	s.code(c)
	return c.Bytes()
}

func (s *server) code(c *codec.Codec) {
	for d := range s.left {
		if s.world.budget(s.id, deed(d)) > 0 {
			c.Uint(&s.left[d])
		}
	}
	c.Uint(&s.led)
	s.disk.code(c)
	s.app.code(c)
	c.Text(&s.fault.text)
	c.Bool(&s.fault.atBoot)
	up := s.node != nil
	if c.Bool(&up); !up {
		return
	}
	s.node = raft.FtCode(c, s.world.config(s.id, s.disk), s.node, s.world.alive())
	s.plan.code(c)
	s.app.codeVolatile(c)
}

func (s *server) boot() {
	config := s.world.config(s.id, s.disk)
	snapshot, _ := s.disk.Snapshot()
	config.Applied = snapshot.Metadata.Index
	node, err := raft.NewRawNode(config)
	if err != nil {
		panic(err)
	}
	s.node = node
	s.app.restart(snapshot)
}

func (s *server) down() { s.node, s.plan = nil, nil; s.app.stop() }

// Handle does what happens to a node. A panic of the library is its end, and a state like others.
func (s *server) Handle(event ft.Event, context *ft.Context) { s.handle(event, context) }

func (s *server) handle(event ft.Event, out sender) {
	defer func() {
		p := recover()
		if _, ours := p.(codec.Malformed); ours {
			panic(p)
		} else if p != nil {
			s.fault = fault{fmt.Sprint(p), event.Kind == ft.Restart}
			s.down()
		}
	}()
	switch {
	case s.fault.text != "":
	case event.Kind == ft.Crash:
		s.down()
	case event.Kind == ft.Restart:
		s.boot()
	case event.Kind == ft.Deliver:
		s.deliver(event.Peer, event.Body, out)
	case event.Kind == ft.Act:
		s.act(event.Body, out)
	}
	s.settle(out)
}

// deliver may count as lost: what does not come now may as well come later.
func (s *server) deliver(from int, body []byte, out sender) {
	if s.lost = s.world.serial && s.plan != nil; s.lost {
		return
	}
	switch body[0] {
	case raftMessage:
		m := decodeMessage(body)
		m.From, m.To = uint64(from+1), uint64(s.id+1)
		if s.lost = s.excess(m); !s.lost {
			s.node.Step(m)
		}
	case putMessage:
		s.write()
	case getMessage:
		s.read()
	}
}

// excess counts as lost. No network of ours delivers twice, but some engines imagine one that
// forgets nothing, where two lists of the library would grow for ever: of what waits for the next Ready,
// and of questions for reads that a leader who has not committed anything puts off.
func (s *server) excess(m pb.Message) bool {
	look := s.node.FtLook()
	if s.world.batch > 0 && look.Waiting >= s.world.batch {
		return true
	}
	times := 0
	for _, other := range look.Asked {
		if m.Type == pb.MsgReadIndex && other.From == m.From &&
			string(other.Entries[0].Data) == string(m.Entries[0].Data) {
			times++
		}
	}
	return times > s.world.total(retry)
}

// settle handles what is ready, as far as that is no event of its own.
func (s *server) settle(out sender) {
	for s.node != nil && s.plan == nil && (!s.world.stepwise || s.world.serial) && s.node.HasReady() {
		s.takeReady(out)
		for !s.world.stepwise && s.plan != nil {
			s.do(s.firstThread(), out)
		}
	}
	// With a serial loop, nothing that is not the loop can tell whether it has advanced.
	for s.node != nil && s.world.serial && len(s.plan) == 1 && s.plan[0][0].kind == advance {
		s.do(0, out)
	}
	if s.node == nil {
		return
	}
	if status := s.node.BasicStatus(); status.RaftState == raft.StateLeader {
		s.led |= 1 << status.Term
	}
}

func (s *server) takeReady(out sender) {
	rd := s.node.Ready()
	rd.Messages = codec.Sorted(rd.Messages) // As they would be if the node had been rebuilt.
	s.plan = record(s.world.loop, rd)
	s.confirmed(rd, out)
}

func (s *server) firstThread() int {
	for i := range s.plan {
		if _, can := s.plan.next(i); can {
			return i
		}
	}
	panic("the loop waits for itself")
}

// do is the next operation of a thread of the loop.
func (s *server) do(thread int, out sender) {
	o := s.plan[thread][0]
	s.plan[thread] = s.plan[thread][1:]
	s.plan.settle()
	switch o.kind {
	case saveEntries:
		s.disk.Append(o.entries)
	case saveHardState:
		s.disk.SetHardState(o.state)
	case saveAll:
		s.disk.ApplySnapshot(o.snapshot)
		s.disk.Append(o.entries)
		if !raft.IsEmptyHardState(o.state) {
			s.disk.SetHardState(o.state)
		}
	case send:
		s.send(o.messages, out)
	case apply:
		s.apply(o.snapshot, o.entries, out)
	case advance:
		s.node.Advance(o.restored())
	}
}

func (s *server) send(messages []pb.Message, out sender) {
	for _, m := range messages {
		out.Send(int(m.To-1), encodeMessage(m))
		if m.Type == pb.MsgSnap {
			s.node.ReportSnapshot(m.To, raft.SnapshotFinish)
		}
	}
}
