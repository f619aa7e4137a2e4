#!/usr/bin/python3
"""Hostile solvers. The first argument names one; the last is its script. Whatever an attack achieves is printed as PWNED."""
import ctypes, json, os, resource, signal, socket, subprocess, sys, time

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = json.load(open(os.path.join(HERE, "place.json")))
HOME, PORT, VICTIM = PLACE["home"], PLACE["port"], PLACE["victim"]
SECRET = os.path.join(HOME, "secret.txt")
PRECIOUS = os.path.join(HOME, "precious.txt")
libc = ctypes.CDLL(None, use_errno=True)


def pwned(what):
    print('(error "PWNED: %s")' % what, flush=True)


def overwrites_file():
    open(PRECIOUS, "w").write("PWNED")


def appends_to_profile():
    open(os.path.join(HOME, ".profile"), "a").write("PWNED")


def removes_file():
    os.remove(PRECIOUS)


def creates_file():
    open(os.path.join(HOME, "new"), "x").write("PWNED")


def truncates_file():
    os.truncate(PRECIOUS, 0)


def renames_file():
    os.rename(PRECIOUS, PRECIOUS + ".away")


def makes_folder():
    os.mkdir(os.path.join(HOME, "folder"))


def links_file():
    os.link(SECRET, "loot")
    pwned(open("loot").read())


def follows_symlink():
    os.symlink(SECRET, "loot")
    pwned(open("loot").read())


def walks_through_proc():
    pwned(open("/proc/self/root" + SECRET).read())


def reads_secret():
    pwned(open(SECRET).read())


def lists_home():
    pwned(os.listdir(HOME))


def reads_own_environment():
    for name, value in os.environ.items():
        if "hostile-token" in value:
            pwned(name + value)


def reads_environment_of_others():
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = open("/proc/%s/environ" % pid, "rb").read()
        except OSError:
            continue
        if b"hostile-token" in text:
            pwned("environment of %s" % pid)


def reads_memory_of_runner():
    os.open("/proc/%d/mem" % runner(), os.O_RDWR)
    pwned("memory")


def traces_runner():
    ATTACH = 16
    if libc.ptrace(ATTACH, runner(), 0, 0) == 0:
        pwned("ptrace")


def signals_everyone():
    # Signal 0 asks for permission and does nothing.
    os.kill(-1, 0)
    pwned("signal to all")


def signals_runner():
    os.kill(runner(), 0)
    pwned("signal to the runner")


def signals_supervisor():
    parent = os.getppid()
    name = open("/proc/%d/comm" % parent).read()
    if name.startswith("elenchus-super"):
        os.kill(parent, 0)
        pwned("signal to the supervisor")


def connects_over_tcp():
    socket.create_connection(("127.0.0.1", PORT), 1)
    pwned("tcp")


def sends_over_udp():
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))
    pwned("udp")


def connects_over_ipv6():
    socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    pwned("ipv6")


def connects_to_agent():
    agent = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    agent.connect(os.path.join(HOME, "agent.sock"))
    pwned("agent")


def makes_io_uring():
    if libc.syscall(425, 1, ctypes.create_string_buffer(256)) >= 0:
        pwned("io_uring")


def connects_by_a_shell():
    script = "echo x > /dev/tcp/127.0.0.1/%d && echo '(error \"PWNED: shell\")'" % PORT
    subprocess.run(["bash", "-c", script], timeout=2)


def writes_by_a_shell():
    subprocess.run(["sh", "-c", "echo PWNED > '%s'" % PRECIOUS], timeout=2)


def writes_to_terminal():
    open("/dev/tty", "w").write("PWNED")
    pwned("terminal")


def escapes_its_session():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(30)
            open(PRECIOUS, "w").write("PWNED")
        os._exit(0)


def forks_a_lot():
    for _ in range(600):
        if os.fork() == 0:
            time.sleep(30)
            os._exit(0)
    pwned("600 processes")


def fills_the_disk():
    for number in range(200):
        with open("hoard-%d" % number, "wb") as file:
            for _ in range(48):
                file.write(b"x" * (1 << 20))
    pwned("disk")


def makes_endless_files():
    for number in range(3_000_000):
        open("file-%d" % number, "w").close()
    pwned("files")


def raises_its_limits():
    resource.setrlimit(resource.RLIMIT_CORE, (1 << 30, 1 << 30))
    os.abort()


def eats_memory():
    hoard = []
    while True:
        hoard.append(bytearray(32 << 20))


def prints_a_huge_model():
    line = "(define-fun x () Int 1)\n" * 1000
    print("sat\n(")
    for _ in range(45_000):
        sys.stdout.write(line)


def prints_many_definitions():
    print("sat\n(")
    print("\n".join("(define-fun x%d () Int %d)" % (n, n) for n in range(400_000)))
    print(")")
    sys.exit()


def nests_deeply():
    print("sat\n((define-fun x () Int " + "(- " * 2_000_000 + "1" + ")" * 2_000_000 + "))")
    sys.exit()


def commands_the_terminal():
    print('(error "\x1b]0;PWNED-title\x07\x1b[2J\x9b31m\u202e\r\x08")')
    sys.exit(1)


def prints_garbage():
    sys.stdout.buffer.write(bytes(range(256)) * 4096)
    sys.exit(3)


def never_ends():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        pass


def stops_itself():
    os.kill(os.getpid(), signal.SIGSTOP)


def closes_everything():
    os.closerange(0, 256)
    time.sleep(30)


def runner():
    return int(open(VICTIM).read()) if os.path.exists(VICTIM) else os.getppid()


if __name__ == "__main__":
    try:
        globals()[sys.argv[1].replace("-", "_")]()
    except (OSError, ValueError, subprocess.SubprocessError):
        pass
    print("sat", flush=True)
