//! Finds the functions of an executable or library in its unwind tables.
//!
//! Release builds have no debug information, but every function has an entry in `.eh_frame`.

use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, UnwindSection};
use object::{Architecture, Object, ObjectKind, ObjectSection, ObjectSymbol};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The address of its first instruction in the file.
    pub address: u64,
    /// Its name in the symbol table, if there is one.
    pub name: Option<String>,
}

/// The functions of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Functions {
    /// The file.
    pub path: PathBuf,
    /// The functions by ascending address.
    pub all: Vec<Function>,
    /// The start and end of the code.
    pub code: (u64, u64),
    /// Whether addresses are relative to the load address.
    pub relative: bool,
    /// The code in whole pages, as in the file.
    pub(super) pages: Vec<u8>,
}

/// The page size in bytes.
pub(super) const PAGE: u64 = 4096;

/// Why coverage is not available.
#[derive(Debug, thiserror::Error)]
pub enum CoverError {
    /// The file cannot be read.
    #[error("cannot read `{}`: {}", .0.display(), .1)]
    Unreadable(PathBuf, std::io::Error),
    /// The file is not a program for 64-bit x86 with unwind tables.
    #[error("cannot set breakpoints in `{}`: {}", .0.display(), .1)]
    Unsupported(PathBuf, String),
    /// The build does not report coverage, although its block says so.
    #[error("`{}` does not report coverage: {}", .0.display(), .1)]
    NotInstrumented(PathBuf, String),
    /// Memory cannot be shared with solvers.
    #[error("cannot share memory with solvers: {0}")]
    Exchange(std::io::Error),
}

impl CoverError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            CoverError::Unreadable(..) => "check that the solver is installed: elenchus solver doctor",
            CoverError::Unsupported(..) => {
                "use a release executable of Z3, or cvc5 from 1.2.0 on, on 64-bit x86"
            }
            CoverError::NotInstrumented(..) => {
                "build it with an AFL compiler (afl), with --coverage (gcov) or with -fprofile-instr-generate (llvm; LLVM_PROFDATA names the \
                 tool that reads it), or remove `coverage` from its block"
            }
            CoverError::Exchange(_) => "check the limits on open files and memory (ulimit -a)",
        }
    }
}

impl Functions {
    /// Reads the functions of a file.
    pub fn read(path: &Path) -> Result<Functions, CoverError> {
        let data = std::fs::read(path).map_err(|error| CoverError::Unreadable(path.to_owned(), error))?;
        let unsupported = |why: String| CoverError::Unsupported(path.to_owned(), why);
        let file = object::File::parse(&*data).map_err(|error| unsupported(error.to_string()))?;
        if file.architecture() != Architecture::X86_64 {
            return Err(unsupported(format!("it is for {:?}", file.architecture())));
        }
        let section = |name: &str| {
            file.section_by_name(name).ok_or_else(|| unsupported(format!("it has no section {name}")))
        };
        let (text, frames) = (section(".text")?, section(".eh_frame")?);
        if frames.size() == 0 {
            return Err(unsupported("its section .eh_frame is empty".to_owned()));
        }
        // Our library cannot be preloaded into a static executable.
        if file.section_by_name(".dynamic").is_none() {
            return Err(unsupported("it is linked statically".to_owned()));
        }
        let code = (text.address(), text.address() + text.size());
        let names: BTreeMap<u64, String> = file
            .symbols()
            .chain(file.dynamic_symbols())
            .filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?.to_owned())))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        let bytes = frames.uncompressed_data().map_err(|error| unsupported(error.to_string()))?;
        let bases = BaseAddresses::default().set_eh_frame(frames.address()).set_text(text.address());
        let mut addresses = starts(&bytes, &bases).map_err(|error| unsupported(error.to_string()))?;
        addresses.retain(|address| (code.0..code.1).contains(address));
        addresses.sort_unstable();
        addresses.dedup();
        if addresses.is_empty() {
            return Err(unsupported("its unwind tables name no function".to_owned()));
        }
        let all = addresses
            .into_iter()
            .map(|address| Function { address, name: names.get(&address).cloned() })
            .collect();
        let relative = file.kind() == ObjectKind::Dynamic;
        let pages = text.file_range().and_then(|(offset, _)| {
            let before = code.0 % PAGE;
            let length = (before + (code.1 - code.0)).next_multiple_of(PAGE) as usize;
            let from = usize::try_from(offset.checked_sub(before)?).ok()?;
            let mut pages = data.get(from..)?.to_vec();
            pages.resize(length, 0);
            Some(pages)
        });
        let pages = pages.ok_or_else(|| unsupported("its code is not in the file".to_owned()))?;
        Ok(Functions { path: path.to_owned(), all, code, relative, pages })
    }
}

/// The first address of every entry of an unwind table.
fn starts(bytes: &[u8], bases: &BaseAddresses) -> gimli::Result<Vec<u64>> {
    let table = EhFrame::new(bytes, LittleEndian);
    let mut entries = table.entries(bases);
    let mut found = Vec::new();
    while let Some(entry) = entries.next()? {
        if let CieOrFde::Fde(partial) = entry {
            let whole = partial.parse(|_, bases, offset| table.cie_from_offset(bases, offset))?;
            found.push(whole.initial_address());
        }
    }
    Ok(found)
}
