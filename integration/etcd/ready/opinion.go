package ready

import (
	ft "foretell"
	"foretell/ready/judge"
	"go.etcd.io/etcd/raft"
)

// happened is an event of a node, or, for a message, that it was lost.
type happened struct {
	node  int
	event ft.Event
	lost  bool
}

// opinion has the judge play what led to the start, and then the path.
func (w *world) opinion(in *ft.Reader, out *ft.Writer) {
	invariant, again := string(in.Blob()), w.network()
	ft.List(in, func() bool {
		again.happen(int(in.U32()), in.Event())
		ft.List(in, in.U32)
		return true
	})
	out.Blob([]byte(judge.Opinion(w.cluster(), again.steps(), invariant)))
}

func (n *network) steps() []judge.Step {
	steps := make([]judge.Step, len(n.past))
	for i, h := range n.past {
		steps[i] = h.step()
	}
	return steps
}

func (w *world) cluster() judge.Cluster {
	return judge.Cluster{
		Loop: w.loop, Servers: w.servers, Members: w.members(), Stepwise: w.stepwise, Serial: w.serial,
		UniqueReads: w.unique, Writer: w.writer, Reader: w.reader,
		Config: func(id uint64, storage raft.Storage) *raft.Config { return w.config(int(id-1), storage) },
	}
}

// step says an event in the words of the judge.
func (h happened) step() judge.Step {
	s := judge.Step{Node: h.node, From: h.event.Peer}
	body := h.event.Body
	switch h.event.Kind {
	case ft.Crash:
		s.Do = "crash"
	case ft.Restart:
		s.Do = "restart"
	case ft.Deliver:
		s.Do = map[bool]string{false: "deliver", true: "lost"}[h.lost]
		switch body[0] {
		case raftMessage:
			m := decodeMessage(body)
			s.Message = &m
		case valueMessage:
			s.Letter = []string{"old", "new"}[body[1]]
		default:
			s.Letter = []string{"put", "written", "get"}[body[0]-putMessage]
		}
	case ft.Act:
		s.Do = deedNames[body[0]]
		switch deed(body[0]) {
		case do:
			s.Do, s.Thread, s.Operation = "operation", int(body[1]), operationNames[body[2]]
		case transfer:
			s.Peer = uint64(body[1] + 1)
		case change:
			s.Change = configurationChanges[body[1]].change
		case put:
			s.Do = "put"
		case get:
			s.Do = "get"
		}
	}
	return s
}
