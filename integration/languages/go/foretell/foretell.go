// Package foretell makes services for Foretell of Go code: a process (Serve in main), or a library
// (Register in init, go build -buildmode=c-shared -tags foretell_library). The service encodes its
// states, messages and actions: equal values to equal bytes. The names are those of foretell_service.h,
// which says what each of them means.
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
	// Ops that a System answers besides Run.
	INITIAL, ACTIONS, PROJECT, VIOLATES, RENDER, VALID, RELEVANT, REACHED, KIND = 3, 4, 7, 8, 9, 10, 11, 12, 13
	TIMING, CALLS, PARSE_CALL, ASK, IMAGINE, WEIGHT, OPINION                    = 32, 33, 34, 35, 36, 37, 38
	// Tags of a Family and of a System.
	TEXT, VERSION, SCENARIO, BUG, PARAMETER, LIVE, FLAGS             = 2, 3, 4, 5, 6, 7, 8
	NODES, NETWORK, NODE, INVARIANT, GOAL, MESSAGE_KIND, ACTION_KIND = 1, 2, 3, 4, 5, 6, 7
	FAULT_HANDLER, AUXILIARY, SYSTEM_FLAGS, COMPONENTS, START        = 8, 9, 10, 11, 12
	// Scopes and flags of invariants, kinds of events, what is rendered, flags of systems.
	PerNode, PerPair, PerSystem           = uint32(0), uint32(1), uint32(2)
	Stable, Eventually, WhenStuck         = uint32(1), uint32(2), uint32(4)
	Deliver, Act, Crash, Restart, Break   = uint32(0), uint32(1), uint32(2), uint32(3), uint32(4)
	State, Message, Action                = uint32(0), uint32(1), uint32(2)
	HasAuxiliary, IgnoresBreaks, NoTimers = uint32(1), uint32(2), uint32(4)
)

// Record is a list of tags; what has no tag has the default of the header.
type Record struct {
	count uint32
	tags  Writer
}

func (r *Record) Tag(tag uint32, values ...interface{}) *Record {
	var value Writer
	value.Add(values...)
	r.count++
	r.tags.Add(tag, string(value.Bytes))
	return r
}

type Family struct {
	Name   string
	Record *Record
	Open   func(scenario, bug string, set map[string]int64) (*System, error)
}
type System struct {
	Record *Record
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
	choices, offered []uint32
	sends, restarted Writer
	sent, timers     uint32
}

func (c *Context) Send(to int, message []byte) {
	c.sent++
	c.sends.U32(uint32(to))
	c.sends.Blob(message)
}
func (c *Context) RestartTimer(action []byte) { c.timers++; c.restarted.Blob(action) }
func (c *Context) Choose(count uint32) uint32 { // One of 0 .. count-1; every way is explored.
	if c.offered = append(c.offered, count); len(c.offered) <= len(c.choices) {
		return c.choices[len(c.offered)-1]
	}
	return 0
}

type Reader struct{ rest []byte }

func (r *Reader) take(size uint32) (taken []byte) {
	taken, r.rest = r.rest[:size:size], r.rest[size:]
	return
}
func (r *Reader) U32() uint32  { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *Reader) I64() int64   { return int64(binary.LittleEndian.Uint64(r.take(8))) }
func (r *Reader) Blob() []byte { return r.take(r.U32()) }
func List[T any](r *Reader, each func() T) []T {
	list := make([]T, r.U32())
	for i := range list {
		list[i] = each()
	}
	return list
}
func (r *Reader) Event() Event { return Event{r.U32(), int(r.U32()), r.Blob()} }

type Writer struct{ Bytes []byte }

func (w *Writer) U32(v uint32)  { w.Bytes = binary.LittleEndian.AppendUint32(w.Bytes, v) }
func (w *Writer) Blob(b []byte) { w.U32(uint32(len(b))); w.Bytes = append(w.Bytes, b...) }
func (w *Writer) Blobs(list [][]byte) {
	w.U32(uint32(len(list)))
	for _, b := range list {
		w.Blob(b)
	}
}
func (w *Writer) Bool(v bool) { w.U32(map[bool]uint32{true: 1}[v]) }
func (w *Writer) Add(values ...interface{}) { // A string is a blob; []byte is added as it is.
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
		case []byte:
			w.Bytes = append(w.Bytes, v...)
		default:
			panic(fmt.Sprintf("foretell: a %T has no bytes", v))
		}
	}
}
func (w *Writer) record(r *Record) { w.Add(r.count, r.tags.Bytes) }

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
	out.Add(context.sent, context.sends.Bytes, uint32(len(context.offered)))
	for _, k := range context.offered {
		out.U32(k)
	}
	out.Add(uint32(0), uint32(0), failure, context.timers, context.restarted.Bytes)
}

var (
	families []Family
	systems  sync.Map // By number.
)

// Register says what there is. For libraries, in an init function.
func Register(all ...Family) {
	for _, family := range all {
		family.Record.Tag(1, []byte(family.Name))
	}
	families = all
}

func open(number uint32, in *Reader, out *Writer) {
	name, scenario, bug, set := string(in.Blob()), string(in.Blob()), string(in.Blob()), map[string]int64{}
	List(in, func() bool { parameter := string(in.Blob()); set[parameter] = in.I64(); return true })
	for _, family := range families {
		if family.Name != name {
		} else if system, err := family.Open(scenario, bug, set); err != nil {
			out.record(new(Record).Tag(13, []byte(err.Error()))) // Refused.
		} else {
			systems.Store(number, system)
			out.record(system.Record)
		}
	}
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
		out.Add(uint32(1), uint32(len(families)))
		for _, family := range families {
			out.record(family.Record)
		}
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
	read := func(size uint32) *Reader {
		bytes := make([]byte, size)
		if _, err := io.ReadFull(in, bytes); err != nil {
			os.Exit(0)
		}
		return &Reader{bytes}
	}
	for {
		header, frame := read(8), Writer{}
		size, op := header.U32(), header.U32()
		code, reply := Answer(op, read(size).rest)
		frame.Add(uint32(len(reply)), uint32(code), reply)
		out.Write(frame.Bytes)
	}
}
