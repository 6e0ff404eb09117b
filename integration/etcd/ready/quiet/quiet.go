// Package quiet has a logger for etcd's raft that says nothing, and panics where the library says that it
// cannot go on.
package quiet

import (
	"fmt"

	"go.etcd.io/etcd/raft"
)

type Logger struct{}

func (Logger) Debug(...interface{})            {}
func (Logger) Debugf(string, ...interface{})   {}
func (Logger) Error(...interface{})            {}
func (Logger) Errorf(string, ...interface{})   {}
func (Logger) Info(...interface{})             {}
func (Logger) Infof(string, ...interface{})    {}
func (Logger) Warning(...interface{})          {}
func (Logger) Warningf(string, ...interface{}) {}
func (Logger) Fatal(v ...interface{})          { panic(fmt.Sprint(v...)) }
func (Logger) Panic(v ...interface{})          { panic(fmt.Sprint(v...)) }
func (Logger) Fatalf(format string, v ...interface{}) {
	panic(fmt.Sprintf(format, v...))
}
func (Logger) Panicf(format string, v ...interface{}) {
	panic(fmt.Sprintf(format, v...))
}

func init() { raft.SetLogger(Logger{}) }
