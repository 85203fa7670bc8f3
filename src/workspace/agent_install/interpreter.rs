//! Finds the Python that runs an installed agent, by looking at files alone.

use std::path::{Path, PathBuf};

use super::super::read;

/// Finds the interpreter of a package: that of its environment, else the one that its library
/// folder names.
pub(super) fn of_package(package: &Path, programs: &[PathBuf]) -> Option<PathBuf> {
    let environment = super::environment(package);
    let own = environment.as_deref().and_then(|environment| {
        let places = ["bin/python3", "bin/python", "Scripts/python.exe"];
        let mut places = places.iter().map(|place| environment.join(place));
        places.find(|place| read::is_program(place))
    });
    // An environment's package runs with no other Python than its own.
    if own.is_some() || environment.is_some() {
        return own;
    }
    let library = package.ancestors().skip(1).find(|folder| {
        let name = folder.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.starts_with("python3"))
    })?;
    let name = Path::new(library.file_name()?);
    // `PREFIX/lib/pythonX.Y`: its program stands in `PREFIX/bin`, where it is no person's own folder.
    let beside = library.ancestors().nth(2).map(|prefix| prefix.join("bin"));
    beside
        .iter()
        .chain(programs)
        .map(|folder| folder.join(name))
        .find(|place| read::is_program(place))
}

/// Reads the interpreter off a script's first line; `None` where it names another kind of program.
pub(super) fn of_line(line: &str, programs: &[PathBuf]) -> Option<PathBuf> {
    let mut words = line.split(' ').filter(|word| !word.is_empty());
    let program = Path::new(words.next()?);
    if is_python(program) {
        return read::is_program(program).then(|| program.to_path_buf());
    }
    if program.file_name()? != "env" {
        return None;
    }
    // `env -S` takes options too; the first word that is none is the program.
    let name = Path::new(words.find(|word| !word.starts_with('-'))?);
    if !is_python(name) {
        return None;
    }
    programs
        .iter()
        .map(|folder| folder.join(name))
        .find(|place| read::is_program(place))
}

fn is_python(program: &Path) -> bool {
    let name = program.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.starts_with("python") || name.starts_with("pypy"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn program(path: &Path) -> PathBuf {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "#!/bin/sh\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        path.to_path_buf()
    }

    #[test]
    fn an_environment_runs_with_its_own_python_or_none() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("lib/python3.12/site-packages/nanobot");
        fs::create_dir_all(&package).unwrap();
        fs::write(dir.path().join("pyvenv.cfg"), "version = 3.12.1\n").unwrap();
        let elsewhere = dir.path().join("elsewhere");
        program(&elsewhere.join("python3.12"));
        let programs = [elsewhere];
        assert_eq!(of_package(&package, &programs), None);
        let python = program(&dir.path().join("bin/python"));
        assert_eq!(of_package(&package, &programs), Some(python));
        let python3 = program(&dir.path().join("bin/python3"));
        assert_eq!(of_package(&package, &programs), Some(python3));
    }

    #[test]
    fn a_library_folder_names_the_python_of_its_prefix_or_of_the_path() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("lib/python3.11/site-packages/nanobot");
        let elsewhere = dir.path().join("elsewhere");
        assert_eq!(of_package(&package, &[]), None);
        let named = program(&elsewhere.join("python3.11"));
        assert_eq!(
            of_package(&package, std::slice::from_ref(&elsewhere)),
            Some(named)
        );
        let beside = program(&dir.path().join("bin/python3.11"));
        assert_eq!(of_package(&package, &[elsewhere]), Some(beside));
        assert_eq!(of_package(Path::new("/src/nanobot"), &[]), None);
    }

    #[test]
    fn a_script_names_its_python_outright_or_through_env() {
        let dir = tempfile::tempdir().unwrap();
        let python = program(&dir.path().join("bin/python3"));
        let programs = [dir.path().join("bin")];
        let line = python.display().to_string();
        assert_eq!(of_line(&line, &[]), Some(python.clone()));
        assert_eq!(of_line(&format!("{line} -sE"), &[]), Some(python.clone()));
        for line in ["/usr/bin/env python3", "/usr/bin/env -S python3 -s"] {
            assert_eq!(of_line(line, &programs), Some(python.clone()));
            assert_eq!(of_line(line, &[]), None);
        }
        for line in ["/bin/sh", "/usr/bin/env bash", "/none/python3", ""] {
            assert_eq!(of_line(line, &programs), None, "{line}");
        }
    }
}
