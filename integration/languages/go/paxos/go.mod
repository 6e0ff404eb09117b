module paxos

go 1.19

require foretell v0.0.0

replace foretell => ../foretell
