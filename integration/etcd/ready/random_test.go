package ready

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	ft "foretell"
	"foretell/ready/judge"
	"foretell/ready/loops"
)

// walk is a random path. Each event happens twice: at a node that lives from the beginning, and at one
// that is built from bytes before each event. What they send and are afterwards must not differ: what was
// left out of the bytes as dead would otherwise show.
type walk struct {
	*network
	random  *rand.Rand
	client  *client
	crashes []int
}

func newWalk(s scenario, loop Loop, seed int64) *walk {
	w := s.world
	w.loop, w.inflight = loop, int(seed%3)
	n := w.network()
	crashes := append(append([]int{}, w.crashes...), 0, 0, 0)
	return &walk{n, rand.New(rand.NewSource(seed)), &client{world: &w}, crashes}
}

func (w *walk) happen(t *testing.T, node int, event ft.Event) {
	if w.world.isClient(node) {
		w.network.happen(node, event)
		w.client.handle(event, w)
		return
	}
	live := w.servers[node]
	reborn := w.world.server(node, live.Encode())
	before, twin := len(w.flying), &network{world: w.world}
	w.network.happen(node, event)
	reborn.handle(event, twin)
	sent := w.flying[before:]
	if fmt.Sprint(bodies(sent)) != fmt.Sprint(bodies(twin.flying)) {
		t.Fatalf("node %d sends %v, and rebuilt %v", node, bodies(sent), bodies(twin.flying))
	}
	if !bytes.Equal(live.Encode(), reborn.Encode()) {
		t.Fatalf("node %d is %x, and rebuilt %x", node, live.Encode(), reborn.Encode())
	}
}

func bodies(flying []flight) (list []string) {
	for _, f := range flying {
		list = append(list, fmt.Sprintf("%d:%x", f.to, f.body))
	}
	sort.Strings(list) // The network does not order them.
	return list
}

// step is one event of those that can happen, or false.
func (w *walk) step(t *testing.T) bool {
	type choice func()
	var choices []choice
	for i := range w.flying {
		i := i
		if to := w.flying[i].to; !w.world.isClient(to) && w.down(to) {
			continue
		}
		choices = append(choices, func() {
			f := w.flying[i]
			w.flying = append(w.flying[:i:i], w.flying[i+1:]...)
			w.happen(t, f.to, ft.Event{Kind: ft.Deliver, Peer: f.from, Body: f.body})
		})
	}
	act := func(node int, event ft.Event) {
		choices = append(choices, func() { w.happen(t, node, event) })
	}
	for node, s := range w.servers {
		for _, body := range s.Actions() {
			act(node, ft.Event{Kind: ft.Act, Body: body})
		}
		if w.down(node) {
			act(node, ft.Event{Kind: ft.Restart})
		} else if w.crashes[node] > 0 && w.random.Intn(10) == 0 {
			node := node
			choices = append(choices, func() {
				w.crashes[node]--
				w.happen(t, node, ft.Event{Kind: ft.Crash})
			})
		}
	}
	if w.world.hasClient() {
		for _, body := range w.client.Actions() {
			act(w.world.servers, ft.Event{Kind: ft.Act, Body: body})
		}
	}
	if len(choices) == 0 {
		return false
	}
	choices[w.random.Intn(len(choices))]()
	return true
}

// down: it crashed, and has not died of the library.
func (w *walk) down(node int) bool {
	return w.servers[node].node == nil && w.servers[node].fault.text == ""
}

func walks() int64 {
	if count, err := strconv.Atoi(os.Getenv("FORETELL_ETCD_WALKS")); err == nil {
		return int64(count)
	}
	return 60
}

// The loop as it should be in every second walk, and all others in turn.
func loopOf(seed int64) Loop {
	if seed%2 == 0 {
		return loops.Correct
	}
	return loops.Wrong[int(seed/2)%len(loops.Wrong)].Loop
}

func TestNodesAreWhatTheirBytesSay(t *testing.T) {
	for _, s := range scenarios {
		for seed := int64(0); seed < walks(); seed++ {
			w := newWalk(s, loopOf(seed), seed)
			for i := 0; i < 200 && w.step(t); i++ {
			}
		}
	}
}

// The judge, who shares no node with us, can play whatever happens here, and its nodes lead in the same
// terms and apply the same.
func TestTheJudgeSeesTheSame(t *testing.T) {
	for _, s := range scenarios {
		for seed := int64(0); seed < walks(); seed++ {
			w := newWalk(s, loopOf(seed), seed)
			for i := 0; i < 200 && w.step(t); i++ {
			}
			got := judge.Schedule{Cluster: w.world.cluster(), Steps: w.steps()}.Account()
			if expected := w.account(); got != expected {
				t.Fatalf("%s, seed %d: expected\n%s\nthe judge has\n%s", s.name, seed, expected, got)
			}
		}
	}
}

func (w *walk) account() string {
	var lines []string
	for node, s := range w.servers {
		line := fmt.Sprintf("node %d led", node)
		for term := 0; term < 64; term++ {
			if s.led>>term&1 == 1 {
				line += fmt.Sprintf(" %d", term)
			}
		}
		line += ", applied"
		for _, e := range s.app.told {
			line += fmt.Sprintf(" %d.%d:%x", e.Index, e.Term, e.Data)
		}
		hard, _, _ := s.disk.InitialState()
		line += fmt.Sprintf(", disk %v", hard)
		for _, e := range s.disk.entries() {
			line += fmt.Sprintf(" %d.%d", e.Index, e.Term)
		}
		lines = append(lines, line+", "+s.fault.text)
	}
	return strings.Join(lines, "\n")
}

// Whatever bytes come from outside, the answer is yes or no.
func TestBytesFromOutside(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, s := range scenarios {
		w := newWalk(s, loops.Correct, 1)
		for i := 0; i < 50 && w.step(t); i++ {
		}
		if state := w.servers[0].Encode(); !w.world.valid(ft.State, 0, state) {
			t.Fatalf("%s: %x is refused", s.name, state)
		}
		bodies := [][]byte{w.servers[0].Encode(), w.client.Encode(), {}}
		for _, f := range w.flying {
			bodies = append(bodies, f.body)
		}
		for i := 0; i < 2000; i++ {
			body := append([]byte{}, bodies[random.Intn(len(bodies))]...)
			for n := random.Intn(3); n > 0 && len(body) > 0; n-- {
				body[random.Intn(len(body))] = byte(random.Intn(256))
			}
			body = body[:random.Intn(len(body)+1)]
			w.world.valid(uint32(random.Intn(3)), random.Intn(w.world.nodes()), body)
		}
	}
}
