//! The files of a finding: writing those of the common store into the folder, and reading those of the folder.

use crate::error::StoreError;
use crate::shared::FindingFile;
use case::hash::{fnv1a, fnv1a_bytes};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The prefix of the names of unfinished files. A finding has no file with such a name.
const UNFINISHED: &str = ".unfinished-";

/// Whether a name from the store is safe as the name of a file: it must not lead out of its folder.
pub fn is_plain_name(name: &str) -> bool {
    is_safe(name) && !name.contains('/')
}

/// Whether a path from the store stays in its folder and is not hidden.
fn is_safe(path: &str) -> bool {
    let plain = |part: Component<'_>| matches!(part, Component::Normal(name) if !name.to_string_lossy().starts_with('.'));
    !path.is_empty() && !path.contains(['\\', '\0']) && Path::new(path).components().all(plain)
}

/// Makes the folder of a finding have exactly these files. Those that are the same are not touched.
pub fn write(folder: &Path, files: &[FindingFile]) -> Result<(), StoreError> {
    let mut kept = BTreeSet::new();
    for file in files {
        if !is_safe(&file.path) {
            let detail = format!("a file of a finding has the path `{}`", file.path);
            return Err(StoreError::Foreign { path: folder.to_owned(), detail });
        }
        replace(&folder.join(&file.path), &file.content)?;
        kept.insert(folder.join(&file.path));
    }
    for path in paths(folder)? {
        if !kept.contains(&path) {
            fs::remove_file(&path).map_err(StoreError::io(&path))?;
        }
    }
    Ok(())
}

/// Writes a file, so that readers see the old content or the new one.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), StoreError> {
    if fs::read(path).is_ok_and(|present| present == content) {
        return Ok(());
    }
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(StoreError::io(parent))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let building = parent.join(format!("{UNFINISHED}{name}"));
    fs::write(&building, content).map_err(StoreError::io(&building))?;
    fs::rename(&building, path).map_err(StoreError::io(path))
}

/// The files of the folder of a finding, sorted by path.
pub fn read(folder: &Path) -> Result<Vec<FindingFile>, StoreError> {
    let mut files = Vec::new();
    for path in paths(folder)? {
        let content = fs::read(&path).map_err(StoreError::io(&path))?;
        let relative = path.strip_prefix(folder).unwrap_or(&path).to_string_lossy().into_owned();
        if is_safe(&relative) {
            files.push(FindingFile { path: relative, content });
        }
    }
    Ok(files)
}

/// A number that identifies the files of a finding.
pub fn digest(files: &[FindingFile]) -> String {
    let mut sorted: Vec<&FindingFile> = files.iter().collect();
    sorted.sort_by(|one, other| one.path.cmp(&other.path));
    let line = |file: &&FindingFile| {
        format!("{} {} {:016x}\n", file.path, file.content.len(), fnv1a_bytes(&file.content))
    };
    format!("{:016x}", fnv1a(&sorted.iter().map(line).collect::<String>()))
}

/// All files below a folder, sorted; none if it does not exist.
fn paths(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(StoreError::io(folder)(error)),
        };
        for entry in entries {
            let entry = entry.map_err(StoreError::io(&folder))?;
            match entry.file_type().map_err(StoreError::io(entry.path()))? {
                kind if kind.is_dir() => folders.push(entry.path()),
                kind if kind.is_file() => found.push(entry.path()),
                // Nobody of ours makes links.
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, content: &str) -> FindingFile {
        FindingFile { path: path.to_owned(), content: content.as_bytes().to_vec() }
    }

    #[test]
    fn a_folder_gets_exactly_the_files_of_the_store() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("findings").join("crash-1");
        let first = [file("case.smt2", "(check-sat)\n"), file("outputs/z3.txt", "sat\n")];
        write(&folder, &first).unwrap();
        assert_eq!(read(&folder).unwrap(), first);
        let second = [file("case.smt2", "(check-sat)\n"), file("reduced.smt2", "")];
        write(&folder, &second).unwrap();
        assert_eq!(read(&folder).unwrap(), second);
        assert_ne!(digest(&first), digest(&second));
        let [one, two] = second;
        assert_eq!(digest(&[one.clone(), two.clone()]), digest(&[two, one]));
    }

    #[test]
    fn nothing_is_written_outside_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["../x", "/tmp/x", "a/../../x", "", ".hidden", "a/.b", "a\\b"] {
            assert!(write(&folder.path().join("f"), &[file(path, "x")]).is_err(), "{path}");
        }
        assert!(
            is_plain_name("crash-1") && !is_plain_name("a/b") && !is_plain_name("..") && !is_plain_name("")
        );
    }
}
