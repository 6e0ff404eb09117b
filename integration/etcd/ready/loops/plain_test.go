package loops

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"foretell/ready/judge"
	"go.etcd.io/etcd/raft"
)

// Here the library is as Debian has it: nothing is added to it, and none of the code that finds violations
// is there. The schedules are those of docs/findings, and of a folder that the environment names.
func TestNothingIsAddedToTheLibrary(t *testing.T) {
	if _, there := reflect.TypeOf(&raft.RawNode{}).MethodByName("FtLook"); there {
		t.Fatal("this was built with the overlay")
	}
}

func schedules(t *testing.T) map[string]judge.Schedule {
	paths, _ := filepath.Glob("testdata/*.json")
	if folder := os.Getenv("FORETELL_ETCD_SCHEDULES"); folder != "" {
		more, _ := filepath.Glob(filepath.Join(folder, "*.json"))
		paths = append(paths, more...)
	}
	read := map[string]judge.Schedule{}
	for _, path := range paths {
		bytes, err := os.ReadFile(path)
		var s judge.Schedule
		if err == nil {
			err = json.Unmarshal(bytes, &s)
		}
		if err != nil {
			t.Fatal(path, ": ", err)
		}
		read[path] = s
	}
	if len(read) == 0 {
		t.Fatal("no schedules")
	}
	return read
}

func opinion(t *testing.T, s judge.Schedule, loop string) string {
	var known bool
	if s.Cluster.Loop, known = Find(loop); !known {
		t.Fatal("no loop ", loop)
	}
	return s.Opinion()
}

func TestTheLibraryDoesWhatTheFindingsSay(t *testing.T) {
	for path, s := range schedules(t) {
		got := opinion(t, s, s.Loop)
		t.Logf("%s: %d steps: %s", path, len(s.Steps), got)
		if !strings.HasPrefix(got, "confirmed: ") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// With the loop as it should be, or ids that are not used twice, the same cannot be played, or breaks nothing.
func TestTheJudgeCanSayNo(t *testing.T) {
	for path, s := range schedules(t) {
		s.Cluster.UniqueReads = true
		got := opinion(t, s, "")
		t.Logf("%s: %s", path, got)
		if s.Invariant != "no-panic" && !strings.HasPrefix(got, "not confirmed: ") {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// One step less than the whole path breaks nothing: what is looked at is the end, and nothing else is.
func TestAPathThatIsCutShortIsNotConfirmed(t *testing.T) {
	for path, s := range schedules(t) {
		s.Steps = s.Steps[:len(s.Steps)-1]
		if got := opinion(t, s, s.Loop); !strings.HasPrefix(got, "not confirmed: ") {
			t.Errorf("%s: %s", path, got)
		}
	}
}
