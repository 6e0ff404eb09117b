package ready

import (
	"encoding/binary"

	"go.etcd.io/etcd/raft"
)

// session is a read that was asked for. It may be answered when index is known, and applied.
type session struct {
	id, index uint64
	client    bool
}

// A read is known by its node and a number that no other read of it has, as in etcd.
func (s *server) context(id uint64) []byte {
	return binary.AppendUvarint([]byte{byte(s.id + 1)}, id)
}

func (s *server) startRead(client bool) {
	s.app.asked++
	s.app.reads = append(s.app.reads, session{id: s.app.asked, client: client})
	s.node.ReadIndex(s.context(s.app.asked))
}

// retryRead asks again for the oldest read that nobody has answered: with the same id, as etcd 3.4 does,
// or, in the scenarios that show what that is about, with a new one.
func (s *server) retryRead() {
	r := &s.app.reads[s.unanswered()]
	if s.world.unique {
		s.app.asked++
		r.id = s.app.asked
	}
	s.node.ReadIndex(s.context(r.id))
}

// unanswered is the place of the oldest read without an index, or -1.
func (s *server) unanswered() int {
	for i, r := range s.app.reads {
		if r.index == 0 {
			return i
		}
	}
	return -1
}

// confirmed takes what a Ready says of reads. Another leader ends those without an index: etcd tells
// their clients that the leader has changed.
func (s *server) confirmed(rd raft.Ready, out sender) {
	for _, state := range rd.ReadStates {
		for i := range s.app.reads {
			r := &s.app.reads[i]
			if r.index == 0 && string(s.context(r.id)) == string(state.RequestCtx) {
				r.index = state.Index
			}
		}
	}
	if rd.SoftState != nil && rd.SoftState.Lead != raft.None {
		for i := s.unanswered(); i >= 0; i = s.unanswered() {
			s.app.reads = append(s.app.reads[:i:i], s.app.reads[i+1:]...)
		}
	}
	s.answer(out)
}

// answer ends all reads whose index is applied.
func (s *server) answer(out sender) {
	var waiting []session
	for _, r := range s.app.reads {
		if r.index == 0 || r.index > s.app.applied {
			waiting = append(waiting, r)
		} else if r.client {
			out.Send(s.world.servers, []byte{valueMessage, s.value()})
		}
	}
	s.app.reads = waiting
}

// value is 1 once the client's write is applied.
func (s *server) value() byte {
	for _, entry := range s.app.told[:s.app.applied] {
		if isClients(entry) {
			return 1
		}
	}
	return 0
}
