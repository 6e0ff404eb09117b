package judge

import (
	"fmt"
	"math"

	pb "go.etcd.io/etcd/raft/raftpb"
)

// looks say how an invariant is violated, in words; "" where it is not.
var looks = map[string]func(p *play) string{
	"election-safety":         twoLeaders,
	"state-machine-safety":    differentEntries,
	"committed-on-a-majority": onAMinority,
	"linearizable-reads":      staleRead,
	"no-panic":                func(p *play) string { return died(p, false) },
	"restart-works":           func(p *play) string { return died(p, true) },
	"same-after-restart":      unlikeBefore,
}

func died(p *play, atBoot bool) string {
	for i, peer := range p.peers {
		if peer.panic != "" && peer.atBoot == atBoot {
			return fmt.Sprintf("node %d panics: %s", i, peer.panic)
		}
	}
	return ""
}

func twoLeaders(p *play) string {
	leader := map[uint64]int{}
	for i, peer := range p.peers {
		for term := range peer.led {
			if other, taken := leader[term]; taken {
				return fmt.Sprintf("nodes %d and %d lead in term %d", other, i, term)
			}
			leader[term] = i
		}
	}
	return ""
}

func differentEntries(p *play) string {
	for i, a := range p.peers {
		for j, b := range p.peers[:i] {
			for _, e := range a.applied {
				for _, f := range b.applied {
					if e.Index == f.Index && entry(e) != entry(f) {
						return fmt.Sprintf("nodes %d and %d apply different entries at index %d", j, i, e.Index)
					}
				}
			}
		}
	}
	return ""
}

func entry(e pb.Entry) string { return Text(pb.Message{Entries: []pb.Entry{e}}) }

func onAMinority(p *play) string {
	for i, peer := range p.peers {
		for _, e := range peer.applied {
			holders := 0
			for _, other := range p.peers {
				if holds(other, e) {
					holders++
				}
			}
			if 2*holders <= len(p.peers) {
				return fmt.Sprintf("node %d has applied index %d of term %d, which %d of %d disks have", i, e.Index,
					e.Term, holders, len(p.peers))
			}
		}
	}
	return ""
}

func holds(p *peer, e pb.Entry) bool {
	first, _ := p.storage.FirstIndex()
	last, _ := p.storage.LastIndex()
	if e.Index < first || e.Index > last {
		return e.Index < first
	}
	entries, err := p.storage.Entries(e.Index, e.Index+1, math.MaxUint64)
	return err == nil && entries[0].Term == e.Term
}

func staleRead(p *play) string {
	if p.client == "old" {
		return "the client was told that its write is done, and then reads what was before"
	}
	return ""
}

func unlikeBefore(p *play) string {
	for i, peer := range p.peers {
		if peer.differs {
			return fmt.Sprintf("node %d applies something else than before its restart", i)
		}
	}
	return ""
}
