//! Where a workspace is read from: the disk, a tree of files in its place, and how far links are followed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::beneath::Beneath;
use super::{AgentError, Content, Entry, FileRead, FolderOrder, Found, Shelf, Tree};

/// Where a workspace is read from.
///
/// What lies outside the tree is read from the disk, as builtin skills are. Over both may lie files that
/// are written nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Source {
    tree: Option<Arc<Tree>>,
    fence: Option<Fence>,
    over: Arc<BTreeMap<PathBuf, Arc<[u8]>>>,
    shelf: Option<Shelf>,
}

/// A folder that no link leads out of.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fence {
    /// The folder as paths name it.
    named: PathBuf,
    /// The folder without links.
    real: PathBuf,
}

/// Where a path of a source leads.
enum Led<'a> {
    ToDisk(PathBuf),
    Fenced(Beneath),
    ToFile(&'a Arc<[u8]>),
    ToFolder(PathBuf),
    Nowhere,
}

impl Source {
    /// Reads from a tree.
    #[must_use]
    pub fn tree(tree: Arc<Tree>) -> Self {
        Self {
            tree: Some(tree),
            ..Self::default()
        }
    }

    /// Keeps what files on the disk held, and takes it from a shelf where they stand as they were.
    #[must_use]
    pub fn shelved(mut self, kept: &Shelf) -> Self {
        self.shelf = Some(kept.clone());
        self
    }

    /// Follows no link that leads out of a folder; what is named outside of it is read as ever.
    ///
    /// A folder that a fence around it does not let through gets none of its own.
    #[must_use]
    pub fn fenced(&self, folder: &Path) -> Self {
        let real = self.resolved(folder);
        let is_kept_out = self.fence.as_ref().is_some_and(|fence| {
            folder.starts_with(&fence.named) && !real.starts_with(&fence.real)
        });
        if is_kept_out {
            return self.clone();
        }
        let named = folder.to_path_buf();
        Self {
            fence: Some(Fence { named, real }),
            ..self.clone()
        }
    }

    /// Lays files over the source, by their absolute paths.
    #[must_use]
    pub fn with_files(mut self, files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Self {
        let files = files
            .into_iter()
            .map(|(path, bytes)| (path, Arc::from(bytes)));
        Arc::make_mut(&mut self.over).extend(files);
        self
    }

    /// Lists the entries of a folder that only files laid over it bring.
    fn laid_over<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = PathBuf> + 'a {
        self.over.keys().filter_map(move |path| {
            let below = path.strip_prefix(folder).ok()?;
            below.components().next().map(|name| folder.join(name))
        })
    }

    fn tree_of(&self, path: &Path) -> Option<&Arc<Tree>> {
        let tree = self.tree.as_ref();
        tree.filter(|tree| path.starts_with(&tree.root))
    }

