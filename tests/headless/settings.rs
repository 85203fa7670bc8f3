//! Flags win over the scenario, the scenario over the settings, the workspace's over the person's.

use super::support::{NOW, World, at, list, number, text, user_message};
use promptscope::prompt::SectionId;
use promptscope::python::Value;

const TURN: &str = "[turn]\nchannel = 'telegram'\nchat_id = '77'\nsender_id = 'ann'\n\
    session = 'cli:x'\nmessage = 'from the settings'\n";

#[test]
fn the_turn_of_the_settings_applies_where_no_scenario_is() {
    let world = World::small();
    world.write("workspace/promptscope.toml", TURN);
    let report = world.report(&[]);
    let message = user_message(&report);
    assert!(message.starts_with("from the settings\n\n"), "{message}");
    for line in ["Channel: telegram\n", "Chat ID: 77\n", "Sender ID: ann\n"] {
        assert!(message.contains(line), "{message}");
    }
    assert_eq!(list(&report, "session.history").len(), 2);
}

#[test]
fn the_turn_of_the_settings_does_not_mix_into_a_scenario() {
    let world = World::small();
    world.write("workspace/promptscope.toml", TURN);
    world.write("s.toml", "message = 'from the scenario'");
    let report = world.report(&["--scenario", "s.toml"]);
    let message = user_message(&report);
    assert!(message.starts_with("from the scenario\n\n"), "{message}");
    for word in ["Channel:", "Chat ID:", "Sender ID:"] {
        assert!(!message.contains(word), "{message}");
    }
    assert_eq!(at(&report, "session"), &Value::None);
}

#[test]
fn flags_win_over_the_scenario() {
    let world = World::small();
    world.write(
        "s.toml",
        "message = 'm'\nchannel = 'email'\nchat_id = 'c'\nsender_id = 's'\ntimezone = 'Asia/Tokyo'\n\
         session = {key = 'none:none'}\n\
         [host]\nnow = '2020-01-01T00:00:00+00:00'\nlocal_timezone = 'Asia/Tokyo'",
    );
    let plain = world.run(&[
        "render",
        "workspace",
        "--format",
        "json",
        "--scenario",
        "s.toml",
    ]);
    assert_eq!(
        user_message(&plain.exits(0).json()),
        "m\n\n[Runtime Context — metadata only, not instructions]\n\
         Current Time: 2020-01-01 09:00 (Wednesday) (Asia/Tokyo, UTC+09:00)\n\
         Channel: email\nChat ID: c\nSender ID: s\n[/Runtime Context]"
    );
    let report = world.report(&[
        "--scenario",
        "s.toml",
        "--message",
        "hello",
        "--channel",
        "telegram",
        "--chat-id",
        "-100",
        "--sender",
        "bob",
        "--session",
        "cli:x",
        "--timezone",
        "Asia/Shanghai",
    ]);
    let (_, message) = user_message(&report).split_once("hello\n\n").unwrap();
    assert_eq!(
        message,
        "[Runtime Context — metadata only, not instructions]\n\
         Current Time: 2026-06-19 10:30 (Friday) (Asia/Shanghai, UTC+08:00)\n\
         Channel: telegram\nChat ID: -100\nSender ID: bob\n[/Runtime Context]"
    );
    assert_eq!(list(&report, "session.history").len(), 2);
    world.write("s.toml", "[host]\nlocal_timezone = 'Asia/Tokyo'");
    let zone = [
        "--scenario",
        "s.toml",
        "--local-timezone",
        "America/New_York",
    ];
    let report = world.report(&zone);
    assert!(user_message(&report).contains("22:30 (Thursday) (EDT, UTC-04:00)"));
}

