//go:build foretell_library

package main

import "foretell/ready"

func init() { ready.Register("store", "The Ready loop of the example.", handle) }
