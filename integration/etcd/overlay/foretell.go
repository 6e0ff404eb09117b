// This file is added to package raft by `go build -overlay`, and no file of the package is changed: only
// code inside of the package can read a node, and build one that is in the middle of its life.
package raft

import (
	"math/rand"
	"sort"

	"foretell/ready/codec"
	"go.etcd.io/etcd/raft/quorum"
	pb "go.etcd.io/etcd/raft/raftpb"
	"go.etcd.io/etcd/raft/tracker"
)

// Chance is used for election timeouts only, and nobody calls Tick.
type noChance struct{}

func (noChance) Int63() int64 { return 0 }
func (noChance) Seed(int64)   {}

func init() { globalRand.rand = rand.New(noChance{}) }

// FtAlive says what can be read at all; other fields are dead, and left out.
type FtAlive struct {
	Activity  bool // There are snapshots, or CheckQuorum is on.
	Inflights bool // Their limit can be reached.
}

// FtCode writes a node, or reads one: then `c` says how it is configured, and storage has its disk.
func FtCode(code *codec.Codec, c *Config, rn *RawNode, alive FtAlive) *RawNode {
	if code.Reading {
		rn = ftBlank(c)
	}
	r := rn.raft
	r.ftTerm(code)
	r.raftLog.ftCode(code)
	ftConfiguration(code, &r.prs.Config)
	r.ftRole(code, alive)
	code.Batch(&r.msgs) // Nobody but the application reads them.
	codec.List(code, &r.readStates, func(s *ReadState) { code.Uint(&s.Index); code.Blob(&s.RequestCtx) })
	code.Messages(&r.pendingReadIndexMessages)
	code.Uint(&rn.prevSoftSt.Lead)
	codec.Number(code, &rn.prevSoftSt.RaftState)
	code.HardState(&rn.prevHardSt)
	return rn
}

func ftBlank(c *Config) *RawNode {
	if err := c.validate(); err != nil {
		panic(err)
	}
	r := &raft{
		id:                        c.ID,
		raftLog:                   newLogWithSize(c.Storage, c.Logger, c.MaxCommittedSizePerReady),
		maxMsgSize:                c.MaxSizePerMsg,
		maxUncommittedSize:        c.MaxUncommittedEntriesSize,
		prs:                       tracker.MakeProgressTracker(c.MaxInflightMsgs),
		electionTimeout:           c.ElectionTick,
		heartbeatTimeout:          c.HeartbeatTick,
		randomizedElectionTimeout: c.ElectionTick,
		logger:                    c.Logger,
		checkQuorum:               c.CheckQuorum,
		preVote:                   c.PreVote,
		readOnly:                  newReadOnly(c.ReadOnlyOption),
		disableProposalForwarding: c.DisableProposalForwarding,
	}
	return &RawNode{raft: r, prevSoftSt: &SoftState{}}
}

func (r *raft) ftTerm(code *codec.Codec) {
	code.Uint(&r.Term)
	code.Uint(&r.Vote)
	codec.Number(code, &r.state)
	code.Uint(&r.lead)
	// All that is read of the clock, and only by those that follow somebody.
	if r.checkQuorum && r.lead != None && r.state != StateLeader {
		expired := r.electionElapsed >= r.electionTimeout
		code.Bool(&expired)
		if code.Reading && expired {
			r.electionElapsed = r.electionTimeout
		}
	}
}

func (l *raftLog) ftCode(code *codec.Codec) {
	code.Uint(&l.committed)
	code.Uint(&l.applied)
	code.Uint(&l.unstable.offset)
	code.Entries(&l.unstable.entries)
	snapshot := pb.Snapshot{}
	if l.unstable.snapshot != nil {
		snapshot = *l.unstable.snapshot
	}
	code.Snapshot(&snapshot)
	if code.Reading && !IsEmptySnap(snapshot) {
		l.unstable.snapshot = &snapshot
	}
}

