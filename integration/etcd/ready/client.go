package ready

import (
	ft "foretell"
)

// client writes at one server, and when it was told "written", reads at another.
type client struct {
	world *world
	phase clientPhase
	value byte
}

type clientPhase byte

const (
	begins clientPhase = iota
	writes
	written
	reads
	hasRead
)

var phaseNames = []string{"begins", "writes", "written", "reads", "has read"}

func (w *world) client(state []byte) *client {
	return &client{world: w, phase: clientPhase(state[0]), value: state[1]}
}

func (c *client) Encode() []byte { return []byte{byte(c.phase), c.value} }

func (c *client) Handle(event ft.Event, context *ft.Context) { c.handle(event, context) }

func (c *client) handle(event ft.Event, out sender) {
	switch {
	case event.Kind == ft.Act && c.phase == begins:
		c.phase = writes
		out.Send(c.world.writer, []byte{putMessage})
	case event.Kind == ft.Act && c.phase == written:
		c.phase = reads
		out.Send(c.world.reader, []byte{getMessage})
	case event.Kind == ft.Deliver && event.Body[0] == writtenMessage && c.phase == writes:
		c.phase = written
	case event.Kind == ft.Deliver && event.Body[0] == valueMessage && c.phase == reads:
		c.phase, c.value = hasRead, event.Body[1]
	}
}

func (c *client) Actions() [][]byte {
	switch c.phase {
	case begins:
		return [][]byte{action(put)}
	case written:
		return [][]byte{action(get)}
	}
	return nil
}

// A client that was told "written" never reads what was before.
func (c *client) readOld() bool { return c.phase == hasRead && c.value == 0 }
