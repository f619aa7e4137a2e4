//! The public interfaces of the two libraries are the ones in their `public-api.txt`.
//!
//! After a change of an interface, review the difference that this test shows, then accept it:
//!
//! ```sh
//! cargo install --debug --locked cargo-public-api@0.52.0
//! UPDATE_EXPECT=1 cargo test -p elenchus-semantics --test public_api
//! ```
//!
//! rustdoc's JSON output is unstable, so the version of the tool must suit that of Rust: 0.52.0 reads what Rust 1.95 writes.

use expect_test::{ExpectFile, expect_file};
use std::path::Path;
use std::process::Command;

const TOOL: &str = "cargo-public-api";

#[test]
fn listings_are_up_to_date() {
    if Command::new(TOOL).arg("--version").output().is_err() {
        testing::skip(format_args!("{TOOL} is not installed (cargo install --debug --locked {TOOL}@0.52.0)"));
        return;
    }
    check("elenchus-smt", &expect_file!["../../smt/public-api.txt"]);
    check("elenchus-semantics", &expect_file!["../public-api.txt"]);
}

fn check(package: &str, listing: &ExpectFile) {
    // A build folder of its own: the variable below would make cargo build dependencies again.
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("public-api");
    let documented = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["rustdoc", "--quiet", "--locked", "--lib", "--package", package, "--target-dir"])
        .arg(&build)
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        // Stable Rust accepts `-Z` with this variable.
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .expect("cargo runs");
    assert!(documented.status.success(), "{}", String::from_utf8_lossy(&documented.stderr));

    let json = build.join("doc").join(package.replace('-', "_")).with_extension("json");
    let listed =
        Command::new(TOOL).arg("-sss").arg("--rustdoc-json").arg(json).output().expect("the tool runs");
    if !listed.status.success() {
        let why = String::from_utf8_lossy(&listed.stderr);
        testing::skip(format_args!("{TOOL} does not suit this version of Rust: {}", why.trim()));
        return;
    }
    listing.assert_eq(&String::from_utf8_lossy(&listed.stdout));
}
