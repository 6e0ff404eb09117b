package ready

import (
	"fmt"

	"foretell/ready/codec"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

type operationKind uint64

const (
	saveEntries operationKind = iota
	saveHardState
	saveAll
	send
	apply
	advance
	join  // Waits for the end of a thread.
	start // Of a thread, which waits for that.
	begin
)

var operationNames = []string{
	"SaveEntries", "SaveHardState", "SaveSnapshot", "Send", "Apply", "Advance", "Wait", "Start", "Begin"}

// operation is one call of an IO, with what it needs. What an Advance needs of its Ready is little: where
// its entries end, what was applied, and the hard state.
type operation struct {
	kind     operationKind
	state    pb.HardState
	entries  []pb.Entry
	snapshot pb.Snapshot
	messages []pb.Message
	number   uint64 // What was applied up to (advance), or the thread that is meant (join, start).
}

func (o *operation) code(c *codec.Codec) {
	codec.Number(c, &o.kind)
	switch o.kind {
	case saveEntries:
		c.Entries(&o.entries)
	case saveHardState:
		c.HardState(&o.state)
	case saveAll:
		c.HardState(&o.state)
		c.Entries(&o.entries)
		c.Snapshot(&o.snapshot)
	case send:
		c.Batch(&o.messages)
	case apply:
		c.Snapshot(&o.snapshot)
		c.Entries(&o.entries)
	case advance:
		c.HardState(&o.state)
		c.Entries(&o.entries)
		c.Uint(&o.number)
		c.Uint(&o.snapshot.Metadata.Index)
	case join, start:
		c.Uint(&o.number)
	case begin:
	default:
		panic(codec.Malformed{})
	}
}

// plan is what is left to do of a Ready: one list for each thing that runs beside the others.
type plan [][]operation

func (p *plan) code(c *codec.Codec) {
	codec.List(c, (*[][]operation)(p), func(thread *[]operation) {
		codec.List(c, thread, func(o *operation) { o.code(c) })
	})
}

// settle does what only concerns threads, so that every list begins with something to do, or to wait for.
func (p *plan) settle() {
	left := 0
	for again := true; again; {
		again, left = false, 0
		for i := range *p {
			left += len((*p)[i])
			again = p.turn(i) || again
		}
	}
	if left == 0 {
		*p = nil
	}
}

// turn is whether a thread has started another, or need not wait any more.
func (p plan) turn(i int) bool {
	if len(p[i]) == 0 {
		return false
	}
	switch o := p[i][0]; {
	case o.kind == start:
		p[o.number] = p[o.number][1:]
	case o.kind != join || len(p[o.number]) > 0:
		return false
	}
	p[i] = p[i][1:]
	return true
}

// next is what a thread can do now, if it can.
func (p plan) next(i int) (o operation, can bool) {
	if len(p[i]) > 0 {
		o = p[i][0]
	}
	return o, len(p[i]) > 0 && o.kind < join
}

// recorder is the IO that a loop gets: it writes down what the loop would do. What would do nothing is
// left out. What runs beside the loop does not start before the loop has got there.
type recorder struct {
	plan   *plan
	thread int
	ready  raft.Ready
}

func record(loop Loop, rd raft.Ready) plan {
	p := plan{nil}
	loop(rd, &recorder{&p, 0, rd})
	advances := 0
	for _, thread := range p {
		for _, o := range thread {
			if o.kind == advance {
				advances++
			}
		}
	}
	if advances != 1 {
		panic(fmt.Sprintf("the loop calls Advance %d times for one Ready, and not once", advances))
	}
	p.settle()
	return p
}

func (r *recorder) add(o operation) { (*r.plan)[r.thread] = append((*r.plan)[r.thread], o) }

func (r *recorder) Save(state pb.HardState, entries []pb.Entry, snapshot pb.Snapshot) {
	if !raft.IsEmptySnap(snapshot) {
		r.add(operation{kind: saveAll, state: state, entries: entries, snapshot: snapshot})
		return
	}
	r.SaveEntries(entries)
	r.SaveHardState(state)
}

func (r *recorder) SaveEntries(entries []pb.Entry) {
	if len(entries) > 0 {
		r.add(operation{kind: saveEntries, entries: entries})
	}
}

func (r *recorder) SaveHardState(state pb.HardState) {
	if !raft.IsEmptyHardState(state) {
		r.add(operation{kind: saveHardState, state: state})
	}
}

func (r *recorder) Send(messages []pb.Message) {
	if len(messages) > 0 {
		r.add(operation{kind: send, messages: messages})
	}
}

func (r *recorder) Apply(snapshot pb.Snapshot, entries []pb.Entry) {
	if len(entries) > 0 || !raft.IsEmptySnap(snapshot) {
		r.add(operation{kind: apply, snapshot: snapshot, entries: entries})
	}
}

func (r *recorder) Advance() {
	o := operation{kind: advance, state: r.ready.HardState}
	if n := len(r.ready.Entries); n > 0 {
		last := r.ready.Entries[n-1]
		o.entries = []pb.Entry{{Term: last.Term, Index: last.Index}}
	}
	if n := len(r.ready.CommittedEntries); n > 0 {
		o.number = r.ready.CommittedEntries[n-1].Index
	}
	o.snapshot.Metadata.Index = r.ready.Snapshot.Metadata.Index
	r.add(o)
}

func (r *recorder) Go(parallel func(io IO)) (wait func()) {
	if r.thread != 0 {
		panic("the loop calls Go inside of Go, which is not supported")
	}
	thread := len(*r.plan)
	r.add(operation{kind: start, number: uint64(thread)})
	*r.plan = append(*r.plan, []operation{{kind: begin}})
	parallel(&recorder{r.plan, thread, r.ready})
	return func() { r.add(operation{kind: join, number: uint64(thread)}) }
}

// restored is a Ready as far as Advance reads it.
func (o *operation) restored() raft.Ready {
	rd := raft.Ready{HardState: o.state, Entries: o.entries}
	rd.Snapshot.Metadata.Index = o.snapshot.Metadata.Index
	if o.number > 0 {
		rd.CommittedEntries = []pb.Entry{{Index: o.number}}
	}
	return rd
}
