package raft

import pb "go.etcd.io/etcd/raft/raftpb"

// FtLocal hands a node one of the messages that its own clock would send it.
func (rn *RawNode) FtLocal(kind pb.MessageType) error {
	return rn.raft.Step(pb.Message{From: rn.raft.id, Type: kind})
}

// FtLook is what an invariant may look at, and a person.
type FtLook struct {
	Term, Vote, Lead    uint64
	Role                StateType
	First, Commit, Done uint64     // First: index of the first entry of Log.
	Log                 []pb.Entry // All that it has, on its disk or not.
	Conf                pb.ConfState
	Transferee          uint64
	Waiting             int          // Messages that wait for the next Ready.
	Asked               []pb.Message // For reads, before this leader has committed anything.
}

func (rn *RawNode) FtLook() FtLook {
	r := rn.raft
	return FtLook{r.Term, r.Vote, r.lead, r.state, r.raftLog.firstIndex(), r.raftLog.committed,
		r.raftLog.applied, r.raftLog.allEntries(), r.prs.ConfState(), r.leadTransferee,
		len(r.msgs), r.pendingReadIndexMessages}
}
