// Package codec turns values into canonical bytes and back. A value says once what it consists of, and
// that is used in both directions, so that reading and writing cannot differ.
package codec

import (
	"encoding/binary"
	"sort"

	pb "go.etcd.io/etcd/raft/raftpb"
)

// Codec writes to its bytes, or reads from them. What makes no sense panics with Malformed.
type Codec struct {
	bytes   []byte
	Reading bool
}

// Malformed is what a reader panics with.
type Malformed struct{}

func (Malformed) Error() string { return "bytes that no state or message has" }

func Reader(bytes []byte) *Codec { return &Codec{bytes, true} }
func Writer() *Codec             { return &Codec{} }

// Bytes has what was written, or what is left to read.
func (c *Codec) Bytes() []byte { return c.bytes }

// End is called by a reader that expects nothing more.
func (c *Codec) End() {
	if c.Reading && len(c.bytes) > 0 {
		panic(Malformed{})
	}
}

func (c *Codec) Uint(v *uint64) {
	if !c.Reading {
		c.bytes = binary.AppendUvarint(c.bytes, *v)
		return
	}
	value, size := binary.Uvarint(c.bytes)
	if size <= 0 {
		panic(Malformed{})
	}
	*v, c.bytes = value, c.bytes[size:]
}

func (c *Codec) Bool(v *bool) {
	n := uint64(0)
	if *v {
		n = 1
	}
	c.Uint(&n)
	*v = n == 1
}

// Number is for named integers, and for integers of other sizes.
func Number[T ~int | ~int32 | ~uint64 | ~uint32 | ~uint8](c *Codec, v *T) {
	n := uint64(*v)
	c.Uint(&n)
	*v = T(n)
}

// Blob does not tell nil from empty: what was empty is read as nil.
func (c *Codec) Blob(v *[]byte) {
	size := uint64(len(*v))
	c.Uint(&size)
	if !c.Reading {
		c.bytes = append(c.bytes, *v...)
		return
	}
	if size > uint64(len(c.bytes)) {
		panic(Malformed{})
	}
	*v, c.bytes = append([]byte(nil), c.bytes[:size]...), c.bytes[size:]
}

func (c *Codec) Text(v *string) {
	bytes := []byte(*v)
	c.Blob(&bytes)
	*v = string(bytes)
}

func List[T any](c *Codec, list *[]T, each func(*T)) {
	size := uint64(len(*list))
	c.Uint(&size)
	if c.Reading {
		if size > uint64(len(c.bytes)) {
			panic(Malformed{}) // Every element takes a byte at least.
		}
		*list = append([]T(nil), make([]T, size)...)
	}
	for i := range *list {
		each(&(*list)[i])
	}
}

func (c *Codec) Uints(list *[]uint64)        { List(c, list, c.Uint) }
func (c *Codec) Entries(list *[]pb.Entry)    { List(c, list, c.Entry) }
func (c *Codec) Messages(list *[]pb.Message) { List(c, list, c.Message) }

// Batch is messages that leave together: a network that orders nothing does not tell in which order.
func (c *Codec) Batch(list *[]pb.Message) {
	sorted := *list
	if !c.Reading {
		sorted = Sorted(sorted)
	}
	c.Messages(&sorted)
	*list = sorted
}

// Sorted has the messages in an order that depends on nothing but them.
func Sorted(list []pb.Message) []pb.Message {
	if len(list) < 2 {
		return list
	}
	keys := make([]string, len(list))
	for i := range list {
		c := Writer()
		c.Message(&list[i])
		keys[i] = string(c.bytes)
	}
	sort.Strings(keys)
	sorted := make([]pb.Message, len(list))
	for i, key := range keys {
		Reader([]byte(key)).Message(&sorted[i])
	}
	return sorted
}

func (c *Codec) HardState(state *pb.HardState) {
	c.Uint(&state.Term)
	c.Uint(&state.Vote)
	c.Uint(&state.Commit)
}

func (c *Codec) Entry(entry *pb.Entry) {
	c.Uint(&entry.Term)
	c.Uint(&entry.Index)
	Number(c, &entry.Type)
	c.Blob(&entry.Data)
}

func (c *Codec) ConfState(state *pb.ConfState) {
	c.Uints(&state.Voters)
	c.Uints(&state.Learners)
	c.Uints(&state.VotersOutgoing)
	c.Uints(&state.LearnersNext)
	c.Bool(&state.AutoLeave)
}

// Snapshot is one byte where there is none.
func (c *Codec) Snapshot(snapshot *pb.Snapshot) {
	c.Uint(&snapshot.Metadata.Index)
	if snapshot.Metadata.Index == 0 {
		return
	}
	c.Uint(&snapshot.Metadata.Term)
	c.ConfState(&snapshot.Metadata.ConfState)
	c.Blob(&snapshot.Data)
}

// Fields that are zero in most messages are told by one number, so that a message takes few bytes.
func (c *Codec) Message(m *pb.Message) {
	Number(c, &m.Type)
	var zero pb.Message
	fields := []struct {
		there bool
		code  func()
	}{
		{m.To != zero.To, func() { c.Uint(&m.To) }},
		{m.From != zero.From, func() { c.Uint(&m.From) }},
		{m.Term != zero.Term, func() { c.Uint(&m.Term) }},
		{m.LogTerm != zero.LogTerm, func() { c.Uint(&m.LogTerm) }},
		{m.Index != zero.Index, func() { c.Uint(&m.Index) }},
		{len(m.Entries) > 0, func() { c.Entries(&m.Entries) }},
		{m.Commit != zero.Commit, func() { c.Uint(&m.Commit) }},
		{m.Snapshot.Metadata.Index > 0, func() { c.Snapshot(&m.Snapshot) }},
		{m.Reject, func() { c.Bool(&m.Reject) }},
		{m.RejectHint != zero.RejectHint, func() { c.Uint(&m.RejectHint) }},
		{len(m.Context) > 0, func() { c.Blob(&m.Context) }},
	}
	mask := uint64(0)
	for i, field := range fields {
		if field.there {
			mask |= 1 << i
		}
	}
	c.Uint(&mask)
	for i, field := range fields {
		if mask>>i&1 == 1 {
			field.code()
		}
	}
}

// Set is a set of numbers below 64.
func (c *Codec) Set(set *map[uint64]struct{}) {
	mask := uint64(0)
	for id := range *set {
		mask |= 1 << id
	}
	c.Uint(&mask)
	if !c.Reading {
		return
	}
	*set = nil
	for id := uint64(0); id < 64; id++ {
		if mask>>id&1 == 1 {
			if *set == nil {
				*set = map[uint64]struct{}{}
			}
			(*set)[id] = struct{}{}
		}
	}
}
