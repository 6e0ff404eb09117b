package ready

import (
	"bytes"

	"foretell/ready/codec"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// What the client writes, and what Propose writes.
const clientData, otherData = 'w', 'p'

// app is the state machine of a node: a register, and the reads that wait for their index.
type app struct {
	// What it ever applied, by index from 1. A client may have been told, so that no crash undoes it.
	told []pb.Entry
	// It applied something else after a restart.
	differs bool
	asked   uint64 // How many ids of reads were used.
	// Volatile from here on.
	applied uint64
	put     bool // The client's requests were taken, and are not taken again.
	got     bool
	writing bool // It waits for its write.
	reads   []session
}

func (a *app) code(c *codec.Codec) {
	codec.List(c, &a.told, func(e *pb.Entry) {
		c.Uint(&e.Term)
		codec.Number(c, &e.Type)
		c.Blob(&e.Data)
	})
	for i := range a.told {
		a.told[i].Index = uint64(i + 1)
	}
	c.Bool(&a.differs)
	c.Uint(&a.asked) // Ids of reads must not come back after a restart.
}

func (a *app) codeVolatile(c *codec.Codec) {
	c.Uint(&a.applied)
	c.Bool(&a.put)
	c.Bool(&a.got)
	c.Bool(&a.writing)
	codec.List(c, &a.reads, func(s *session) {
		c.Uint(&s.id)
		c.Uint(&s.index)
		c.Bool(&s.client)
	})
}

func (a *app) stop() { *a = app{told: a.told, differs: a.differs, asked: a.asked} }

func (a *app) restart(snapshot pb.Snapshot) { a.applied = snapshot.Metadata.Index }

// write is what a leader does for the client; others do not forward it. Requests are taken once, as
// servers with sessions do: a network that delivers them again makes the log no longer.
func (s *server) write() {
	if s.node.BasicStatus().RaftState == raft.StateLeader && !s.app.put {
		s.app.put = true
		s.app.writing = s.node.Propose([]byte{clientData}) == nil
	}
}

func (s *server) read() {
	if !s.app.got {
		s.app.got = true
		s.startRead(true)
	}
}

// A state machine is all that was applied to it, and so is its snapshot.
func (a *app) snapshot(index uint64) []byte {
	c := codec.Writer()
	prefix := a.told[:index]
	c.Entries(&prefix)
	return c.Bytes()
}

func (s *server) apply(snapshot pb.Snapshot, entries []pb.Entry, out sender) {
	if !raft.IsEmptySnap(snapshot) {
		var all []pb.Entry
		codec.Reader(snapshot.Data).Entries(&all)
		s.app.applied = 0
		for _, entry := range all {
			s.app.one(entry)
		}
	}
	for _, entry := range entries {
		s.app.one(entry)
		changeConfiguration(s.node, entry)
		if s.app.writing && isClients(entry) {
			s.app.writing = false
			out.Send(s.world.servers, []byte{writtenMessage})
		}
	}
	s.answer(out)
}

func (a *app) one(entry pb.Entry) {
	i := entry.Index - 1
	if i != a.applied {
		panic("the library left out an entry")
	}
	a.applied = entry.Index
	if i == uint64(len(a.told)) {
		a.told = append(a.told, entry)
	} else if !same(a.told[i], entry) {
		a.differs = true
	}
}

func same(a, b pb.Entry) bool {
	return a.Term == b.Term && a.Type == b.Type && bytes.Equal(a.Data, b.Data)
}

func isClients(entry pb.Entry) bool {
	return entry.Type == pb.EntryNormal && len(entry.Data) == 1 && entry.Data[0] == clientData
}

func changeConfiguration(node *raft.RawNode, entry pb.Entry) {
	switch entry.Type {
	case pb.EntryConfChange:
		var cc pb.ConfChange
		if err := cc.Unmarshal(entry.Data); err != nil {
			panic(err)
		}
		node.ApplyConfChange(cc)
	case pb.EntryConfChangeV2:
		var cc pb.ConfChangeV2
		if err := cc.Unmarshal(entry.Data); err != nil {
			panic(err)
		}
		node.ApplyConfChange(cc)
	}
}