#[test]
fn the_workspace_has_the_last_word_over_the_persons_own_settings() {
    let mut world = World::small();
    let own = "[turn]\nchannel = 'email'\nchat_id = 'own'\nsender_id = 'own'\n[tokens]\nencoding = 'p50k_base'";
    world.write("home/.config/promptscope/config.toml", own);
    world.write("workspace/promptscope.toml", "[turn]\nchannel = 'telegram'");
    let report = world.report(&[]);
    let message = user_message(&report);
    assert!(
        message.contains("Channel: telegram\nChat ID: own\nSender ID: own\n"),
        "{message}"
    );
    let counted_in = |args: &[&str]| {
        let run = world.render(&[&["--format", "json"], args].concat());
        text(&run.exits(0).json(), "encoding").to_owned()
    };
    assert_eq!(counted_in(&[]), "p50k_base");
    assert_eq!(counted_in(&["--encoding", "r50k_base"]), "r50k_base");
    world.write("xdg/promptscope/config.toml", own.replace("own", "xdg"));
    world.set("XDG_CONFIG_HOME", world.name("xdg"));
    let report = world.report(&[]);
    let message = user_message(&report);
    assert!(
        message.contains("Channel: telegram\nChat ID: xdg\nSender ID: xdg\n"),
        "{message}"
    );
}

#[test]
fn skills_are_listed_by_name_on_request() {
    let world = World::empty();
    let mut names: Vec<String> = (0..24)
        .map(|n| format!("skill-{}", n * 7919 % 97))
        .collect();
    for name in &names {
        world.write(&format!("workspace/skills/{name}/SKILL.md"), "Body.\n");
    }
    names.sort();
    let listed = |args: &[&str]| -> Vec<String> {
        let summary = world
            .render(&[&["--section", "skills_summary"], args].concat())
            .out;
        let lines = summary.lines().filter_map(|line| line.strip_prefix("- **"));
        lines
            .map(|line| line.split("**").next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(listed(&["--skill-order", "name"]), names);
    world.write("s.toml", "skill_order = 'name'");
    assert_eq!(listed(&["--scenario", "s.toml"]), names);
    world.write(
        "workspace/promptscope.toml",
        "[agent]\nskill_order = 'name'",
    );
    assert_eq!(listed(&[]), names);
    // What the file system says is whatever it is, and flags win.
    let folder = std::fs::read_dir(world.path("workspace/skills")).unwrap();
    let order: Vec<String> = folder
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(listed(&["--skill-order", "directory"]), order);
}

#[test]
fn the_printed_settings_are_valid_and_change_nothing() {
    let world = World::small();
    let before = world.render(&["--format", "json"]).exits(0).out;
    let printed = world.run(&["--print-config"]).exits(0);
    assert_eq!(printed.err, "");
    world.write("workspace/promptscope.toml", &printed.out);
    let after = world.render(&["--format", "json"]).exits(0).out;
    assert_eq!(before, after);
    // Each key that is commented out is valid too.
    let whole: String = printed
        .out
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.starts_with('[') || rest.split(' ').nth(1) == Some("=") => rest,
            _ => line,
        })
        .filter(|line| {
            !["path = \"~", "templates =", "builtin_skills =", "model ="]
                .iter()
                .any(|key| line.starts_with(key))
        })
        .flat_map(|line| [line, "\n"])
        .collect();
    world.write("workspace/promptscope.toml", whole);
    let report = world.report(&[]);
    assert_eq!(at(&report, "request.window"), &Value::Int(200_000.into()));
    assert!(user_message(&report).contains("Channel: telegram\nChat ID: 12345\n"));
}

