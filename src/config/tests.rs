//! What files of settings become.

use super::*;

fn file(path: &str, text: &str) -> ConfigText {
    ConfigText {
        path: path.into(),
        text: text.into(),
    }
}

#[test]
fn the_defaults_are_what_the_file_says() {
    let config = Config::resolve(&[]).unwrap();
    assert_eq!(config.encoding, None);
    assert_eq!(config.theme, "auto");
    assert_eq!(config.budget, Budget::default());
    assert_eq!(config.skill_order, FolderOrder::Directory);
}

#[test]
fn every_key_that_is_shown_commented_out_is_known() {
    let shown: String = DEFAULT_CONFIG
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.starts_with('[') || rest.split(' ').nth(1) == Some("=") => rest,
            _ => line,
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    let config = Config::resolve(&[file("/w/promptscope.toml", &shown)]).unwrap();
    assert_eq!(config.budget.window, Some(200_000));
    assert_eq!(config.turn.session.as_deref(), Some("telegram:12345"));
    assert!(config.budget.sections.iter().all(Option::is_some));
}

#[test]
fn later_files_win_key_by_key() {
    let config = Config::resolve(&[
        file(
            "/u/config.toml",
            "[budget]\ntotal = 10\nmemory = 5\n[tokens]\nmodel = 'gpt-4'",
        ),
        file(
            "/w/promptscope.toml",
            "[budget]\ntotal = 20\n[agent]\ntemplates = 't'",
        ),
    ])
    .unwrap();
    assert_eq!(config.budget.total, Some(20));
    assert_eq!(config.budget.section(SectionId::Memory), Some(5));
    assert_eq!(config.encoding, Some(Encoding::Cl100kBase));
    assert_eq!(config.templates, Some("/w/t".into()));
}

#[test]
fn an_error_names_the_file_and_the_line() {
    for (text, wanted) in [
        ("[budget]\nmemry = 5", "/w/p.toml:2: unknown field `memry`"),
        ("[budget", "/w/p.toml:1:"),
        ("[budget]\nmemory = -5", "/w/p.toml:2:"),
        ("[tokens]\nencoding = 'o200k'", "\"o200k\""),
        ("[tokens]\nmodel = 'gemini-x'", "gemini-x"),
        ("[budget]\nwarn_at = 2.0", "`budget.warn_at`"),
        ("[host]\nlocal_timezone = 'Mars'", "`host.local_timezone`"),
        ("[agent]\nbuiltin_skills = 5", "a folder, or false"),
        (
            "[runtime_lines]\ncli_app = '{{ nme }}'",
            "`runtime_lines.cli_app`",
        ),
    ] {
        let error = Config::resolve(&[file("/w/p.toml", text)]).unwrap_err();
        assert!(error.to_string().contains(wanted), "{text}: {error}");
        assert!(error.to_string().contains("/w/p.toml"), "{text}: {error}");
    }
}