    fn on_disk(&self, asked: &Path, path: PathBuf) -> Led<'_> {
        match &self.fence {
            Some(fence) if asked.starts_with(&fence.named) => {
                Led::Fenced(Beneath::of(&fence.real, asked, &path))
            }
            _ => Led::ToDisk(path),
        }
    }

    fn led(&self, asked: &Path) -> Led<'_> {
        if let Some(bytes) = self.over.get(asked) {
            return Led::ToFile(bytes);
        }
        let Some(tree) = self.tree_of(asked) else {
            return self.on_disk(asked, asked.to_path_buf());
        };
        let Some(path) = tree.followed(asked) else {
            return Led::Nowhere;
        };
        if !path.starts_with(&tree.root) {
            return self.on_disk(asked, path);
        }
        match tree.entries.get(&path) {
            Some(Entry::File(bytes)) => Led::ToFile(bytes),
            Some(Entry::OnDisk) => self.on_disk(asked, path),
            _ if tree.is_folder(&path) => Led::ToFolder(path),
            _ => Led::Nowhere,
        }
    }

    /// Reads what a file holds; `Ok(None)` if there is none.
    pub fn content(&self, path: &Path) -> Result<Option<Content>, AgentError> {
        let opened = match self.led(path) {
            Led::ToDisk(at) => super::open_regular(&at).map_err(|failure| AgentError {
                path: Some(path.to_path_buf()),
                ..failure
            }),
            Led::Fenced(at) => at.file(),
            Led::ToFile(bytes) => return Ok(Some(Content::of(path, bytes.to_vec()))),
            Led::ToFolder(_) => Err(AgentError::at(
                path,
                "IsADirectoryError",
                "is a folder where a file should be",
            )),
            Led::Nowhere => return Ok(None),
        };
        super::content(path, opened, self.shelf.as_ref())
    }

    /// Reads a text file as [`super::text`] does.
    #[must_use]
    pub fn text(&self, path: &Path) -> FileRead {
        FileRead::of(self.content(path))
    }

    /// Reads a text file as [`super::text_unasked`] does.
    #[must_use]
    pub fn text_unasked(&self, path: &Path) -> FileRead {
        let read = self.text(path);
        if read != FileRead::Missing {
            return read;
        }
        let end = match self.led(path) {
            Led::ToDisk(at) => Some(at),
            Led::Fenced(at) => at.into_end(),
            Led::ToFile(_) | Led::ToFolder(_) | Led::Nowhere => None,
        };
        super::unasked(end.as_deref(), read).renamed(path)
    }

    /// Resolves the links of a path, as [`super::resolved`] does.
    #[must_use]
    pub fn resolved(&self, path: &Path) -> PathBuf {
        match self.tree_of(path) {
            _ if self.over.contains_key(path) => path.to_path_buf(),
            Some(tree) => tree.followed(path).unwrap_or_else(|| path.to_path_buf()),
            None => super::resolved(path),
        }
    }

    /// Looks where a path leads, as [`super::find`] does.
    pub fn find(&self, path: &Path) -> Result<Found, AgentError> {
        let found = match self.led(path) {
            Led::ToDisk(at) => super::find(&at),
            Led::Fenced(at) => at.find(),
            Led::ToFile(bytes) => Ok(Found::File(u64::try_from(bytes.len()).unwrap_or(u64::MAX))),
            Led::ToFolder(_) => Ok(Found::Folder),
            Led::Nowhere => Ok(Found::Nothing),
        };
        match found {
            Ok(Found::Nothing) if self.laid_over(path).next().is_some() => Ok(Found::Folder),
            found => found,
        }
    }

    /// Tells whether a path itself is a link, as [`super::is_link`] does.
    #[must_use]
    pub fn is_link(&self, path: &Path) -> bool {
        match self.tree_of(path) {
            _ if self.over.contains_key(path) => false,
            Some(tree) => matches!(tree.entries.get(path), Some(Entry::Link(_))),
            None => super::is_link(path),
        }
    }

    /// Lists a folder's entries, as [`super::list`] does.
    ///
    /// In the order of the directory, those of a tree stand as on the disk, and what is not there after
    /// them by name.
    pub fn list(&self, path: &Path, order: FolderOrder) -> Result<Vec<PathBuf>, AgentError> {
        let mut listed = self.below_the_files(path, order)?;
        for entry in self.laid_over(path) {
            if !listed.contains(&entry) {
                listed.push(entry);
            }
        }
        Ok(listed)
    }

    /// Lists the same without the files that lie over it.
    fn below_the_files(&self, path: &Path, order: FolderOrder) -> Result<Vec<PathBuf>, AgentError> {
        let folder = match self.led(path) {
            Led::ToDisk(at) => {
                // Through a link, what is found goes by the path that it was asked for.
                let listed = super::list(&at, order)?.into_iter();
                let named = listed.map(|entry| match entry.file_name() {
                    Some(name) => path.join(name),
                    None => entry,
                });
                return Ok(named.collect());
            }
            Led::Fenced(at) => return at.list(order),
            Led::ToFolder(folder) => folder,
            Led::Nowhere => return Ok(Vec::new()),
            Led::ToFile(_) => {
                let message = "is a file where a folder should be";
                return Err(AgentError::at(path, "NotADirectoryError", message));
            }
        };
        let mut names: Vec<PathBuf> = Vec::new();
        let entries = self
            .tree
            .iter()
            .flat_map(|tree| tree.entries.range(folder.clone()..));
        for (entry, _) in entries.take_while(|(entry, _)| entry.starts_with(&folder)) {
            let name = entry.strip_prefix(&folder).ok();
            let name = name.and_then(|below| below.components().next());
            let child = name.map(|name| path.join(name));
            names.extend(child.filter(|child| names.last() != Some(child)));
        }
        // A tree has no order of its own: what stands on the disk too keeps its place there, so that
        // two revisions differ by what they hold alone.
        let on_disk = match order {
            FolderOrder::Directory => super::list(path, order).unwrap_or_default(),
            FolderOrder::Name => Vec::new(),
        };
        names.sort_by_key(|entry| {
            let at = on_disk.iter().position(|other| other == entry);
            let name = entry
                .file_name()
                .map(|name| name.as_encoded_bytes().to_vec());
            (at.unwrap_or(usize::MAX), name)
        });
        Ok(names)
    }

    /// Reads at most `limit` bytes from the start of a file, as [`super::head`] does.
    #[must_use]
    pub fn head(&self, path: &Path, limit: u64) -> Vec<u8> {
        match self.led(path) {
            Led::ToDisk(at) => super::head(&at, limit),
            Led::Fenced(at) => at.head(limit),
            Led::ToFile(bytes) => {
                let limit = usize::try_from(limit).unwrap_or(usize::MAX);
                bytes[..limit.min(bytes.len())].to_vec()
            }
            Led::ToFolder(_) | Led::Nowhere => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests;
