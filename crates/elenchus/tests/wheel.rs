//! The Python package: a wheel of this checkout brings the program and the module into a fresh virtual environment.

use case::{Class, Severity};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// What builds the wheel, and what checks the types of the module.
const TOOLS: [&str; 2] = ["maturin==1.16.0", "mypy==2.4.1"];

/// A virtual environment.
struct Environment(PathBuf);

impl Environment {
    /// A fresh environment, or why there cannot be one.
    fn new(folder: PathBuf) -> Result<Environment, String> {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&folder).output();
        match made {
            Ok(output) if output.status.success() => Ok(Environment(folder)),
            Ok(output) => Err(format!("python3 -m venv: {}", shown(&output))),
            Err(error) => Err(format!("python3: {error}")),
        }
    }

    /// A program of the environment. It finds nothing of Python's and ours outside of it.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.0.join("bin").join(program));
        for variable in ["ELENCHUS_BINARY", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"] {
            command.env_remove(variable);
        }
        command
    }

    fn pip(&self, arguments: &[&str]) -> Output {
        let always = ["-m", "pip", "--quiet", "--disable-pip-version-check", "install"];
        self.command("python").args(always).args(arguments).output().unwrap()
    }
}

#[test]
fn the_wheel_installs_a_program_that_fuzzes_and_a_module_that_works() {
    let place = tempfile::tempdir().unwrap();
    let tools = match Environment::new(place.path().join("tools")) {
        Ok(environment) => environment,
        Err(reason) => return testing::skip(reason),
    };
    let installed = tools.pip(&TOOLS);
    if !installed.status.success() {
        return testing::skip(format_args!("cannot install {}: {}", TOOLS.join(" and "), shown(&installed)));
    }
    types_are_right(&tools, &place.path().join("mypy"));
    let wheel = build(&tools, &place.path().join("wheels"));

    let fresh = Environment::new(place.path().join("fresh")).unwrap();
    succeeds(&fresh.pip(&["--no-index", wheel.to_str().unwrap()]));
    let version = succeeds(&fresh.command("elenchus").arg("--version").output().unwrap());
    assert_eq!(version, concat!("elenchus ", env!("CARGO_PKG_VERSION"), "\n"));
    fuzzes(&fresh, &place.path().join("campaign"));
    module_works(&fresh, &place.path().join("module"));
    enumerations_are_complete(&fresh);
}

/// Builds the wheel from the checkout. Dependencies are shared with the test of packages, so they are built in the same way: as Cargo
/// does outside of this workspace, without information for debuggers.
fn build(tools: &Environment, wheels: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_BIN_EXE_elenchus")).with_file_name("packages").join("build");
    let mut command = tools.command("maturin");
    command.args(["build", "--locked", "--profile", "dev", "--compression-method", "stored"]);
    for packages in ["", ".package.\"*\""] {
        command.args(["--config", &format!("profile.dev{packages}.opt-level=0")]);
    }
    command.arg("--out").arg(wheels).current_dir(checkout());
    command.env("CARGO_TARGET_DIR", target).env("CARGO_PROFILE_DEV_DEBUG", "0");
    // Cargo describes the package of a running test. Some build scripts would take that for a change, and run again.
    for (name, _) in std::env::vars_os() {
        if name
            .to_str()
            .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
        {
            command.env_remove(name);
        }
    }
    succeeds(&command.output().unwrap());
    let files: Vec<PathBuf> = fs::read_dir(wheels).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [wheel] = &files[..] else { panic!("one wheel is expected: {files:?}") };
    // The program does not depend on the release of Python.
    let name = wheel.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(concat!("elenchus-", env!("CARGO_PKG_VERSION"), "-py3-none-")), "{name}");
    wheel.clone()
}

/// Checks the types of the module and of its tests.
fn types_are_right(tools: &Environment, cache: &Path) {
    let mut mypy = tools.command("mypy");
    mypy.args(["--strict", "--cache-dir"]).arg(cache).args(["elenchus", "tests"]);
    succeeds(&mypy.current_dir(checkout().join("python")).output().unwrap());
}

/// Runs a short campaign with the installed program.
fn fuzzes(environment: &Environment, folder: &Path) {
    fs::create_dir(folder).unwrap();
    let mut command = environment.command("elenchus");
    command.args(["fuzz", "--cases", "50", "--solver", "z3@5.4.0", "--solver", "cvc5@1.4.2", "--out", "out"]);
    let output = command.current_dir(folder).output().unwrap();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", shown(&output));
    assert!(folder.join("out/elenchus.db").is_file());
}

/// Runs the tests of the module and the examples of its pages, away from its source.
fn module_works(environment: &Environment, folder: &Path) {
    let tests = folder.join("tests");
    fs::create_dir_all(&tests).unwrap();
    for entry in fs::read_dir(checkout().join("python/tests")).unwrap().map(Result::unwrap) {
        if entry.path().extension().is_some_and(|extension| extension == "py") {
            fs::copy(entry.path(), tests.join(entry.file_name())).unwrap();
        }
    }
    let python = |arguments: &[&str]| {
        succeeds(&environment.command("python").args(arguments).current_dir(folder).output().unwrap())
    };
    python(&["-m", "unittest"]);
    for page in ["docs/python.md", "python/README.md"] {
        // Doctest would take the line that ends a block for output.
        let text = fs::read_to_string(checkout().join(page)).unwrap();
        let lines = text.lines().map(|line| if line.starts_with("```") { "" } else { line });
        fs::write(folder.join("page.md"), lines.collect::<Vec<_>>().join("\n")).unwrap();
        python(&["-m", "doctest", "page.md"]);
    }
    let program = python(&["-c", "import elenchus; print(elenchus.program())"]);
    assert_eq!(Path::new(program.trim_end()), environment.0.join("bin/elenchus"));
}

/// The module knows all classes and severities of findings.
fn enumerations_are_complete(environment: &Environment) {
    let word = |value: serde_json::Value| value.as_str().unwrap().to_owned();
    let classes = Class::ALL.map(|class| word(serde_json::json!(class)));
    let severities = Class::ALL
        .into_iter()
        .flat_map(|class| [false, true].map(|options| word(serde_json::json!(Severity::of(class, options)))));
    let table = [("FindingClass", BTreeSet::from(classes)), ("Severity", severities.collect())];
    for (name, expected) in table {
        let program = format!("import elenchus; print(*[member.value for member in elenchus.{name}])");
        let printed = succeeds(&environment.command("python").args(["-c", &program]).output().unwrap());
        assert_eq!(
            printed.split_whitespace().map(str::to_owned).collect::<BTreeSet<_>>(),
            expected,
            "{name}"
        );
    }
}

fn checkout() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a program printed. It must have ended with 0.
#[track_caller]
fn succeeds(output: &Output) -> String {
    assert!(output.status.success(), "{}", shown(output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The end of what a program printed.
fn shown(output: &Output) -> String {
    let text = String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}
