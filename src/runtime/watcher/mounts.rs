//! File systems that keep silent about what other machines change.

use std::collections::BTreeMap;
use std::fs;

use super::tracked::Identity;

/// The devices of silent file systems, each with the name of its kind.
#[derive(Debug, Default)]
pub(super) struct SilentMounts(BTreeMap<(u32, u32), String>);

impl SilentMounts {
    /// Reads the table of mounts; where a system has none, nothing counts as silent.
    pub(super) fn read() -> Self {
        Self::parse(&fs::read_to_string("/proc/self/mountinfo").unwrap_or_default())
    }

    fn parse(table: &str) -> Self {
        Self(table.lines().filter_map(silent_mount).collect())
    }

    /// Names the kind of file system of a folder, if it is a silent one.
    #[cfg(target_os = "linux")]
    pub(super) fn kind(&self, (device, _): Identity) -> Option<&str> {
        let device = (libc::major(device), libc::minor(device));
        self.0.get(&device).map(String::as_str)
    }

    /// Names the kind of file system of a folder, if it is a silent one.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn kind(&self, _: Identity) -> Option<&str> {
        None
    }
}

fn silent_mount(line: &str) -> Option<((u32, u32), String)> {
    let (place, source) = line.split_once(" - ")?;
    let kind = source.split(' ').next()?;
    let remote = [
        "9p", "afs", "beegfs", "ceph", "cifs", "drvfs", "fuse", "gfs2", "gpfs", "lustre", "nfs",
        "nfs4", "ocfs2", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs", "vmhgfs",
    ];
    if !remote.contains(&kind) && !kind.starts_with("fuse.") {
        return None;
    }
    let (major, minor) = place.split(' ').nth(2)?.split_once(':')?;
    Some(((major.parse().ok()?, minor.parse().ok()?), kind.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remote_file_systems_are_silent_and_local_ones_are_not() {
        let table = "29 1 0:26 / / rw,relatime shared:1 - ext4 /dev/sda rw\n\
            36 29 0:33 / /mnt/a rw - nfs4 server:/a rw\n\
            37 29 0:34 / /mnt/b rw shared:2 master:1 - fuse.sshfs host: rw\nshort\n\
            38 29 0:35 / /mnt/c rw - fuseblk /dev/sdb rw\n39 29 0:36 / /mnt/d rw - lustre a rw\n";
        let silent = SilentMounts::parse(table).0;
        let kinds: Vec<_> = silent.values().collect();
        assert_eq!(kinds, ["nfs4", "fuse.sshfs", "lustre"]);
        assert!(silent.contains_key(&(0, 33)));
    }
}
