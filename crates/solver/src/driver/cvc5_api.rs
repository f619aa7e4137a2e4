//! The part of cvc5's C interface that the driver needs, for all releases from 1.2.0 on.

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_LAZY, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

/// A pointer to one of cvc5's objects.
pub type Object = *mut c_void;

/// A buffer for cvc5's description of an option, larger than the structure of any release so far.
pub type OptionBuffer = [u64; 512];

macro_rules! interface {
    (needed { $($(#[$doc:meta])* $name:ident: $kind:ty,)* } optional { $($(#[$optional_doc:meta])* $optional:ident: $optional_kind:ty,)* }) => {
        /// The functions of cvc5, named without the prefix `cvc5_`.
        pub struct Api {
            $($(#[$doc])* pub $name: $kind,)*
            $($(#[$optional_doc])* pub $optional: Option<$optional_kind>,)*
        }

        impl Api {
            /// Finds all functions in a loaded library. The error names the missing one.
            fn find(library: &Library) -> Result<Api, String> {
                // SAFETY: the types are those in cvc5's C header, which are the same in all releases.
                unsafe {
                    Ok(Api {
                        $($name: *library.get::<$kind>(concat!("cvc5_", stringify!($name)))
                            .map_err(|_| format!("the library has no function cvc5_{}", stringify!($name)))?,)*
                        $($optional: library.get::<$optional_kind>(concat!("cvc5_", stringify!($optional)))
                            .ok().map(|function| *function),)*
                    })
                }
            }
        }
    };
}

interface! {
    needed {
        term_manager_new: unsafe extern "C" fn() -> Object,
        term_manager_delete: unsafe extern "C" fn(Object),
        new: unsafe extern "C" fn(Object) -> Object,
        delete: unsafe extern "C" fn(Object),
        get_version: unsafe extern "C" fn(Object) -> *const c_char,
        set_option: unsafe extern "C" fn(Object, *const c_char, *const c_char),
        get_option_names: unsafe extern "C" fn(Object, *mut usize) -> *const *const c_char,
        get_option_info: unsafe extern "C" fn(Object, *const c_char, *mut OptionBuffer),
        option_info_to_string: unsafe extern "C" fn(*const OptionBuffer) -> *const c_char,
        symbol_manager_new: unsafe extern "C" fn(Object) -> Object,
        symbol_manager_delete: unsafe extern "C" fn(Object),
        parser_new: unsafe extern "C" fn(Object, Object) -> Object,
        parser_delete: unsafe extern "C" fn(Object),
        parser_set_file_input: unsafe extern "C" fn(Object, c_int, *const c_char),
        parser_set_inc_str_input: unsafe extern "C" fn(Object, c_int, *const c_char),
        parser_append_inc_str_input: unsafe extern "C" fn(Object, *const c_char),
        parser_next_command: unsafe extern "C" fn(Object, *mut *const c_char) -> Object,
        cmd_get_name: unsafe extern "C" fn(Object) -> *const c_char,
        cmd_invoke: unsafe extern "C" fn(Object, Object, Object) -> *const c_char,
    }
    optional {
        /// From 1.4.0 on; before, a command lives as long as its parser.
        cmd_release: unsafe extern "C" fn(Object),
        /// From 1.4.0 on; before, an error ends the process.
        has_error: unsafe extern "C" fn() -> bool,
        /// From 1.4.0 on.
        get_error_message: unsafe extern "C" fn() -> *const c_char,
        /// From 1.4.0 on.
        reset_error: unsafe extern "C" fn(),
    }
}

impl Api {
    /// Loads the libraries in `folder` and never unloads them, which would only run destructors.
    ///
    /// A fork server binds symbols `at_once`, so that its children need not; for a single script that would take longer.
    pub fn load(folder: &Path, at_once: bool) -> Result<Api, String> {
        let binding = if at_once { RTLD_NOW } else { RTLD_LAZY };
        let parser = find_library(folder, "libcvc5parser")?;
        // The parser's library loads the other one. Symbols are global so that the functions of both are found.
        // SAFETY: loading cvc5 runs only its static initialisers.
        let library = unsafe { Library::open(Some(&parser), binding | RTLD_GLOBAL) };
        let library = library.map_err(|error| format!("{} cannot be loaded: {error}", parser.display()))?;
        let api = Api::find(&library);
        std::mem::forget(library);
        crate::native::cover::install();
        api
    }

    /// The error of the last call, if the library reports errors instead of ending the process.
    pub fn take_error(&self) -> Option<String> {
        // SAFETY: the functions have no arguments, and the message is copied before the next call.
        unsafe {
            if !(self.has_error?)() {
                return None;
            }
            let message = text((self.get_error_message?)());
            (self.reset_error?)();
            Some(message)
        }
    }
}

/// The file in `folder` whose name is `name` followed by a dash or a dot.
pub(crate) fn find_library(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            file.strip_prefix(name).is_some_and(|rest| rest.starts_with(['-', '.'])) && file.contains(".so")
        })
        .collect();
    found.sort();
    found.into_iter().next().ok_or_else(|| format!("{} contains no {name}", folder.display()))
}

/// Copies a string of the library. A null pointer is an empty string.
pub fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: the library returns NUL-terminated strings that live until the next call.
    unsafe { CStr::from_ptr(string) }.to_string_lossy().into_owned()
}

/// A string for the library. It ends at the first NUL, as for the parser of the real executable.
pub fn c_string(bytes: impl Into<Vec<u8>>) -> CString {
    let mut bytes = bytes.into();
    if let Some(end) = bytes.iter().position(|byte| *byte == 0) {
        bytes.truncate(end);
    }
    CString::new(bytes).unwrap_or_default()
}
