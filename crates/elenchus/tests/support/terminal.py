"""Runs a program on a pseudo-terminal: ROWS COLUMNS PROGRAM ARGUMENT...

Copies its output to standard output. Each line of standard input is a command in JSON: ["type", TEXT], ["size", ROWS, COLUMNS],
["signal", NAME], or ["continue"], which waits until the program is suspended. When the program has ended, prints a line of JSON to
standard error: its exit code, whether the terminal is in the same mode as before, and the keys that nobody read.
"""

import fcntl, json, os, pty, select, signal, struct, subprocess, sys, termios, time, tty


def resize(rows, columns):
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


def take_terminal():
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def is_suspended():
    with open("/proc/%d/stat" % child.pid) as stat:
        return stat.read().rsplit(")", 1)[1].split()[0] == "T"


def copy_output():
    while select.select([master], [], [], 0)[0]:
        os.write(1, os.read(master, 65536))


master, slave = pty.openpty()
resize(sys.argv[1], sys.argv[2])
before = termios.tcgetattr(slave)
child = subprocess.Popen(sys.argv[3:], stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_terminal)
commands = b""
sources = [master, 0]
while child.poll() is None:
    ready = select.select(sources, [], [], 0.1)[0]
    if master in ready:
        copy_output()
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            sources.remove(0)
        commands += data
        while b"\n" in commands:
            line, commands = commands.split(b"\n", 1)
            name, *arguments = json.loads(line)
            if name == "type":
                os.write(master, arguments[0].encode())
            elif name == "size":
                resize(*arguments)
            elif name == "continue":
                while not is_suspended():
                    time.sleep(0.01)
                os.kill(child.pid, signal.SIGCONT)
            elif name == "signal":
                os.kill(child.pid, getattr(signal, arguments[0]))
copy_output()
same = termios.tcgetattr(slave) == before
tty.setraw(slave, termios.TCSANOW)
os.set_blocking(slave, False)
try:
    left = os.read(slave, 1000).decode()
except BlockingIOError:
    left = ""
print(json.dumps({"code": child.returncode, "same": same, "left": left}), file=sys.stderr)