func ftConfiguration(code *codec.Codec, config *tracker.Config) {
	sets := []map[uint64]struct{}{config.Voters[0], config.Voters[1], config.Learners, config.LearnersNext}
	for i := range sets {
		code.Set(&sets[i])
	}
	code.Bool(&config.AutoLeave)
	if code.Reading {
		config.Voters = quorum.JointConfig{sets[0], sets[1]}
		config.Learners, config.LearnersNext = sets[2], sets[3]
	}
}

// What a role needs. Becoming a candidate or leader sets all of it anew, so that it is dead elsewhere.
func (r *raft) ftRole(code *codec.Codec, alive FtAlive) {
	if code.Reading {
		r.ftFresh()
	}
	switch r.state {
	case StateFollower:
		r.step, r.tick = stepFollower, r.tickElection
	case StateCandidate, StatePreCandidate:
		r.step, r.tick = stepCandidate, r.tickElection
		ftVotes(code, &r.prs.Votes)
	case StateLeader:
		r.step, r.tick = stepLeader, r.tickHeartbeat
		code.Uint(&r.leadTransferee)
		code.Uint(&r.pendingConfIndex)
		for _, id := range r.ftMembers() {
			ftProgress(code, r.prs.Progress[id], alive)
		}
		r.readOnly.ftCode(code)
	default:
		panic(codec.Malformed{})
	}
}

func (r *raft) ftMembers() []uint64 {
	var members []uint64
	for id := range r.prs.Progress {
		members = append(members, id)
	}
	sort.Slice(members, func(i, j int) bool { return members[i] < members[j] })
	return members
}

func (r *raft) ftFresh() {
	member := func(id uint64, learner bool) {
		r.prs.Progress[id] = &tracker.Progress{
			Next:      r.raftLog.lastIndex() + 1,
			Inflights: tracker.NewInflights(r.prs.MaxInflight),
			IsLearner: learner,
		}
	}
	for id := range r.prs.Voters.IDs() {
		member(id, false)
	}
	for id := range r.prs.Learners {
		member(id, true)
	}
	self := r.prs.Progress[r.id]
	r.isLearner = self != nil && self.IsLearner
}

func ftVotes(code *codec.Codec, votes *map[uint64]bool) {
	yes, no := map[uint64]struct{}{}, map[uint64]struct{}{}
	for id, granted := range *votes {
		if granted {
			yes[id] = struct{}{}
		} else {
			no[id] = struct{}{}
		}
	}
	code.Set(&yes)
	code.Set(&no)
	for id := range yes {
		(*votes)[id] = true
	}
	for id := range no {
		(*votes)[id] = false
	}
}

func ftProgress(code *codec.Codec, p *tracker.Progress, alive FtAlive) {
	code.Uint(&p.Match)
	code.Uint(&p.Next)
	codec.Number(code, &p.State)
	code.Bool(&p.ProbeSent)
	if p.State == tracker.StateSnapshot {
		code.Uint(&p.PendingSnapshot)
	}
	if alive.Activity {
		code.Bool(&p.RecentActive)
	}
	if alive.Inflights {
		ftInflights(code, &p.Inflights)
	}
}

// A ring, whose start depends on its past. It is read through a copy that is emptied one by one.
func ftInflights(code *codec.Codec, ring **tracker.Inflights) {
	var content []uint64
	for rest := (*ring).Clone(); rest.Count() > 0; {
		content = append(content, ftFirst(rest))
	}
	code.Uints(&content)
	if code.Reading {
		for _, index := range content {
			(*ring).Add(index)
		}
	}
}

// ftFirst takes the oldest index, which is the least, out of a ring that shows only how many it has.
func ftFirst(ring *tracker.Inflights) uint64 {
	for index, count := uint64(0), ring.Count(); ; index++ {
		if ring.FreeLE(index); ring.Count() < count {
			return index
		}
	}
}

func (ro *readOnly) ftCode(code *codec.Codec) {
	codec.List(code, &ro.readIndexQueue, func(context *string) {
		code.Text(context)
		status := ro.pendingReadIndex[*context]
		if status == nil {
			status = &readIndexStatus{acks: map[uint64]bool{}}
			ro.pendingReadIndex[*context] = status
		}
		code.Uint(&status.index)
		code.Message(&status.req)
		ftVotes(code, &status.acks)
	})
}
