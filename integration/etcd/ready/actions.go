package ready

import (
	ft "foretell"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// An action is a deed and a number: of a peer (TransferLeader), of a change, of a thread of the loop with
// what that does next.
func action(d deed, numbers ...byte) []byte { return append([]byte{byte(d)}, numbers...) }

func (s *server) Actions() (can [][]byte) {
	if s.node == nil {
		return nil
	}
	if s.world.stepwise {
		can = s.loopActions()
	}
	if s.world.serial && s.plan != nil {
		return can
	}
	look := s.node.BasicStatus()
	for d := deed(0); d < deeds; d++ {
		if s.left[d] > 0 && s.may(d, look) {
			can = append(can, s.choices(d)...)
		}
	}
	return can
}

// loopActions has what the loop may do next. To take a Ready is no step of its own but goes with the first
// thing that is done about it: whatever happens between the two happens as well before or after both.
func (s *server) loopActions() (list [][]byte) {
	if s.plan == nil && s.node.HasReady() {
		s = s.world.server(s.id, s.Encode())
		s.takeReady(nobody{})
	}
	for i := range s.plan {
		if next, can := s.plan.next(i); can {
			list = append(list, action(do, byte(i), byte(next.kind)))
		}
	}
	return list
}

type nobody struct{}

func (nobody) Send(int, []byte) {}

// may says whether a deed makes sense. What the library ignores would only be more states.
func (s *server) may(d deed, look raft.BasicStatus) bool {
	leads := look.RaftState == raft.StateLeader
	switch d {
	case campaign:
		return !leads && look.Term < s.world.terms
	case read:
		return look.Lead != raft.None
	case retry:
		return look.Lead != raft.None && s.unanswered() >= 0
	case transfer:
		return leads && look.Term < s.world.terms
	case checkQuorum:
		return leads && s.world.quorum
	case expire:
		return !leads && s.world.quorum && look.Lead != raft.None
	case compact:
		snapshot, _ := s.disk.Snapshot()
		return s.app.applied == look.Applied && look.Applied > snapshot.Metadata.Index
	default:
		return leads
	}
}

func (s *server) choices(d deed) (list [][]byte) {
	switch d {
	case transfer:
		for peer := 0; peer < s.world.servers; peer++ {
			if peer != s.id {
				list = append(list, action(d, byte(peer)))
			}
		}
	case change:
		for _, c := range s.world.changes {
			list = append(list, action(d, c))
		}
	default:
		list = append(list, action(d))
	}
	return list
}

func (s *server) act(body []byte, out sender) {
	d := deed(body[0])
	if d < deeds {
		s.left[d]--
	}
	switch d {
	case campaign:
		s.node.Campaign()
	case beat:
		s.node.FtLocal(pb.MsgBeat)
	case propose:
		s.node.Propose([]byte{otherData})
	case read:
		s.startRead(false)
	case retry:
		s.retryRead()
	case change:
		s.node.ProposeConfChange(configurationChanges[body[1]].change)
	case transfer:
		s.node.TransferLeader(uint64(body[1] + 1))
	case checkQuorum:
		s.node.FtLocal(pb.MsgCheckQuorum)
	case expire:
		for i := 0; i < 10; i++ { // An election timeout, in which no leader was heard of.
			s.node.TickQuiesced()
		}
	case compact:
		s.compact()
	case do:
		if s.plan == nil {
			s.takeReady(out)
		}
		s.do(int(body[1]), out)
	}
}

func (s *server) compact() {
	members := s.node.FtLook().Conf
	s.disk.CreateSnapshot(s.app.applied, &members, s.app.snapshot(s.app.applied))
	s.disk.Compact(s.app.applied)
}

type namedChange struct {
	name   string
	change pb.ConfChangeI
}

func change2(how pb.ConfChangeTransition, what pb.ConfChangeType, node uint64) pb.ConfChangeV2 {
	return pb.ConfChangeV2{
		Transition: how, Changes: []pb.ConfChangeSingle{{Type: what, NodeID: node}}}
}

var configurationChanges = []namedChange{
	{"demote 2, joint, left by itself",
		change2(pb.ConfChangeTransitionJointImplicit, pb.ConfChangeAddLearnerNode, 3)},
	{"remove 2, joint, left by itself",
		change2(pb.ConfChangeTransitionJointImplicit, pb.ConfChangeRemoveNode, 3)},
	{"demote 2, joint", change2(pb.ConfChangeTransitionJointExplicit, pb.ConfChangeAddLearnerNode, 3)},
	{"leave the joint configuration", pb.ConfChangeV2{}},
	{"remove 2", pb.ConfChange{Type: pb.ConfChangeRemoveNode, NodeID: 3}},
	{"remove 1", pb.ConfChange{Type: pb.ConfChangeRemoveNode, NodeID: 2}},
}

var _ ft.Node = (*server)(nil)
