package judge

import (
	"runtime"

	"foretell/ready/loop"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// running is a loop that handles a Ready in goroutines, each of which waits before everything it does
// until it is its turn.
type running struct {
	threads []*thread
	quit    chan struct{}
}

type thread struct {
	calls   chan *call
	granted chan struct{}
	pending *call
	ended   bool
	died    interface{} // What the loop panicked with.
}

type call struct {
	name    string
	perform func()
	after   *thread // Wait: for this one to end.
}

func run(l loop.Loop, rd raft.Ready, io *direct) *running {
	r := &running{quit: make(chan struct{})}
	r.spawn(func(guarded loop.IO) { l(rd, guarded) }, io)
	return r
}

func (r *running) spawn(body func(io loop.IO), io *direct) *thread {
	t := &thread{calls: make(chan *call), granted: make(chan struct{})}
	r.threads = append(r.threads, t)
	go func() {
		defer close(t.calls)
		defer func() { t.died = recover() }()
		body(&turns{r, t, io})
	}()
	return t
}

func (r *running) stop() { close(r.quit) }

// look is what a thread is about to do; nil at its end. A loop only computes, so this does not take long.
// It panics once with what the loop panicked with.
func (t *thread) look() *call {
	if t.pending == nil && !t.ended {
		t.pending = <-t.calls
		t.ended = t.pending == nil
		if t.ended && t.died != nil {
			panic(t.died)
		}
	}
	return t.pending
}

func (r *running) next(i int) string {
	if c := r.threads[i].look(); c != nil {
		return c.name
	}
	return "nothing"
}

func (r *running) grant(i int) {
	t := r.threads[i]
	c := t.look()
	t.pending = nil
	c.perform()
	t.granted <- struct{}{}
	t.look()
	r.waits()
}

// waits ends all waits for what has ended.
func (r *running) waits() {
	for again := true; again; {
		again = false
		for _, t := range r.threads {
			if c := t.look(); c != nil && c.after != nil && c.after.look() == nil {
				t.pending = nil
				t.granted <- struct{}{}
				t.look()
				again = true
			}
		}
	}
}

func (r *running) done() bool {
	for _, t := range r.threads {
		if t.look() != nil {
			return false
		}
	}
	return true
}

// only: that is all that is left to do.
func (r *running) only(name string) bool { return len(r.threads) == 1 && r.next(0) == name }

// turns is the IO that waits for its turn.
type turns struct {
	running *running
	thread  *thread
	io      *direct
}

func (t *turns) do(c *call) {
	select {
	case t.thread.calls <- c:
	case <-t.running.quit:
		runtime.Goexit()
	}
	select {
	case <-t.thread.granted:
	case <-t.running.quit:
		runtime.Goexit()
	}
}

func (t *turns) Save(state pb.HardState, entries []pb.Entry, snapshot pb.Snapshot) {
	if !raft.IsEmptySnap(snapshot) {
		t.do(&call{"SaveSnapshot", func() { t.io.Save(state, entries, snapshot) }, nil})
		return
	}
	t.SaveEntries(entries)
	t.SaveHardState(state)
}

func (t *turns) SaveEntries(entries []pb.Entry) {
	if len(entries) > 0 {
		t.do(&call{"SaveEntries", func() { t.io.SaveEntries(entries) }, nil})
	}
}

func (t *turns) SaveHardState(state pb.HardState) {
	if !raft.IsEmptyHardState(state) {
		t.do(&call{"SaveHardState", func() { t.io.SaveHardState(state) }, nil})
	}
}

func (t *turns) Send(messages []pb.Message) {
	if len(messages) > 0 {
		t.do(&call{"Send", func() { t.io.Send(messages) }, nil})
	}
}

func (t *turns) Apply(snapshot pb.Snapshot, entries []pb.Entry) {
	if len(entries) > 0 || !raft.IsEmptySnap(snapshot) {
		t.do(&call{"Apply", func() { t.io.Apply(snapshot, entries) }, nil})
	}
}

func (t *turns) Advance() { t.do(&call{"Advance", t.io.Advance, nil}) }

func (t *turns) Go(parallel func(io loop.IO)) (wait func()) {
	other := t.running.spawn(parallel, t.io)
	return func() { t.do(&call{"Wait", func() {}, other}) }
}
