// Package judge is a second opinion on a path: its events, and nothing else of Foretell, are played with
// nodes that the library made itself, NewRawNode, and that live from the first event to the last. The
// loop is not written down but runs, in goroutines of its own, and what is violated is looked at here.
package judge

import (
	"fmt"
	"math"
	"strings"

	pb "go.etcd.io/etcd/raft/raftpb"
)

// Opinion plays the schedule and says whether its invariant is violated then.
func (s Schedule) Opinion() string {
	p := newPlay(s.Cluster)
	defer p.end()
	for i, step := range s.Steps {
		if err := p.step(step); err != nil {
			return fmt.Sprintf("not confirmed: step %d, %s at node %d: %v", i+1, step.Do, step.Node, err)
		}
	}
	look, known := looks[s.Invariant]
	if !known {
		return "cannot be expressed: the library does not show what " + s.Invariant + " is about"
	}
	if broken := look(p); broken != "" {
		return "confirmed: " + broken
	}
	return "not confirmed: the library, played alone, keeps " + s.Invariant
}

// play is a cluster while it is played.
type play struct {
	cluster Cluster
	peers   []*peer
	flying  []letter
	client  string // What the client knows last: "", "put", "written", "get", "old" or "new".
}

// letter is on its way: between servers a message, else a word.
type letter struct {
	from, to int
	text     string
	message  *pb.Message // None of the client's.
}

func newPlay(c Cluster) *play {
	p := &play{cluster: c}
	for id := 1; id <= c.Servers; id++ {
		p.peers = append(p.peers, newPeer(p, uint64(id)))
	}
	return p
}

func (p *play) end() {
	for _, peer := range p.peers {
		peer.stop()
	}
}

func (p *play) step(s Step) error {
	var sent *letter // The schedule names it only; what arrives is what a node here has sent.
	if s.Do == "deliver" || s.Do == "lost" {
		if sent = p.take(s.From, s.Node, s.Letter); sent == nil {
			return fmt.Errorf("%s was never sent, or has arrived", s.Letter)
		}
	}
	if s.Do == "lost" {
		return nil
	}
	if s.Node >= p.cluster.Servers {
		p.clientStep(s)
		return nil
	}
	return p.peers[s.Node].step(s, sent)
}

// Text tells messages apart by what a network would carry. Nothing is the same as no bytes there, and how
// an application writes its snapshots is its own affair.
func Text(m pb.Message) string {
	m.To, m.From, m.Snapshot.Data = 0, 0, nil
	bytes, err := m.Marshal()
	var carried pb.Message
	if err == nil {
		err = carried.Unmarshal(bytes)
	}
	if err != nil {
		panic(err)
	}
	for i := range carried.Entries {
		carried.Entries[i].Data = append([]byte{}, carried.Entries[i].Data...)
	}
	carried.Context = append([]byte{}, carried.Context...)
	return carried.String()
}

func (p *play) take(from, to int, text string) *letter {
	for i, l := range p.flying {
		if l.from == from && l.to == to && l.text == text {
			p.flying = append(p.flying[:i:i], p.flying[i+1:]...)
			return &l
		}
	}
	return nil
}

func (p *play) word(from, to int, word string) {
	p.flying = append(p.flying, letter{from: from, to: to, text: word})
}

func (p *play) clientStep(s Step) {
	switch self := p.cluster.Servers; s.Do {
	case "deliver":
		p.client = s.Letter
	case "put":
		p.word(self, p.cluster.Writer, "put")
	case "get":
		p.word(self, p.cluster.Reader, "get")
	}
}

// Account is what the nodes have done in the end, for tests.
func (s Schedule) Account() string {
	p := newPlay(s.Cluster)
	defer p.end()
	for i, step := range s.Steps {
		if err := p.step(step); err != nil {
			return fmt.Sprintf("step %d, %s at node %d: %v", i+1, step.Do, step.Node, err)
		}
	}
	var lines []string
	for _, peer := range p.peers {
		lines = append(lines, peer.account())
	}
	return strings.Join(lines, "\n")
}

func (p *peer) account() string {
	line := fmt.Sprintf("node %d led", p.id-1)
	for term := uint64(0); term < 64; term++ {
		if p.led[term] {
			line += fmt.Sprintf(" %d", term)
		}
	}
	line += ", applied"
	for _, e := range p.applied {
		line += fmt.Sprintf(" %d.%d:%x", e.Index, e.Term, e.Data)
	}
	hard, _, _ := p.storage.InitialState()
	line += fmt.Sprintf(", disk %v", hard)
	first, _ := p.storage.FirstIndex()
	last, _ := p.storage.LastIndex()
	entries, _ := p.storage.Entries(first, last+1, math.MaxUint64)
	for _, e := range entries {
		line += fmt.Sprintf(" %d.%d", e.Index, e.Term)
	}
	return line + ", " + p.panic
}
