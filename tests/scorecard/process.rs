//! What the system tells of a process: its time, its memory and what it holds.

use std::fs;

/// A process, by its number.
#[derive(Debug, Clone, Copy)]
pub struct Process(pub u32);

impl Process {
    fn file(self, name: &str) -> Option<String> {
        fs::read_to_string(format!("/proc/{}/{name}", self.0)).ok()
    }

    /// The processor time that it took so far, in clock ticks of a hundredth of a second; `None` once it is gone.
    pub fn ticks(self) -> Option<u64> {
        let stat = self.file("stat")?;
        let (_, fields) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_whitespace().collect();
        if fields.first() == Some(&"Z") {
            return None;
        }
        let ticks = |at: usize| fields.get(at)?.parse::<u64>().ok();
        Some(ticks(11)? + ticks(12)?)
    }

    /// A figure of its memory in kilobytes: `VmRSS:` now, `VmHWM:` at its highest.
    pub fn kilobytes(self, name: &str) -> u64 {
        let status = self.file("status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let number = line.unwrap().trim().strip_suffix(" kB").unwrap();
        number.parse().unwrap()
    }

    fn count(self, folder: &str) -> usize {
        fs::read_dir(format!("/proc/{}/{folder}", self.0)).map_or(0, Iterator::count)
    }

    /// How many files it has open.
    pub fn descriptors(self) -> usize {
        self.count("fd")
    }

    /// How many threads it has.
    pub fn threads(self) -> usize {
        self.count("task")
    }

    /// How many folders the system watches for it.
    pub fn watches(self) -> usize {
        let infos = fs::read_dir(format!("/proc/{}/fdinfo", self.0));
        let texts = infos.into_iter().flatten().flatten();
        texts
            .filter_map(|info| fs::read_to_string(info.path()).ok())
            .map(|text| text.matches("inotify wd:").count())
            .sum()
    }
}
