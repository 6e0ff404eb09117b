package raft

import (
	"fmt"
	"reflect"
	"strings"

	"go.etcd.io/etcd/raft/quorum"
	pb "go.etcd.io/etcd/raft/raftpb"
	"go.etcd.io/etcd/raft/tracker"
)

// ftShape has the fields that foretell.go and its codec know, in the order of the library. A field more
// would be state that nobody reads and builds, so that another version is refused.
const ftShape = `
raft.RawNode: raft *raft.raft, prevSoftSt *raft.SoftState, prevHardSt raftpb.HardState;
raft.raft: id uint64, Term uint64, Vote uint64, readStates []raft.ReadState, raftLog
  *raft.raftLog, maxMsgSize uint64, maxUncommittedSize uint64, prs tracker.ProgressTracker,
  state raft.StateType, isLearner bool, msgs []raftpb.Message, lead uint64, leadTransferee
  uint64, pendingConfIndex uint64, uncommittedSize uint64, readOnly *raft.readOnly,
  electionElapsed int, heartbeatElapsed int, checkQuorum bool, preVote bool, heartbeatTimeout
  int, electionTimeout int, randomizedElectionTimeout int, disableProposalForwarding bool, tick
  func(), step raft.stepFunc, logger raft.Logger, pendingReadIndexMessages []raftpb.Message;
raft.raftLog: storage raft.Storage, unstable raft.unstable, committed uint64, applied uint64,
  logger raft.Logger, maxNextEntsSize uint64;
raft.unstable: snapshot *raftpb.Snapshot, entries []raftpb.Entry, offset uint64, logger
  raft.Logger;
raft.readOnly: option raft.ReadOnlyOption, pendingReadIndex map[string]*raft.readIndexStatus,
  readIndexQueue []string;
raft.readIndexStatus: req raftpb.Message, index uint64, acks map[uint64]bool;
raft.ReadState: Index uint64, RequestCtx []uint8;
raft.SoftState: Lead uint64, RaftState raft.StateType;
raft.Ready: SoftState *raft.SoftState, HardState raftpb.HardState, ReadStates []raft.ReadState,
  Entries []raftpb.Entry, Snapshot raftpb.Snapshot, CommittedEntries []raftpb.Entry, Messages
  []raftpb.Message, MustSync bool;
tracker.ProgressTracker: Config tracker.Config, Progress tracker.ProgressMap, Votes
  map[uint64]bool, MaxInflight int;
tracker.Config: Voters quorum.JointConfig, AutoLeave bool, Learners map[uint64]struct {},
  LearnersNext map[uint64]struct {};
quorum.JointConfig: array;
tracker.Progress: Match uint64, Next uint64, State tracker.StateType, PendingSnapshot uint64,
  RecentActive bool, ProbeSent bool, Inflights *tracker.Inflights, IsLearner bool;
tracker.Inflights: start int, count int, size int, buffer []uint64;
raftpb.Message: Type raftpb.MessageType, To uint64, From uint64, Term uint64, LogTerm uint64,
  Index uint64, Entries []raftpb.Entry, Commit uint64, Snapshot raftpb.Snapshot, Reject bool,
  RejectHint uint64, Context []uint8, XXX_unrecognized []uint8;
raftpb.Entry: Term uint64, Index uint64, Type raftpb.EntryType, Data []uint8, XXX_unrecognized
  []uint8;
raftpb.Snapshot: Data []uint8, Metadata raftpb.SnapshotMetadata, XXX_unrecognized []uint8;
raftpb.SnapshotMetadata: ConfState raftpb.ConfState, Index uint64, Term uint64, XXX_unrecognized
  []uint8;
raftpb.HardState: Term uint64, Vote uint64, Commit uint64, XXX_unrecognized []uint8;
raftpb.ConfState: Voters []uint64, Learners []uint64, VotersOutgoing []uint64, LearnersNext
  []uint64, AutoLeave bool, XXX_unrecognized []uint8`

// FtShape says in what the library differs from the one that this file was written for.
func FtShape() error {
	known := strings.Split(ftShape, ";")
	for i, value := range []interface{}{RawNode{}, raft{}, raftLog{}, unstable{}, readOnly{},
		readIndexStatus{}, ReadState{}, SoftState{}, Ready{}, tracker.ProgressTracker{}, tracker.Config{},
		quorum.JointConfig{}, tracker.Progress{}, tracker.Inflights{}, pb.Message{}, pb.Entry{},
		pb.Snapshot{}, pb.SnapshotMetadata{}, pb.HardState{}, pb.ConfState{}} {
		expected := strings.Join(strings.Fields(known[i]), " ")
		if found := ftFields(reflect.TypeOf(value)); found != expected {
			return fmt.Errorf("this etcd raft is not 3.4.23: expected %q, found %q", expected, found)
		}
	}
	return nil
}

func ftFields(t reflect.Type) string {
	if t.Kind() != reflect.Struct {
		return t.String() + ": " + t.Kind().String()
	}
	fields := make([]string, t.NumField())
	for i := range fields {
		fields[i] = t.Field(i).Name + " " + t.Field(i).Type.String()
	}
	return t.String() + ": " + strings.Join(fields, ", ")
}
