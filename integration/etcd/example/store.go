// A small replicated store over etcd's raft: three nodes in one process, each with a file that it writes
// before it answers. It is here to show what a Ready loop needs so that Foretell can check it: loop.go.
package main

import (
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

type store struct {
	id      uint64
	node    *raft.RawNode
	storage *raft.MemoryStorage
	file    *os.File // Records of what was saved.
	log     *gob.Encoder
	network chan pb.Message
	values  []string // The state machine: all that was put.
}

// record is one write to the file.
type record struct {
	State   *pb.HardState
	Entries []pb.Entry
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func open(folder string, id uint64, network chan pb.Message) *store {
	s := &store{id: id, storage: raft.NewMemoryStorage(), network: network}
	check(s.storage.ApplySnapshot(pb.Snapshot{Metadata: pb.SnapshotMetadata{
		Index: 1, Term: 1, ConfState: pb.ConfState{Voters: []uint64{1, 2, 3}}}}))
	path := filepath.Join(folder, fmt.Sprint("node", id))
	s.restore(path)
	file, err := os.Create(path)
	check(err)
	s.file, s.log = file, gob.NewEncoder(file)
	state, _, _ := s.storage.InitialState()
	last, _ := s.storage.LastIndex()
	entries, _ := s.storage.Entries(2, last+1, 1<<20)
	s.write(record{&state, entries})
	s.node, err = raft.NewRawNode(&raft.Config{ID: id, ElectionTick: 10, HeartbeatTick: 1,
		Storage: s.storage, MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 256, Applied: 1})
	check(err)
	return s
}

func (s *store) restore(path string) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	for decoder := gob.NewDecoder(file); ; {
		var r record
		if decoder.Decode(&r) != nil {
			return
		}
		check(s.storage.Append(r.Entries))
		if r.State != nil && !raft.IsEmptyHardState(*r.State) {
			check(s.storage.SetHardState(*r.State))
		}
	}
}

func (s *store) write(r record) {
	check(s.log.Encode(r))
	check(s.file.Sync())
}

func (s *store) apply(e pb.Entry) {
	if len(e.Data) > 0 {
		s.values = append(s.values, string(e.Data))
	}
}
