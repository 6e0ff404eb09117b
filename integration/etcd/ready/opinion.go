package ready

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	ft "foretell"
	"foretell/ready/judge"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// happened is an event of a node, or, for a message, that it was lost.
type happened struct {
	node  int
	event ft.Event
	lost  bool
}

// opinion has the judge play what led to the start, and then the path.
func (w *world) opinion(in *ft.Reader, out *ft.Writer) {
	invariant, again := string(in.Blob()), w.network()
	ft.List(in, func() bool {
		again.happen(int(in.U32()), in.Event())
		ft.List(in, in.U32)
		return true
	})
	schedule := judge.Schedule{Loop: w.bug, Invariant: invariant, Cluster: w.cluster(), Steps: again.steps()}
	keep(schedule)
	out.Blob([]byte(schedule.Opinion()))
}

// keep writes a schedule down, if somebody wants to have it played elsewhere (build --plain).
func keep(schedule judge.Schedule) {
	folder := os.Getenv("FORETELL_ETCD_SCHEDULES")
	if folder == "" {
		return
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(schedule)
	if err == nil {
		name := strings.Trim(schedule.Loop+"-"+schedule.Invariant, "-") + ".json"
		err = os.WriteFile(filepath.Join(folder, name), text.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "FORETELL_ETCD_SCHEDULES:", err)
	}
}

func (n *network) steps() []judge.Step {
	steps := make([]judge.Step, len(n.past))
	for i, h := range n.past {
		steps[i] = h.step()
	}
	return steps
}

func (w *world) cluster() judge.Cluster {
	return judge.Cluster{
		Loop: w.loop, Servers: w.servers, Stepwise: w.stepwise, Serial: w.serial, PreVote: w.preVote,
		CheckQuorum: w.quorum, Inflight: w.inflights(), UniqueReads: w.unique, Writer: w.writer,
		Reader: w.reader,
	}
}

// step says an event in the words of the judge.
func (h happened) step() judge.Step {
	s := judge.Step{Node: h.node, From: h.event.Peer}
	body := h.event.Body
	switch h.event.Kind {
	case ft.Crash:
		s.Do = "crash"
	case ft.Restart:
		s.Do = "restart"
	case ft.Deliver:
		s.Do = map[bool]string{false: "deliver", true: "lost"}[h.lost]
		switch body[0] {
		case raftMessage:
			s.Letter = judge.Text(decodeMessage(body))
		case valueMessage:
			s.Letter = []string{"old", "new"}[body[1]]
		default:
			s.Letter = []string{"put", "written", "get"}[body[0]-putMessage]
		}
	case ft.Act:
		s.Do = deedNames[body[0]]
		switch deed(body[0]) {
		case do:
			s.Do, s.Thread, s.Operation = "operation", int(body[1]), operationNames[body[2]]
		case transfer:
			s.Peer = uint64(body[1] + 1)
		case change:
			switch c := configurationChanges[body[1]].change.(type) {
			case pb.ConfChange:
				s.Change = &c
			case pb.ConfChangeV2:
				s.Change2 = &c
			}
		case put:
			s.Do = "put"
		case get:
			s.Do = "get"
		}
	}
	return s
}
