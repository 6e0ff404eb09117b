"""usage: pages_test.py FORETELL PAGE...
Every command `$ foretell check ...` in a text block of the pages is run, and prints what the page says. [...]
stands for lines that are left out. Skipped (77) where there is no PySyncObj, of which they speak."""
import os
import re
import subprocess
import sys


def masked(line):
    """Time and memory depend on the machine."""
    return re.sub(r"[0-9.]+ (ms|s|min), [0-9.]+ [KMG]iB peak memory", "#", line).rstrip()


def examples(page):
    command, printed, inside = None, [], False
    for line in open(page, encoding="utf-8").read().splitlines():
        if line.startswith("```") or line.startswith("$ "):
            if command:
                yield command, printed
            command, printed = (line[2:], []) if line.startswith("$ foretell check ") and inside else (None, [])
            inside = inside != line.startswith("```")
        elif command:
            printed.append(masked(line))


def matches(printed, said):
    """Whether `said`, with its gaps, is what was printed."""
    if not said:
        return not printed
    if said[0] == "[...]":
        return any(matches(printed[at:], said[1:]) for at in range(len(printed) + 1))
    return bool(printed) and printed[0] == said[0] and matches(printed[1:], said[1:])


def unwrapped(lines):
    """Figures are wrapped where they get too long, which depends on how long they are."""
    return re.sub(r"(\n  [0-9,]+ states[^\n]*)\n    ", r"\1 ", "\n".join(lines)).split("\n")


def main(foretell, *pages):
    if subprocess.run(["/usr/bin/python3", "-c", "import pysyncobj"], stderr=subprocess.DEVNULL).returncode != 0:
        print("skipped: there is no python3-pysyncobj; scripts/setup --languages installs it")
        return 77
    if not os.path.exists(os.path.join(os.path.dirname(foretell), "plugins", "pysyncobj")):
        print("skipped: python3-pysyncobj came after the build was configured; scripts/build does it again")
        return 77
    failed = ran = 0
    for page in pages:
        for command, said in examples(page):
            done = subprocess.run(command.replace("foretell", foretell, 1), shell=True, capture_output=True,
                                  text=True, env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"})
            printed = [masked(line) for line in unwrapped((done.stdout + done.stderr).rstrip().split("\n"))]
            while said and not said[-1]:
                said.pop()
            ran += 1
            if not matches(printed, said):
                failed += 1
                print(f"{page}: $ {command}\nprints\n" + "\n".join(printed) + "\nand not\n" + "\n".join(said))
    print(f"{ran} examples, {failed} print something else")
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
