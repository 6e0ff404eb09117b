package ready

import (
	"fmt"
	"strings"
	"testing"

	"foretell/ready/judge"
	"foretell/ready/loops"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

var fullReady = raft.Ready{
	HardState: pb.HardState{Term: 1}, Entries: []pb.Entry{{Term: 1, Index: 1}},
	Messages: []pb.Message{{Type: pb.MsgApp, To: 2}}}

// orders has every order in which a plan can be done.
func orders(p plan, before string, all map[string]bool) map[string]bool {
	if p == nil {
		all[before] = true
	}
	for i := range p {
		o, can := p.next(i)
		if !can {
			continue
		}
		rest := plan{}
		for _, thread := range p {
			rest = append(rest, append([]operation{}, thread...))
		}
		rest[i] = rest[i][1:]
		rest.settle()
		orders(rest, before+" "+operationNames[o.kind], all)
	}
	return all
}

func TestWhatRunsBesideTheLoopStartsWhereTheLoopSays(t *testing.T) {
	documented, _ := loops.Find("documented")
	got := fmt.Sprint(orders(record(documented, fullReady), "", map[string]bool{}))
	expected := fmt.Sprint(map[string]bool{
		" SaveHardState SaveEntries Send Advance": true, " SaveHardState Send SaveEntries Advance": true})
	if got != expected {
		t.Fatalf("expected %s, not %s", expected, got)
	}
}

func TestALoopThatCannotBeCheckedSaysWhy(t *testing.T) {
	for expected, loop := range map[string]Loop{
		"Advance 0 times": func(rd raft.Ready, io IO) { io.SaveEntries(rd.Entries) },
		"Advance 2 times": func(rd raft.Ready, io IO) { io.Advance(); io.Advance() },
		"Go inside of Go": func(rd raft.Ready, io IO) { io.Go(func(io IO) { io.Go(func(io IO) {}) }) },
	} {
		func() {
			defer func() {
				if said := fmt.Sprint(recover()); !strings.Contains(said, expected) {
					t.Errorf("expected %q, not %q", expected, said)
				}
			}()
			record(loop, fullReady)
		}()
	}
}

// A loop of a user's that panics, beside the rest or not, is a finding, and not the end of who looks at it.
func TestTheJudgeSurvivesALoopThatPanics(t *testing.T) {
	for _, loop := range []Loop{
		func(rd raft.Ready, io IO) { panic("boom") },
		func(rd raft.Ready, io IO) { io.Go(func(IO) { panic("boom") })(); io.Advance() },
	} {
		w := findScenario("one-node").world
		w.loop = loop
		schedule := judge.Schedule{Invariant: "no-panic", Cluster: w.cluster(), Steps: []judge.Step{
			{Do: "Campaign"}, {Do: "operation", Operation: "SaveHardState"}}}
		if got := schedule.Opinion(); got != "confirmed: node 0 panics: boom" {
			t.Error(got)
		}
	}
}
