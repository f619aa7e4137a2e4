"""Makes a wheel of z3-solver with a shell script as its executable: FOLDER VERSION PLATFORM FLAW."""

import base64, hashlib, sys, zipfile
folder, version, platform, flaw = sys.argv[1:5]
release = ".".join(version.split(".")[:3])
program = "#!/bin/sh\ncase \"$1\" in --version) echo Z3 version %s;; *) echo sat;; esac\n" % release
if flaw == "not-a-program":
    program = "no program at all"
info = "z3_solver-%s.dist-info/" % version
files = {
    "z3_solver-%s.data/data/bin/z3" % version: program,
    info + "METADATA": "Metadata-Version: 2.1\nName: z3-solver\nVersion: %s\n" % version,
    info + "WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: py3-none-%s\n" % platform,
}
if flaw == "no-executable":
    del files["z3_solver-%s.data/data/bin/z3" % version]
record = ""
for name, text in files.items():
    digest = hashlib.sha256((text + ("x" if flaw == "wrong-record" else "")).encode()).digest()
    record += "%s,sha256=%s,%d\n" % (name, base64.urlsafe_b64encode(digest).rstrip(b"=").decode(), len(text))
path = "%s/z3_solver-%s-py3-none-%s.whl" % (folder, version, platform)
with zipfile.ZipFile(path, "w") as wheel:
    for name, text in files.items():
        wheel.writestr(name, text)
    wheel.writestr(info + "RECORD", record + info + "RECORD,,\n")
if flaw == "truncated":
    data = open(path, "rb").read()
    open(path, "wb").write(data[: len(data) // 2])
digest = "0" * 64 if flaw == "wrong-digest" else hashlib.sha256(open(path, "rb").read()).hexdigest()
open(folder + "/index.txt", "a").write("%s#sha256=%s\n" % (path, digest))
