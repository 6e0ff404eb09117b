package ready

import (
	"math"

	"foretell/ready/codec"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// disk is what survives a crash, in the storage that comes with the library. A node whose disk has no
// snapshot has the members that the cluster began with.
type disk struct {
	*raft.MemoryStorage
	members pb.ConfState
}

func newDisk(members pb.ConfState) *disk { return &disk{raft.NewMemoryStorage(), members} }

func (d *disk) InitialState() (pb.HardState, pb.ConfState, error) {
	state, members, err := d.MemoryStorage.InitialState()
	if len(members.Voters) == 0 {
		members = d.members
	}
	return state, members, err
}

func (d *disk) entries() []pb.Entry {
	first, _ := d.FirstIndex()
	last, _ := d.LastIndex()
	entries, _ := d.Entries(first, last+1, math.MaxUint64)
	return entries
}

func (d *disk) code(c *codec.Codec) {
	state, _, _ := d.InitialState()
	snapshot, _ := d.Snapshot()
	entries := d.entries()
	c.HardState(&state)
	c.Snapshot(&snapshot)
	c.Entries(&entries)
	if !c.Reading {
		return
	}
	d.SetHardState(state)
	if !raft.IsEmptySnap(snapshot) {
		d.ApplySnapshot(snapshot)
	}
	d.Append(entries)
}
