// Package foretell makes a service for Foretell of Go code: a process (Serve in main), or a library (Register
// in init, go build -buildmode=c-shared -tags foretell_library). It encodes its states, messages and actions,
// equal values to equal bytes. The names are those of foretell_service.h, which says what each means.
package foretell

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
)

const (
	// Ops; tags of a Family and of a System; and below what those are about.
	INITIAL, ACTIONS, PROJECT, VIOLATES, RENDER, VALID, RELEVANT, REACHED, KIND = 3, 4, 7, 8, 9, 10, 11, 12, 13
	TIMING, CALLS, PARSE_CALL, ASK, IMAGINE, WEIGHT, OPINION                    = 32, 33, 34, 35, 36, 37, 38
	TEXT, VERSION, SCENARIO, BUG, PARAMETER, LIVE, FLAGS                        = 2, 3, 4, 5, 6, 7, 8
	NODES, NETWORK, NODE, INVARIANT, GOAL, MESSAGE_KIND, ACTION_KIND            = 1, 2, 3, 4, 5, 6, 7
	FAULT_HANDLER, AUXILIARY, SYSTEM_FLAGS, COMPONENTS, START                   = 8, 9, 10, 11, 12
	PerNode, PerPair, PerSystem                                                 = uint32(0), uint32(1), uint32(2)
	Stable, Eventually, WhenStuck                                               = uint32(1), uint32(2), uint32(4)
	Deliver, Act, Crash, Restart, Break                                         = uint32(0), uint32(1), uint32(2), uint32(3), uint32(4)
	State, Message, Action                                                      = uint32(0), uint32(1), uint32(2)
	HasAuxiliary, IgnoresBreaks, NoTimers                                       = uint32(1), uint32(2), uint32(4)
)

type Family struct {
	Name   string
	Record *Writer // Tags; what has none has the default of the header.
	Open   func(scenario, bug string, set map[string]int64) (*System, error)
}
type System struct {
	Record *Writer
	Wake   func(node int, state []byte) Node // For RUN, which is answered here.
	Ops    map[uint32]func(in *Reader, out *Writer)
}
type Event struct {
	Kind uint32
	Peer int
	Body []byte
}

// Node is alive: all events of one request are handled by the same object.
type Node interface {
	Handle(event Event, context *Context) // A panic is a finding. A Crash leaves what survives.
	Encode() []byte
}

// Context is what a handler does to the world.
type Context struct {
	choices                   []uint32
	sends, offered, restarted Writer
}

func (c *Context) Send(to int, message []byte) { c.sends.U32(uint32(to)); c.sends.Blob(message) }
func (c *Context) RestartTimer(action []byte)  { c.restarted.Blob(action) }
func (c *Context) Choose(count uint32) uint32 { // One of 0 .. count-1; every way is explored.
	c.offered.Count++
	if c.offered.U32(count); int(c.offered.Count) <= len(c.choices) {
		return c.choices[c.offered.Count-1]
	}
	return 0
}

type Reader struct{ rest []byte }

func (r *Reader) take(n uint32) (b []byte) { b, r.rest = r.rest[:n:n], r.rest[n:]; return }
func (r *Reader) U32() uint32              { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *Reader) I64() int64               { return int64(binary.LittleEndian.Uint64(r.take(8))) }
func (r *Reader) Blob() []byte             { return r.take(r.U32()) }
func (r *Reader) Event() Event             { return Event{r.U32(), int(r.U32()), r.Blob()} }
func List[T any](r *Reader, each func() T) []T {
	list := make([]T, r.U32())
	for i := range list {
		list[i] = each()
	}
	return list
}

type Writer struct {
	Bytes []byte
	Count uint32 // Of blobs and tags.
}