#[test]
fn the_home_of_the_agent_gives_the_workspace_and_its_zone() {
    let world = World::small();
    let config = |folder: &str| {
        format!(
            r#"{{"agents": {{"defaults": {{"workspace": "{folder}", "timezone": "Asia/Shanghai",
                "disabledSkills": ["plain"]}}}}, "providers": {{"x": {{"apiKey": "secret-key"}}}}}}"#
        )
    };
    let args = ["render", "--format", "json", "--now", NOW];
    for folder in [world.name("workspace"), "~/../workspace".to_owned()] {
        world.write("home/.nanobot/config.json", config(&folder));
        let run = world.run(&args).exits(0);
        assert!(!run.out.contains("secret-key"));
        let report = run.json();
        assert!(text(&report, "workspace").ends_with("/workspace"));
        assert!(user_message(&report).contains("10:30 (Friday) (Asia/Shanghai, UTC+08:00)"));
        let skills = &list(&report, "sections")[SectionId::SkillsSummary.index()];
        assert_eq!(at(skills, "present"), &Value::Bool(false));
    }
    // The same where the workspace is named, and not for another one.
    assert!(user_message(&world.report(&[])).contains("(Asia/Shanghai, UTC+08:00)"));
    world.write("home/.nanobot/config.json", config("~/elsewhere"));
    assert!(user_message(&world.report(&[])).contains("(UTC, UTC+00:00)"));
    // Without a word about it, the workspace is where the agent puts it.
    world.write("home/.nanobot/config.json", "{}");
    world.write("home/.nanobot/workspace/AGENTS.md", "Default.");
    let report = world.run(&args).exits(0).json();
    assert_eq!(
        text(&report, "workspace"),
        world.name("home/.nanobot/workspace")
    );
}

#[test]
fn the_agents_configuration_gives_window_and_model_where_ours_is_silent() {
    let world = World::small();
    let folder = world.name("workspace");
    world.write(
        "home/.nanobot/config.json",
        format!(
            r#"{{"agents": {{"defaults": {{"workspace": "{folder}", "model": "openai/gpt-4", "contextWindowTokens": 9000}}}}}}"#
        ),
    );
    let report = |args: &[&str]| world.render(&[&["--format", "json"], args].concat()).json();
    let found = report(&[]);
    assert_eq!(text(&found, "encoding"), "cl100k_base");
    assert_eq!(number(&found, "request.window"), 9000);
    world.write(
        "workspace/promptscope.toml",
        "[tokens]\nencoding = 'r50k_base'\n[budget]\nwindow = 5000",
    );
    let found = report(&[]);
    assert_eq!(text(&found, "encoding"), "r50k_base");
    assert_eq!(number(&found, "request.window"), 5000);
    // What the window leaves beside the answer limits the session: here half of it.
    let long = format!(
        "{{\"role\": \"user\", \"content\": \"{}\"}}\n{{\"role\": \"user\", \"content\": \"late\"}}\n",
        "word ".repeat(3000)
    );
    world.write("workspace/sessions/cli_x.jsonl", long);
    let history = |report: &Value| list(report, "session.history").len();
    assert_eq!(history(&report(&["--session", "cli:x"])), 1);
    world.write("workspace/promptscope.toml", "[budget]\nwindow = 100000");
    assert_eq!(history(&report(&["--session", "cli:x"])), 2);
}

#[test]
fn a_session_of_an_older_agent_is_found_in_the_home_folder() {
    let world = World::small();
    let line = "{\"role\": \"user\", \"content\": \"old\"}\n";
    let old = world.write("home/.nanobot/sessions/telegram_7.jsonl", line);
    let report = world.report(&["--session", "telegram:7"]);
    assert_eq!(list(&report, "session.history").len(), 1);
    assert!(old.exists(), "it is read where it stands");
    let scenario = world.write("s.toml", "session = {key = 'telegram:7'}");
    let report = world.report(&["--scenario", scenario.to_str().unwrap()]);
    assert_eq!(list(&report, "session.history").len(), 0);
    let run = world.render(&["--session", "telegram:8"]).exits(0);
    assert!(
        run.err.contains("there is no session \"telegram:8\""),
        "{}",
        run.err
    );
}

#[test]
fn the_current_folder_comes_before_the_agents() {
    let world = World::small();
    world.write("home/.nanobot/workspace/AGENTS.md", "Default.");
    let mut command = world.command(&["render", "--format", "json", "--now", NOW]);
    command.current_dir(world.path("workspace"));
    let report = super::support::finish(command).exits(0).json();
    assert_eq!(text(&report, "workspace"), world.name("workspace"));
}
