//! The example that promptscope brings along shows what it says it shows.

use std::fs;
use std::path::Path;

use promptscope::prompt::SectionId;

use super::support::{NOW, World, number, section};

fn folder() -> String {
    format!("{}/workspace-example", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_scenario_of_the_example_runs() {
    let world = World::empty();
    let scenarios = fs::read_dir(Path::new(&folder()).join("scenarios")).unwrap();
    let mut count = 0;
    for scenario in scenarios {
        let scenario = scenario.unwrap().path().display().to_string();
        let args = [
            "render",
            &folder(),
            "--format",
            "json",
            "--scenario",
            &scenario,
        ];
        let run = world.run(&args).exits(0);
        assert_eq!(run.err, "", "{scenario}");
        assert!(number(&run.json(), "request.tokens") > 0, "{scenario}");
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn one_section_of_the_example_is_over_its_budget_and_one_near() {
    let file = fs::read_to_string(Path::new(&folder()).join("promptscope.toml")).unwrap();
    let settings: toml::Table = toml::from_str(&file).unwrap();
    let budget = &settings["budget"];
    let warn_at = budget["warn_at"].as_float().unwrap();
    let world = World::empty();
    let args = ["render", &folder(), "--format", "json", "--now", NOW];
    let report = world.run(&args).exits(0).json();
    let (mut over, mut near) = (vec![], vec![]);
    for id in SectionId::ALL {
        let used = f64::from(u32::try_from(number(section(&report, id), "tokens")).unwrap());
        let allowed = budget[id.id()].as_integer().unwrap();
        let allowed = f64::from(u32::try_from(allowed).unwrap());
        if used > allowed {
            over.push(id);
        } else if used >= allowed * warn_at {
            near.push(id);
        }
    }
    assert_eq!(over, [SectionId::RecentHistory]);
    assert_eq!(near, [SectionId::Memory]);
    let total = budget["total"].as_integer().unwrap();
    let used = number(&report, "system_prompt.tokens");
    assert!(i64::try_from(used).unwrap() < total, "{used} of {total}");
}
