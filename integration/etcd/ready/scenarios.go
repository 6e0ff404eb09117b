package ready

// scenario is a world by name.
type scenario struct {
	name, text string
	world      world
}

var each = func(a, b, c int) []int { return []int{a, b, c} }

// What is there to check, the first by default. Terms have a cap, which keeps every node's states finite.
var scenarios = []scenario{
	{"proposal", "Node 0 leads and gets a proposal; node 1 crashes once, between any two operations.",
		world{servers: 3, terms: 1, stepwise: true, batch: 2, crashes: each(0, 1, 0), warm: warmLeader,
			budgets: map[deed][]int{propose: each(1, 0, 0)}}},
	{"one-node", "A cluster of one, which crashes once, with a proposal.",
		world{servers: 1, terms: 2, stepwise: true, crashes: []int{1},
			budgets: map[deed][]int{campaign: {2}, propose: {1}}}},
	{"crash", "Two campaigns; node 1 crashes once, between any two operations of its loop.",
		world{servers: 3, terms: 2, stepwise: true, batch: 1, crashes: each(0, 1, 0),
			budgets: map[deed][]int{campaign: each(1, 0, 1)}}},
	{"crash-serial", "The same with a loop in one goroutine: nothing arrives while it handles a Ready.",
		world{servers: 3, terms: 2, stepwise: true, serial: true, crashes: each(0, 1, 0),
			budgets: map[deed][]int{campaign: each(1, 0, 1)}}},
	{"elections", "Two campaigns and a proposal; a Ready is handled at once.",
		world{servers: 3, terms: 2,
			budgets: map[deed][]int{campaign: each(1, 0, 1), propose: each(1, 0, 0)}}},
	{"stale-read", "Node 0 leads; node 1 asks for a read and asks again; a client writes at node 2, which " +
		"campaigns, and then reads at node 0.",
		world{servers: 3, terms: 2, writer: 2, reader: 0, warm: warmLeader,
			budgets: map[deed][]int{campaign: each(0, 0, 1), read: each(0, 1, 0), retry: each(0, 1, 0)}}},
	{"stale-read-delayed", "The same when node 1 was answered, and two of its messages are late.",
		world{servers: 3, terms: 2, writer: 2, reader: 0, warm: warmDelayed,
			budgets: map[deed][]int{campaign: each(0, 0, 1)}}},
	{"joint", "A change of the configuration that goes through a joint one and leaves it by itself, and a " +
		"proposal.",
		world{servers: 3, terms: 1, changes: []byte{0}, budgets: map[deed][]int{
			campaign: each(1, 0, 0), propose: each(1, 0, 0), change: each(1, 0, 0)}}},
	{"pre-vote", "Two campaigns that ask first whether they could win, and a proposal.",
		world{servers: 3, terms: 2, preVote: true,
			budgets: map[deed][]int{campaign: each(1, 0, 1), propose: each(1, 0, 0)}}},
	{"check-quorum", "A leader that looks whether it is heard, a follower that hears nothing, and a campaign.",
		world{servers: 3, terms: 2, quorum: true, warm: warmLeader, budgets: map[deed][]int{
			campaign: each(0, 0, 1), propose: each(1, 0, 0), checkQuorum: each(1, 0, 0), expire: each(0, 1, 1)}}},
	{"transfer", "Node 0 leads, gets a proposal and hands over its leadership, while node 2 campaigns.",
		world{servers: 3, terms: 2, warm: warmLeader, budgets: map[deed][]int{
			campaign: each(0, 0, 1), propose: each(1, 0, 0), transfer: each(1, 0, 0)}}},
	{"snapshot", "Node 0 leads, gets a proposal and compacts its log; whoever lags behind gets a snapshot; " +
		"node 1 crashes.",
		world{servers: 3, terms: 1, warm: warmLeader, crashes: each(0, 1, 0), budgets: map[deed][]int{
			propose: each(1, 0, 0), compact: each(1, 0, 0), beat: each(2, 0, 0)}}},
	{"members", "Node 0 leads and removes node 2, which campaigns.",
		world{servers: 3, terms: 2, warm: warmLeader, changes: []byte{4}, budgets: map[deed][]int{
			campaign: each(0, 0, 1), change: each(1, 0, 0)}}},
}

func scenarioNames() (names []string) {
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}

func findScenario(name string) *scenario {
	for i := range scenarios {
		if scenarios[i].name == name {
			return &scenarios[i]
		}
	}
	return &scenarios[0]
}
