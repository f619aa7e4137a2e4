//! The files for breakpoints, in the format of `native/cover.rs`: the plan with the addresses, and the map with the hits.

use super::functions::{Functions, PAGE};
use super::{CoveragePoint, Reached};
use crate::native::cover::{BREAKPOINT, Header, MAGIC, NAME};
use crate::run::CoverageFiles;
use rustix::fs::MemfdFlags;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Memory shared with solvers. It has no name in any folder, so nothing is left behind.
#[derive(Debug)]
pub(super) struct Exchange {
    files: CoverageFiles,
    /// The watched functions, by their points.
    watched: Vec<CoveragePoint>,
    /// The functions without breakpoints, since every run reaches them.
    always: Reached,
}

impl Exchange {
    /// Makes the plan for all functions except those that every run reaches. `library` means that a driver loads them.
    pub fn new(functions: &Functions, library: bool, always: Reached) -> io::Result<Exchange> {
        let mut name = [0; NAME];
        if library {
            let file = functions.path.file_name().unwrap_or_default().as_encoded_bytes();
            let length = file.len().min(NAME - 1);
            name[..length].copy_from_slice(&file[..length]);
        }
        let all = CoveragePoint::all(functions.all.len());
        let watched: Vec<CoveragePoint> = all.filter(|&point| !always.contains(point)).collect();
        let count = watched.len();
        let before_image = (size_of::<Header>() + count * 9) as u64;
        let image = before_image.next_multiple_of(PAGE);
        let (start, end) = functions.code;
        let words = [MAGIC, count as u64, start, end, u64::from(functions.relative), image];
        let mut bytes = Vec::with_capacity(image as usize + functions.pages.len());
        words.iter().for_each(|word| bytes.extend_from_slice(&word.to_ne_bytes()));
        bytes.extend_from_slice(&name);
        for &point in &watched {
            bytes.extend_from_slice(&functions.all[point.get()].address.to_ne_bytes());
        }
        let mut pages = functions.pages.clone();
        for &point in &watched {
            let at = (functions.all[point.get()].address - (start - start % PAGE)) as usize;
            bytes.push(std::mem::replace(&mut pages[at], BREAKPOINT));
        }
        bytes.resize(image as usize, 0);
        bytes.extend_from_slice(&pages);
        let plan = memory("elenchus-functions", &bytes)?;
        let map = memory("elenchus-reached", &vec![0; count])?;
        Ok(Exchange { files: CoverageFiles { plan, map }, watched, always })
    }

    /// Both files, for solvers.
    pub fn files(&self) -> CoverageFiles {
        self.files.clone()
    }

    /// Clears the hits.
    pub fn wipe(&self) -> io::Result<()> {
        self.files.map.write_all_at(&vec![0; self.watched.len()], 0)
    }

    /// The functions that were reached since then.
    pub fn read(&self) -> io::Result<Reached> {
        let mut bytes = vec![0; self.watched.len()];
        self.files.map.read_exact_at(&mut bytes, 0)?;
        let mut reached = self.always.clone();
        let hit = self.watched.iter().zip(&bytes).filter(|(_, byte)| **byte != 0);
        hit.for_each(|(&point, _)| reached.insert(point));
        Ok(reached)
    }
}

fn memory(name: &str, bytes: &[u8]) -> io::Result<Arc<File>> {
    let mut file = File::from(rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    Ok(Arc::new(file))
}
