//! Where a campaign is: in a folder, or in a common store, whose mirror is a folder too.

use crate::config::DEFAULT_OUT;
use crate::member_statistics::MemberStatistics;
use case::Hinted;
use solver::install::{InstallError, Settings};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::shared::{Document, SharedCampaign, SharedStore, open, shown};
use store::{KNOWN_DOCUMENT, KNOWN_FILE, Mirror, StoreError, Touched};
use triage::TriageError;
use triage::known::KnownBugs;

/// How long to try to deliver the result of a command.
const PATIENCE: Duration = Duration::from_secs(60);
/// The pause between two attempts.
const PAUSE: Duration = Duration::from_secs(2);
/// How often to write a document that others write at the same time.
const ATTEMPTS: usize = 20;

/// Makes the new content of a document from the old one.
pub type ChangeBody<'a, E> = &'a mut dyn FnMut(Option<&[u8]>) -> Result<Vec<u8>, E>;

/// A campaign that a command reads and works on.
pub struct Place {
    folder: PathBuf,
    common: Option<CommonPlace>,
}

/// A campaign in a common store.
pub struct CommonPlace {
    /// The URL of the store.
    pub url: String,
    /// The store.
    pub shared: Box<dyn SharedStore>,
    /// The folder that has what the store has.
    pub mirror: Mirror,
}

/// The campaign of a store with this name, or the latest one.
pub fn find_campaign(
    shared: &mut dyn SharedStore,
    url: &str,
    name: Option<&str>,
) -> Result<SharedCampaign, StoreError> {
    let found = match name {
        Some(name) => shared.campaign(name)?,
        None => shared.campaigns()?.into_iter().next(),
    };
    found.ok_or_else(|| StoreError::Absent {
        store: shown(url),
        what: name.map_or_else(|| "campaign".to_owned(), |name| format!("campaign `{name}`")),
    })
}

impl CommonPlace {
    /// Opens a campaign of a store: the one with a name, or the latest one. Its mirror is below the folder `cache` and up to date.
    pub fn open(url: &str, name: Option<&str>, cache: &Path) -> Result<CommonPlace, StoreError> {
        let mut place = CommonPlace::open_as_left(url, name, cache)?;
        place.update()?;
        Ok(place)
    }

    /// As [`open`](Self::open), with the mirror as it was left.
    pub fn open_as_left(url: &str, name: Option<&str>, cache: &Path) -> Result<CommonPlace, StoreError> {
        let mut shared = open(url)?;
        let campaign = find_campaign(&mut *shared, url, name)?;
        let mirror = Mirror::open(cache, url, &campaign)?;
        Ok(CommonPlace { url: url.to_owned(), shared, mirror })
    }

    /// Brings the mirror up to date. Returns whether anything has changed.
    pub fn update(&mut self) -> Result<bool, StoreError> {
        self.mirror.update(&mut *self.shared, &mut MemberStatistics::default())
    }

    /// Connects anew.
    pub fn reconnect(&mut self) -> Result<(), StoreError> {
        self.shared = open(&self.url)?;
        Ok(())
    }

    /// Changes a document. `change` receives its content, `None` if nobody has written it, and returns the new one. It is called again
    /// if somebody else was faster.
    pub fn change_document<E: From<StoreError>>(
        &mut self,
        kind: &str,
        name: &str,
        change: ChangeBody<'_, E>,
    ) -> Result<(), E> {
        let campaign = self.mirror.campaign().id;
        for _ in 0..ATTEMPTS {
            let old = self.shared.document(campaign, kind, name)?;
            let body = change(old.as_ref().map(|document| document.body.as_slice()))?;
            let revision = old.map_or(0, |document| document.revision);
            let new = Document { kind: kind.to_owned(), name: name.to_owned(), revision, body };
            if self.shared.put_document(campaign, &new)? {
                return Ok(());
            }
        }
        let detail = format!("others write its {kind} all the time");
        Err(StoreError::Server { store: shown(&self.url), detail }.into())
    }

    /// The known bugs.
    pub fn known(&mut self) -> Result<KnownBugs, TriageError> {
        let (kind, name) = KNOWN_DOCUMENT;
        let found = self.shared.document(self.mirror.campaign().id, kind, name)?;
        known_of(found.as_ref().map(|document| document.body.as_slice()))
    }

    /// Changes the list of known bugs.
    pub fn change_known(
        &mut self,
        change: &mut dyn FnMut(&mut KnownBugs) -> Result<(), TriageError>,
    ) -> Result<(), TriageError> {
        let (kind, name) = KNOWN_DOCUMENT;
        self.change_document::<TriageError>(kind, name, &mut |body| {
            let mut known = known_of(body)?;
            change(&mut known)?;
            Ok(known.text().into_bytes())
        })?;
        self.known()?.write(&self.mirror.folder().join(KNOWN_FILE))
    }
}

fn known_of(body: Option<&[u8]>) -> Result<KnownBugs, TriageError> {
    match body {
        Some(body) => KnownBugs::parse(&String::from_utf8_lossy(body), Path::new(KNOWN_FILE)),
        None => Ok(KnownBugs::default()),
    }
}

impl Place {
    /// A campaign in a folder.
    pub fn folder(folder: PathBuf) -> Place {
        Place { folder, common: None }
    }