func (w *Writer) U32(v uint32)  { w.Bytes = binary.LittleEndian.AppendUint32(w.Bytes, v) }
func (w *Writer) Blob(b []byte) { w.U32(uint32(len(b))); w.Bytes = append(w.Bytes, b...); w.Count++ }
func (w *Writer) Bool(v bool)   { w.U32(map[bool]uint32{true: 1}[v]) }
func (w *Writer) list(l Writer) { w.U32(l.Count); w.Bytes = append(w.Bytes, l.Bytes...) }
func (w *Writer) Blobs(list [][]byte) {
	w.U32(uint32(len(list)))
	for _, b := range list {
		w.Blob(b)
	}
}
func (w *Writer) Add(values ...interface{}) *Writer { // A string is a blob; []byte is added as it is.
	for _, value := range values {
		switch v := value.(type) {
		case uint32:
			w.U32(v)
		case int64:
			w.Bytes = binary.LittleEndian.AppendUint64(w.Bytes, uint64(v))
		case bool:
			w.Bool(v)
		case string:
			w.Blob([]byte(v))
		default:
			w.Bytes = append(w.Bytes, v.([]byte)...)
		}
	}
	return w
}
func (w *Writer) Tag(tag uint32, values ...interface{}) *Writer {
	return w.Add(tag, string(new(Writer).Add(values...).Bytes))
}

func (s *System) run(in *Reader, out *Writer) {
	node, state, failure, context := int(in.U32()), in.Blob(), "", &Context{}
	events, choices := List(in, in.Event), List(in, in.U32)
	func() {
		defer func() {
			if p := recover(); p != nil {
				failure = fmt.Sprint("panic: ", p)
			}
		}()
		live := s.Wake(node, state)
		for _, event := range events {
			context = &Context{choices: choices}
			live.Handle(event, context)
		}
		state = live.Encode()
	}()
	out.Blob(state)
	out.list(context.sends)
	out.list(context.offered)
	out.Add(uint32(0), uint32(0), failure)
	out.list(context.restarted)
}

var family, systems = Family{}, sync.Map{} // Systems by number.

// Register says what there is. For libraries, in an init function.
func Register(f Family) { f.Record.Tag(1, []byte(f.Name)); family = f }

func open(number uint32, in *Reader, out *Writer) {
	_, scenario, bug, set := in.Blob(), string(in.Blob()), string(in.Blob()), map[string]int64{}
	List(in, func() bool { parameter := string(in.Blob()); set[parameter] = in.I64(); return true })
	system, err := family.Open(scenario, bug, set)
	if err != nil {
		system = &System{Record: new(Writer).Tag(13, []byte(err.Error()))} // Refused.
	}
	systems.Store(number, system)
	out.list(*system.Record)
}

// Answer has the code and the bytes of the reply.
func Answer(op uint32, request []byte) (code int32, reply []byte) {
	defer func() {
		if p := recover(); p != nil {
			code, reply = -3, []byte(fmt.Sprint("panic: ", p))
		}
	}()
	in, out := &Reader{request}, &Writer{}
	if op == 0 {
		out.Add(uint32(1), uint32(1))
		out.list(*family.Record)
	} else if op == 6 {
		out.Blobs(List(in, func() []byte { _, one := Answer(5, in.Blob()); return one }))
	} else if number := in.U32(); op == 1 {
		open(number, in, out)
	} else if op == 2 {
		systems.Delete(number)
	} else if found, _ := systems.Load(number); op == 5 {
		found.(*System).run(in, out)
	} else if answer := found.(*System).Ops[op]; answer != nil {
		answer(in, out)
	} else {
		return -2, nil
	}
	return 0, out.Bytes
}

// Serve answers requests until standard input ends. What handlers print goes to standard error.
func Serve() {
	talk, _ := syscall.Dup(1)
	syscall.Dup2(2, 1)
	in, out := bufio.NewReader(os.Stdin), os.NewFile(uintptr(talk), "replies")
	for header := make([]byte, 8); ; {
		if _, err := io.ReadFull(in, header); err != nil {
			return
		}
		numbers := &Reader{header}
		request, op := make([]byte, numbers.U32()), numbers.U32()
		io.ReadFull(in, request)
		code, reply := Answer(op, request)
		out.Write(new(Writer).Add(uint32(len(reply)), uint32(code), reply).Bytes)
	}
}
