//! The functions of an executable or library, found in its own unwind tables: release builds have no debug information, but every
//! function has an entry in `.eh_frame`.

use gimli::{BaseAddresses, CieOrFde, EhFrame, LittleEndian, UnwindSection};
use object::{Architecture, Object, ObjectKind, ObjectSection, ObjectSymbol};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The address of its first instruction, as the file states it.
    pub address: u64,
    /// Its name in the symbol table, if there is one.
    pub name: Option<String>,
}

/// The functions of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Functions {
    /// The file.
    pub path: PathBuf,
    /// The functions, by rising address.
    pub all: Vec<Function>,
    /// Where code begins and ends.
    pub code: (u64, u64),
    /// Whether addresses count from where the file is loaded.
    pub relative: bool,
    /// The code as it is in the file, in whole pages: from the page in which it begins to that in which it ends.
    pub(super) pages: Vec<u8>,
}

/// The size of a page, of which the image of the code is made.
pub(super) const PAGE: u64 = 4096;

/// Why a solver's functions cannot be watched.
#[derive(Debug)]
pub enum CoverError {
    /// The file cannot be read.
    Unreadable(PathBuf, std::io::Error),
    /// It is no program for 64-bit x86 with unwind tables.
    Unfit(PathBuf, String),
    /// It is said to be a build that tells what it reaches, and does not.
    NoDistinguishingFunctions(PathBuf, String),
    /// A file to exchange what was reached could not be made.
    Exchange(std::io::Error),
}

impl fmt::Display for CoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoverError::Unreadable(path, error) => write!(f, "{} cannot be read: {error}", path.display()),
            CoverError::Unfit(path, why) => {
                write!(f, "the functions of {} cannot be watched: {why}", path.display())
            }
            CoverError::NoDistinguishingFunctions(path, why) => {
                write!(f, "{} does not tell what it reaches: {why}", path.display())
            }
            CoverError::Exchange(error) => write!(f, "no memory can be shared with solvers: {error}"),
        }
    }
}

impl std::error::Error for CoverError {}

impl CoverError {
    /// What a person can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            CoverError::Unreadable(..) => "check that the solver is installed: elenchus solver doctor",
            CoverError::Unfit(..) => {
                "choose a release executable of Z3, or cvc5 from 1.2.0 on, on 64-bit x86"
            }
            CoverError::NoDistinguishingFunctions(..) => {
                "build it with an AFL compiler (afl), with --coverage (gcov) or with -fprofile-instr-generate (llvm; LLVM_PROFDATA names the \
                 tool that reads it), or take `coverage` out of its block"
            }
            CoverError::Exchange(_) => "check the limits on open files and memory (ulimit -a)",
        }
    }
}

impl Functions {
    /// Reads the functions of a file.
    pub fn read(path: &Path) -> Result<Functions, CoverError> {
        let data = std::fs::read(path).map_err(|error| CoverError::Unreadable(path.to_owned(), error))?;
        let unfit = |why: String| CoverError::Unfit(path.to_owned(), why);
        let file = object::File::parse(&*data).map_err(|error| unfit(error.to_string()))?;
        if file.architecture() != Architecture::X86_64 {
            return Err(unfit(format!("it is for {:?}", file.architecture())));
        }
        let section =
            |name: &str| file.section_by_name(name).ok_or_else(|| unfit(format!("it has no section {name}")));
        let (text, frames) = (section(".text")?, section(".eh_frame")?);
        if frames.size() == 0 {
            return Err(unfit("its section .eh_frame is empty".to_owned()));
        }
        // An executable that loads nothing cannot have our library loaded into it.
        if file.section_by_name(".dynamic").is_none() {
            return Err(unfit("it is linked statically".to_owned()));
        }
        let code = (text.address(), text.address() + text.size());
        let names: BTreeMap<u64, String> = file
            .symbols()
            .chain(file.dynamic_symbols())
            .filter_map(|symbol| Some((symbol.address(), symbol.name().ok()?.to_owned())))
            .filter(|(_, name)| !name.is_empty())
            .collect();
        let bytes = frames.uncompressed_data().map_err(|error| unfit(error.to_string()))?;
        let bases = BaseAddresses::default().set_eh_frame(frames.address()).set_text(text.address());
        let mut addresses = starts(&bytes, &bases).map_err(|error| unfit(error.to_string()))?;
        addresses.retain(|address| (code.0..code.1).contains(address));
        addresses.sort_unstable();
        addresses.dedup();
        if addresses.is_empty() {
            return Err(unfit("its unwind tables name no function".to_owned()));
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
        let pages = pages.ok_or_else(|| unfit("its code is not in the file".to_owned()))?;
        Ok(Functions { path: path.to_owned(), all, code, relative, pages })
    }
}

/// The first addresses of all entries of an unwind table.
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
