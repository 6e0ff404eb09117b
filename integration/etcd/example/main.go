package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	pb "go.etcd.io/etcd/raft/raftpb"
)

// usage: store FOLDER < WORDS. Puts each word, and prints what every node has applied.
func main() {
	network := make(chan pb.Message, 1000)
	var nodes []*store
	for id := uint64(1); id <= 3; id++ {
		nodes = append(nodes, open(os.Args[1], id, network))
	}
	check(nodes[0].node.Campaign())
	run(nodes, network)
	for words := bufio.NewScanner(os.Stdin); words.Scan(); {
		check(nodes[0].node.Propose([]byte(words.Text())))
		run(nodes, network)
	}
	for _, s := range nodes {
		fmt.Printf("node %d: %s\n", s.id, strings.Join(s.values, " "))
	}
}

// run goes on until nobody has anything to do.
func run(nodes []*store, network chan pb.Message) {
	for busy := true; busy; {
		busy = false
		for _, s := range nodes {
			for s.node.HasReady() {
				rd := s.node.Ready()
				handle(rd, world{s, rd})
				busy = true
			}
		}
		for len(network) > 0 {
			m := <-network
			nodes[m.To-1].node.Step(m)
			busy = true
		}
	}
}
