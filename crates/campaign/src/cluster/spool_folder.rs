//! The folder that a process fuzzes into if the user names none.

use case::hash::fnv1a;
use std::path::{Path, PathBuf};
use store::shared::shown;
use store::{Store, StoreError};

/// No machine has as many processes.
const MOST: usize = 4096;

/// Opens a folder for a process in a campaign of a store: the first below `root` that no other process of this machine uses. So a
/// process that starts again delivers what its predecessor has left.
pub fn open_spool_folder(root: &Path, machine: &str, url: &str, campaign: &str) -> Result<Store, StoreError> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let named = |name: &str| name.chars().map(plain).collect::<String>();
    let place = format!("{}-{:08x}", named(campaign), fnv1a(&shown(url)) as u32);
    let folder = root.join(place).join(named(machine));
    let mut number = 1;
    loop {
        match Store::open(&folder.join(number.to_string())) {
            Err(StoreError::Busy { .. }) if number < MOST => number += 1,
            opened => return opened,
        }
    }
}

/// The folder below which such folders are.
pub fn spool_root() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = variable("XDG_DATA_HOME").or_else(|| Some(variable("HOME")?.join(".local/share")));
    data.unwrap_or_default().join("elenchus/spool")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_get_folders_of_their_own_and_use_them_again() {
        let root = tempfile::tempdir().unwrap();
        let open =
            || open_spool_folder(root.path(), "node 1", "postgres://me:secret@host/db", "a/b").unwrap();
        let (one, two) = (open(), open());
        let names = [&one, &two].map(|store| store.folder().to_owned());
        assert!(names[0].ends_with("node_1/1") && names[1].ends_with("node_1/2"), "{names:?}");
        drop(one);
        assert_eq!(open().folder(), names[0]);
    }
}
