"""A disk in memory for the library's own FileJournal: what open, os, shutil and mmap are to
pysyncobj.journal. One is mounted at a time. A map shares its bytes with the file, and a process that is
killed loses none of them."""
import struct

from pysyncobj import journal

JOURNAL, META = "journal", "journal.meta"
EMPTY = {"journal": "", "commit": 1}  # A disk in a state: bytes as text, and what the second file says.
files = {}


class File:
    def __init__(self, data):
        self.data = data

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def read(self):
        return bytes(self.data)

    def write(self, data):
        self.data += data

    def fileno(self):
        return self

    def flush(self):
        pass


class Map:
    def __init__(self, data):
        self.data = data

    def size(self):
        return len(self.data)

    def resize(self, size):
        self.data += bytes(max(0, size - len(self.data)))

    def __getitem__(self, part):
        return bytes(self.data[part])

    def __setitem__(self, part, values):
        if part.stop > len(self.data) or part.stop - part.start != len(values):
            raise IndexError(f"{len(values)} bytes at {part.start} of a map of {len(self.data)}")
        self.data[part] = values


class System:
    """Several modules in one."""

    @property
    def path(self):
        return self

    @staticmethod
    def exists(name):
        return name in files

    @staticmethod
    def move(name, to):
        files[to] = files.pop(name)

    @staticmethod
    def open(name, mode):
        if "w" in mode:
            files[name] = bytearray()
        return File(files[name])

    @staticmethod
    def mmap(file, length):
        assert length == 0, "the library maps all of a file"
        return Map(file.data)


journal.os = journal.shutil = journal.mmap = System()
journal.open = System.open


def mount(disk):
    files.clear()
    if disk["journal"]:
        files[JOURNAL] = bytearray(disk["journal"].encode("latin-1"))
    if disk["commit"] > 1:
        files[META] = bytearray(journal.dumps({"raftCommitIndex": disk["commit"]}))


def unmount(disk):
    """What is there now, without the bytes behind the last record, which nobody reads."""
    data = files[JOURNAL]
    (end,) = struct.unpack_from("<I", data, journal.LAST_RECORD_OFFSET_OFFSET)
    commit = journal.loads(bytes(files[META]))["raftCommitIndex"] if META in files else 1
    return dict(disk, journal=bytes(data[:end]).decode("latin-1"), commit=commit)


def with_log(entries):
    """A disk to which the library's journal has written `entries`, all of them committed."""
    mount(EMPTY)
    written = journal.FileJournal(JOURNAL)
    for entry in entries:
        written.add(*entry)
    written.setRaftCommitIndex(entries[-1][1])
    written.onOneSecondTimer()
    return unmount(EMPTY)


def log_of(disk):
    """The entries: [term, command], from index 1 on."""
    data, at, log = disk["journal"].encode("latin-1"), journal.FIRST_RECORD_OFFSET, []
    while at < len(data):
        size, _, term = struct.unpack_from("<IQQ", data, at)
        log.append([term, data[at + 20 : at + 4 + size].decode("latin-1")])
        at += 8 + size
    return log
