package judge

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// peer is a node that lives, and what is left of it when it crashes.
type peer struct {
	play    *play
	id      uint64
	storage *storage
	node    *raft.RawNode
	loop    *running // The loop, while it handles a Ready event by event.

	led     map[uint64]bool
	members *pb.ConfState // After the last change that was applied; none: as in the beginning.
	applied []pb.Entry    // Since the beginning of time.
	cursor  uint64
	asked   uint64
	reads   []waiting
	put     bool // The client's requests were taken.
	got     bool
	writing bool
	differs bool
	panic   string
	atBoot  bool
}

// waiting is a read.
type waiting struct {
	context string
	index   uint64
	client  bool
}

type storage struct {
	*raft.MemoryStorage
	members pb.ConfState
}

func (s *storage) InitialState() (pb.HardState, pb.ConfState, error) {
	state, members, err := s.MemoryStorage.InitialState()
	if len(members.Voters) == 0 {
		members = s.members
	}
	return state, members, err
}

func newPeer(p *play, id uint64) *peer {
	it := &peer{play: p, id: id, led: map[uint64]bool{},
		storage: &storage{raft.NewMemoryStorage(), p.cluster.members()}}
	it.boot()
	return it
}

func (p *peer) boot() {
	config := p.play.cluster.config(p.id, p.storage)
	snapshot, _ := p.storage.Snapshot()
	config.Applied, p.cursor = snapshot.Metadata.Index, snapshot.Metadata.Index
	node, err := raft.NewRawNode(config)
	if err != nil {
		panic(err)
	}
	p.node = node
	_, members, _ := p.storage.InitialState()
	p.members = &members
}

func (p *peer) stop() {
	if p.loop != nil {
		p.loop.stop()
	}
	p.loop, p.node, p.reads, p.put, p.got, p.writing = nil, nil, nil, false, false, false
}

// step is one event. What the library dies of is no error here but a finding.
func (p *peer) step(s Step, sent *letter) (err error) {
	defer func() {
		if r := recover(); r != nil {
			p.panic, p.atBoot = fmt.Sprint(r), s.Do == "restart"
			p.stop()
		}
	}()
	switch {
	case p.panic != "":
		return nil
	case s.Do == "crash":
		p.stop()
		return nil
	case s.Do == "restart":
		p.boot()
	case p.node == nil:
		return fmt.Errorf("the node is down")
	case s.Do == "operation":
		err = p.operation(s)
	case s.Do == "deliver":
		p.deliver(s.From, sent)
	default:
		err = p.asks(s)
	}
	p.settle()
	return err
}

func (p *peer) deliver(from int, sent *letter) {
	leads := p.node.BasicStatus().RaftState == raft.StateLeader
	switch {
	case sent.message != nil:
		m := *sent.message
		m.From, m.To = uint64(from+1), p.id
		p.node.Step(m)
	case sent.text == "put" && leads && !p.put:
		p.put = true
		p.writing = p.node.Propose([]byte("w")) == nil
	case sent.text == "get" && !p.got:
		p.got = true
		p.read(true)
	}
}

// asks is what the clock does, or an operator. A leader's clock also sends heartbeats, which nobody has
// to receive.
func (p *peer) asks(s Step) error {
	switch s.Do {
	case "Campaign":
		return p.node.Campaign()
	case "Beat":
		p.node.Tick()
	case "CheckQuorum":
		for i := 0; i < electionTicks; i++ {
			p.node.Tick()
		}
	case "LeaseExpires":
		for i := 0; i < electionTicks; i++ {
			p.node.TickQuiesced()
		}
	case "Propose":
		p.node.Propose([]byte("p"))
	case "ReadIndex":
		p.read(false)
	case "RetryRead":
		p.retry()
	case "ProposeConfChange":
		p.node.ProposeConfChange(s.change())
	case "TransferLeader":
		p.node.TransferLeader(s.Peer)
	case "Compact":
		return p.compact()
	default:
		return fmt.Errorf("a node cannot be asked for that")
	}
	return nil
}

// compact keeps what was applied, which is all that the state machine is, and drops it from the log.
func (p *peer) compact() error {
	state := pb.Message{Entries: p.applied[:p.cursor]}
	data, err := state.Marshal()
	if err != nil {
		return err
	}
	if _, err := p.storage.CreateSnapshot(p.cursor, p.members, data); err != nil {
		return err
	}
	return p.storage.Compact(p.cursor)
}

func (p *peer) read(client bool) {
	p.asked++
	context := p.context()
	p.reads = append(p.reads, waiting{context: context, client: client})
	p.node.ReadIndex([]byte(context))
}

func (p *peer) context() string { return string(binary.AppendUvarint([]byte{byte(p.id)}, p.asked)) }

func (p *peer) retry() {
	for i := range p.reads {
		if r := &p.reads[i]; r.index == 0 {
			if p.play.cluster.UniqueReads {
				p.asked++
				r.context = p.context()
			}
			p.node.ReadIndex([]byte(r.context))
			return
		}
	}
}

// settle handles what is ready, as far as the schedule does not.
func (p *peer) settle() {
	c := p.play.cluster
	for !c.Stepwise && p.node.HasReady() {
		rd := p.node.Ready()
		p.accepted(rd)
		c.Loop(rd, &direct{p, rd})
	}
	if c.Stepwise && c.Serial && p.loop == nil && p.node.HasReady() {
		p.start()
	}
	if c.Serial && p.loop != nil && p.loop.only("Advance") {
		p.loop.grant(0)
		p.over()
	}
	if status := p.node.BasicStatus(); status.RaftState == raft.StateLeader {
		p.led[status.Term] = true
	}
}

func (p *peer) start() {
	rd := p.node.Ready()
	p.accepted(rd)
	p.loop = run(p.play.cluster.Loop, rd, &direct{p, rd})
	p.loop.waits()
	p.over()
}

func (p *peer) over() {
	if p.loop.done() {
		p.loop = nil
	}
}

func (p *peer) operation(s Step) error {
	if p.loop == nil {
		if !p.node.HasReady() {
			return fmt.Errorf("nothing is ready")
		}
		p.start()
	}
	if p.loop == nil || s.Thread >= len(p.loop.threads) {
		return fmt.Errorf("the loop does less")
	}
	if next := p.loop.next(s.Thread); next != s.Operation {
		return fmt.Errorf("the loop does %q next and not %q", next, s.Operation)
	}
	p.loop.grant(s.Thread)
	p.over()
	return nil
}