    /// A campaign in a common store.
    pub fn common(common: CommonPlace) -> Place {
        Place { folder: common.mirror.folder().to_owned(), common: Some(common) }
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }

    /// The common store, if it is in one.
    pub fn common_mut(&mut self) -> Option<&mut CommonPlace> {
        self.common.as_mut()
    }

    /// What to call it.
    pub fn name(&self) -> String {
        match &self.common {
            Some(common) => format!("{} of {}", common.mirror.campaign().name, shown(&common.url)),
            None => self.folder.display().to_string(),
        }
    }

    /// The arguments that name it on the command line.
    pub fn arguments(&self) -> String {
        match &self.common {
            Some(common) => {
                format!("--store {} --campaign {}", shown(&common.url), common.mirror.campaign().name)
            }
            None => format!("--out {}", self.folder.display()),
        }
    }

    /// Says that the folder is about to be changed.
    pub fn begin_work(&mut self) -> Result<(), StoreError> {
        self.common.as_mut().map_or(Ok(()), |common| common.mirror.begin_work())
    }

    /// Takes what was changed in the folder to the common store, if the campaign is in one.
    pub fn push(&mut self, touched: Touched<'_>) -> Result<(), StoreError> {
        let Some(common) = &mut self.common else { return Ok(()) };
        let until = Instant::now() + PATIENCE;
        loop {
            match common.mirror.push(&mut *common.shared, touched) {
                Err(error) if !error.is_lasting() && Instant::now() < until => {
                    std::thread::sleep(PAUSE);
                    // The next attempt says what is wrong.
                    let _ = common.reconnect();
                }
                pushed => return pushed.map(|_| ()),
            }
        }
    }

    /// The known bugs: those of the common store, or those of a file.
    pub fn known(&mut self, file: &Path) -> Result<KnownBugs, TriageError> {
        match &mut self.common {
            Some(common) => common.known(),
            None => KnownBugs::read(file),
        }
    }

    /// Changes the list of known bugs: that of the common store, or that of a file.
    pub fn change_known(
        &mut self,
        file: &Path,
        change: &mut dyn FnMut(&mut KnownBugs) -> Result<(), TriageError>,
    ) -> Result<(), TriageError> {
        match &mut self.common {
            Some(common) => common.change_known(change),
            None => {
                let mut known = KnownBugs::read(file)?;
                change(&mut known)?;
                known.write(file)
            }
        }
    }
}

/// The variables that name a store and a campaign in it.
pub const STORE_VARIABLE: &str = "ELENCHUS_STORE";
/// See [`STORE_VARIABLE`].
pub const CAMPAIGN_VARIABLE: &str = "ELENCHUS_CAMPAIGN";

/// A common store as a user names it, on the command line or in the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoreName {
    /// Its URL.
    pub url: Option<String>,
    /// The name of the campaign.
    pub campaign: Option<String>,
}

impl StoreName {
    /// The same, completed from the environment.
    pub fn or_environment(self) -> StoreName {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        StoreName {
            url: self.url.or_else(|| variable(STORE_VARIABLE)),
            campaign: self.campaign.or_else(|| variable(CAMPAIGN_VARIABLE)),
        }
    }

    /// The URL and the name of the campaign, if one is named.
    pub fn resolve(self) -> Result<(String, Option<String>), PlaceError> {
        match &self.url {
            Some(url) if shown(url) != *url => return Err(PlaceError::Password(shown(url))),
            _ => {}
        }
        let name = self.or_environment();
        Ok((name.url.ok_or(PlaceError::NoStore)?, name.campaign))
    }
}

/// Why a campaign cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// The common store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no folder for the mirror.
    #[error(transparent)]
    Install(#[from] InstallError),
    /// No store is named.
    #[error("no store is named")]
    NoStore,
    /// The command line has a password.
    #[error("everybody on this machine can read the password in {0}")]
    Password(String),
}

impl Hinted for PlaceError {
    fn hint(&self) -> Option<String> {
        match self {
            PlaceError::Store(error) => error.hint(),
            PlaceError::Install(error) => Some(error.hint().to_owned()),
            PlaceError::Password(_) => Some(format!(
                "keep it in ~/.pgpass or in PGPASSWORD, or put the whole URL into {STORE_VARIABLE}"
            )),
            PlaceError::NoStore => Some(format!(
                "add --store postgres://USER@HOST/DATABASE or --store sqlite:FILE, or set {STORE_VARIABLE}"
            )),
        }
    }
}

impl CommonPlace {
    /// Opens the campaign that a user names.
    pub fn named(name: StoreName) -> Result<CommonPlace, PlaceError> {
        let (url, campaign) = name.resolve()?;
        let cache = Settings::from_environment()?.cache;
        Ok(CommonPlace::open(&url, campaign.as_deref(), &cache)?)
    }
}

impl Place {
    /// Opens the campaign that a user names: in a store, in a folder, in the store of the environment, or in the usual folder.
    pub fn named(out: Option<PathBuf>, store: StoreName) -> Result<Place, PlaceError> {
        if out.is_none() && store.clone().or_environment().url.is_some() {
            return Ok(Place::common(CommonPlace::named(store)?));
        }
        if store.campaign.is_some() {
            return Err(PlaceError::NoStore);
        }
        Ok(Place::folder(out.unwrap_or_else(|| DEFAULT_OUT.into())))
    }
}
