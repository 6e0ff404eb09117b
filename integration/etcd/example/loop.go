package main

import (
	"foretell/ready/loop"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// handle is the Ready loop. It was a method of store, with the calls of disk below in place of io's.
func handle(rd raft.Ready, io loop.IO) {
	io.Save(rd.HardState, rd.Entries, rd.Snapshot)
	io.Send(rd.Messages)
	io.Apply(rd.Snapshot, rd.CommittedEntries)
	io.Advance()
}

// world is the IO of the running program.
type world struct {
	*store
	rd raft.Ready
}

func (w world) Save(state pb.HardState, entries []pb.Entry, _ pb.Snapshot) {
	w.SaveEntries(entries)
	w.SaveHardState(state)
}
func (w world) SaveEntries(entries []pb.Entry) {
	w.write(record{Entries: entries})
	check(w.storage.Append(entries))
}
func (w world) SaveHardState(state pb.HardState) {
	if !raft.IsEmptyHardState(state) {
		w.write(record{State: &state})
		check(w.storage.SetHardState(state))
	}
}
func (w world) Send(messages []pb.Message) {
	for _, m := range messages {
		w.network <- m
	}
}
func (w world) Apply(_ pb.Snapshot, entries []pb.Entry) {
	for _, e := range entries {
		w.apply(e)
	}
}
func (w world) Advance()                              { w.node.Advance(w.rd) }
func (w world) Go(beside func(loop.IO)) (wait func()) { beside(w); return func() {} }
