// The plug-in `etcd`: etcd's raft under the loop that its documentation means, and under six that people
// write instead.
package main

import (
	"foretell/ready"
	"foretell/ready/loops"
)

func init() {
	var wrong []ready.Variant
	for _, l := range loops.Wrong {
		wrong = append(wrong, ready.Variant(l))
	}
	ready.Register("etcd", "etcd's raft 3.4.23, unmodified, and the Ready loop around it.", loops.Correct, wrong...)
}

func main() { ready.Serve() }
