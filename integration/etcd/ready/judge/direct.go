package judge

import (
	"foretell/ready/loop"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// direct is the IO that does what it is told, at once.
type direct struct {
	peer *peer
	rd   raft.Ready
}

func (d *direct) Save(state pb.HardState, entries []pb.Entry, snapshot pb.Snapshot) {
	if !raft.IsEmptySnap(snapshot) {
		d.peer.storage.ApplySnapshot(snapshot)
	}
	d.SaveEntries(entries)
	d.SaveHardState(state)
}

func (d *direct) SaveEntries(entries []pb.Entry) { d.peer.storage.Append(entries) }

func (d *direct) SaveHardState(state pb.HardState) {
	if !raft.IsEmptyHardState(state) {
		d.peer.storage.SetHardState(state)
	}
}

func (d *direct) Send(messages []pb.Message) {
	p := d.peer
	for _, m := range messages {
		m := m
		p.play.flying = append(p.play.flying, letter{int(p.id - 1), int(m.To - 1), Text(m), &m})
		if m.Type == pb.MsgSnap {
			p.node.ReportSnapshot(m.To, raft.SnapshotFinish)
		}
	}
}

func (d *direct) Apply(snapshot pb.Snapshot, entries []pb.Entry) {
	p := d.peer
	if !raft.IsEmptySnap(snapshot) {
		var state pb.Message
		if err := state.Unmarshal(snapshot.Data); err != nil {
			panic(err)
		}
		p.members = &snapshot.Metadata.ConfState
		for _, e := range state.Entries {
			p.remember(e)
		}
	}
	for _, e := range entries {
		p.apply(e)
	}
	p.answer()
}

// remember is what a state machine is: all that was applied, in the order of the log.
func (p *peer) remember(e pb.Entry) {
	p.cursor = e.Index
	for _, before := range p.applied {
		if before.Index == e.Index {
			p.differs = p.differs || entry(before) != entry(e)
			return
		}
	}
	p.applied = append(p.applied, e)
}

func (p *peer) apply(e pb.Entry) {
	p.remember(e)
	switch {
	case e.Type == pb.EntryConfChange:
		var cc pb.ConfChange
		if err := cc.Unmarshal(e.Data); err != nil {
			panic(err)
		}
		p.members = p.node.ApplyConfChange(cc)
	case e.Type == pb.EntryConfChangeV2:
		var cc pb.ConfChangeV2
		if err := cc.Unmarshal(e.Data); err != nil {
			panic(err)
		}
		p.members = p.node.ApplyConfChange(cc)
	case string(e.Data) == "w" && p.writing:
		p.writing = false
		p.tell("written")
	}
}

func (d *direct) Advance() { d.peer.node.Advance(d.rd) }

func (d *direct) Go(parallel func(io loop.IO)) (wait func()) {
	parallel(d)
	return func() {}
}

func (p *peer) tell(word string) {
	p.play.word(int(p.id-1), p.play.cluster.Servers, word)
}

// accepted is what an application does with the part of a Ready that no loop saves, sends or applies.
func (p *peer) accepted(rd raft.Ready) {
	for _, state := range rd.ReadStates {
		for i := range p.reads {
			if r := &p.reads[i]; r.index == 0 && r.context == string(state.RequestCtx) {
				r.index = state.Index
			}
		}
	}
	if rd.SoftState != nil && rd.SoftState.Lead != raft.None {
		p.keep(func(r waiting) bool { return r.index > 0 })
	}
	p.answer()
}

func (p *peer) answer() {
	value := "old"
	for _, e := range p.applied {
		if string(e.Data) == "w" && e.Index <= p.cursor {
			value = "new"
		}
	}
	p.keep(func(r waiting) bool {
		ripe := r.index > 0 && r.index <= p.cursor
		if ripe && r.client {
			p.tell(value)
		}
		return !ripe
	})
}

func (p *peer) keep(wanted func(r waiting) bool) {
	var kept []waiting
	for _, r := range p.reads {
		if wanted(r) {
			kept = append(kept, r)
		}
	}
	p.reads = kept
}
