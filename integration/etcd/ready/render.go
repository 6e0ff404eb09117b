package ready

import (
	"fmt"
	"strings"

	ft "foretell"
	"go.etcd.io/etcd/raft"
	pb "go.etcd.io/etcd/raft/raftpb"
)

// messageKinds are those that a world can send, by their names.
func (w *world) messageKinds() (names []string) {
	reads := w.hasClient() || w.total(read) > 0
	for _, kind := range []struct {
		there bool
		names string
	}{
		{true, "MsgApp MsgAppResp MsgVote MsgVoteResp"},
		{reads || w.total(beat) > 0, "MsgHeartbeat MsgHeartbeatResp"},
		{reads, "MsgReadIndex MsgReadIndexResp"},
		{w.preVote, "MsgPreVote MsgPreVoteResp"},
		{w.total(compact) > 0, "MsgSnap"},
		{w.total(transfer) > 0, "MsgTimeoutNow"},
		{w.hasClient(), strings.Join(clientMessages, " ")},
	} {
		if kind.there {
			names = append(names, strings.Fields(kind.names)...)
		}
	}
	return names
}

var clientMessages = []string{"Put", "Written", "Get", "Value"}

func messageName(body []byte) string {
	if body[0] == raftMessage {
		return decodeMessage(body).Type.String()
	}
	return clientMessages[body[0]-1]
}

// actionKinds are deeds that have a budget, and what the loop does.
func (w *world) actionKinds() (names []string) {
	for d := deed(0); d < deeds; d++ {
		if w.total(d) > 0 {
			names = append(names, deedNames[d])
		}
	}
	if w.stepwise {
		names = append(names, operationNames[:join]...)
	}
	if w.hasClient() {
		names = append(names, deedNames[put], deedNames[get])
	}
	return names
}

func actionName(body []byte) string {
	if deed(body[0]) == do {
		return operationNames[body[2]]
	}
	return deedNames[body[0]]
}

type fields struct{ names, values []string }

func (f *fields) add(name, format string, values ...interface{}) {
	f.names = append(f.names, name)
	f.values = append(f.values, fmt.Sprintf(format, values...))
}

func (f *fields) write(line string, out *ft.Writer) {
	out.Add(line, uint32(len(f.names)))
	for i, name := range f.names {
		out.Add(name, f.values[i])
	}
}

func (w *world) render(in *ft.Reader, out *ft.Writer) {
	what, node, body := in.U32(), int(in.U32()), in.Blob()
	var f fields
	switch what {
	case ft.Message:
		f.write(messageLine(body), out)
	case ft.Action:
		f.write(actionLine(body), out)
	default:
		if w.isClient(node) {
			c := w.client(body)
			f.add("phase", "%s", phaseNames[c.phase])
			f.add("value", "%d", c.value)
		} else {
			w.server(node, body).fields(&f)
		}
		f.write("", out)
	}
}

func actionLine(body []byte) string {
	name := actionName(body)
	switch deed(body[0]) {
	case transfer:
		return fmt.Sprintf("%s(to %d)", name, body[1])
	case change:
		return fmt.Sprintf("%s(%s)", name, configurationChanges[body[1]].name)
	case do:
		if body[1] > 0 {
			return name + "(beside)"
		}
	}
	return name + "()"
}

func messageLine(body []byte) string {
	if body[0] == valueMessage {
		return fmt.Sprintf("Value(%s)", []string{"old", "new"}[body[1]])
	}
	name := messageName(body)
	if body[0] != raftMessage {
		return name + "()"
	}
	m := decodeMessage(body)
	var parts []string
	part := func(there bool, format string, values ...interface{}) {
		if there {
			parts = append(parts, fmt.Sprintf(format, values...))
		}
	}
	part(m.Term > 0, "term %d", m.Term)
	part(m.Index > 0, "index %d", m.Index)
	part(m.LogTerm > 0, "log term %d", m.LogTerm)
	part(len(m.Entries) > 0 && m.Type == pb.MsgApp, "entries %s", entriesLine(m.Entries))
	part(m.Commit > 0, "commit %d", m.Commit)
	part(m.Snapshot.Metadata.Index > 0, "snapshot of %d", m.Snapshot.Metadata.Index)
	part(m.Reject, "rejected, last %d", m.RejectHint)
	part(len(m.Context) > 0, "for %s", contextLine(m.Context))
	for _, e := range m.Entries {
		part(m.Type == pb.MsgReadIndex || m.Type == pb.MsgReadIndexResp, "read %s", contextLine(e.Data))
	}
	return name + "(" + strings.Join(parts, ", ") + ")"
}

// A read by its node and number, or the word that a transfer of leadership sends along.
func contextLine(context []byte) string {
	if len(context) == 2 {
		return fmt.Sprintf("%d of node %d", context[1], context[0]-1)
	}
	return string(context)
}

func entriesLine(entries []pb.Entry) string {
	var parts []string
	for _, e := range entries {
		data := string(e.Data)
		if e.Type != pb.EntryNormal {
			data = "conf"
		}
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%d.%d:%s", e.Index, e.Term, data), ":"))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func (s *server) fields(f *fields) {
	if s.fault.text != "" {
		f.add("panic", "%s", s.fault.text)
	}
	hard, _, _ := s.disk.InitialState()
	f.add("disk", "term %d, vote %d, commit %d, %s", hard.Term, int(hard.Vote)-1, hard.Commit,
		entriesLine(s.disk.entries()))
	f.add("told", "%s", entriesLine(s.app.told))
	if s.node == nil {
		return
	}
	look := s.node.FtLook()
	f.add("role", "%s", strings.TrimPrefix(look.Role.String(), "State"))
	f.add("term", "%d", look.Term)
	f.add("leader", "%s", nodeName(look.Lead))
	f.add("log", "%s", entriesLine(look.Log))
	f.add("commit", "%d", look.Commit)
	f.add("applied", "%d", s.app.applied)
	f.add("members", "%v %v", look.Conf.Voters, look.Conf.VotersOutgoing)
	f.add("to do", "%s", s.plan.line())
	f.add("reads", "%d", len(s.app.reads))
}

func nodeName(id uint64) string {
	if id == raft.None {
		return "-"
	}
	return fmt.Sprint(id - 1)
}

func (p plan) line() string {
	var parts []string
	for _, thread := range p {
		for _, o := range thread {
			parts = append(parts, operationNames[o.kind])
		}
	}
	return strings.Join(parts, " ")
}
