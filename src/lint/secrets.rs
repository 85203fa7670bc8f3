//! Keys, passwords and private addresses in what is sent. None is ever written out in full.

mod mask;
mod ways_in;

use std::ops::Range;

use super::scan::{self, Scanned};
use super::{Finding, Subject, finding};
pub use mask::{masked, within};
use ways_in::{bearer, password, web_user, webhook};

/// A form of keys: what it is called, what it begins with, and how many letters follow at least.
const FORMS: [(&str, &str, usize); 29] = [
    ("an Anthropic key", "sk-ant-", 24),
    ("an OpenRouter key", "sk-or-", 24),
    ("an OpenAI key", "sk-proj-", 24),
    ("an OpenAI key", "sk-svcacct-", 24),
    ("an API key", "sk-", 32),
    ("a Groq key", "gsk_", 40),
    ("an xAI key", "xai-", 40),
    ("a Perplexity key", "pplx-", 40),
    ("a Replicate token", "r8_", 36),
    ("a Google API key", "AIza", 35),
    ("a Google OAuth token", "ya29.", 40),
    ("an AWS access key", "AKIA", 16),
    ("an AWS access key", "ASIA", 16),
    ("a GitHub token", "ghp_", 36),
    ("a GitHub token", "gho_", 36),
    ("a GitHub token", "ghu_", 36),
    ("a GitHub token", "ghs_", 36),
    ("a GitHub token", "github_pat_", 60),
    ("a GitLab token", "glpat-", 20),
    ("a Hugging Face token", "hf_", 34),
    ("an npm token", "npm_", 36),
    ("a PyPI token", "pypi-", 60),
    ("a Slack token", "xoxb-", 24),
    ("a Slack token", "xoxp-", 24),
    ("a Slack token", "xapp-", 24),
    ("a Stripe key", "sk_live_", 24),
    ("a Stripe key", "rk_live_", 24),
    ("a SendGrid key", "SG.", 40),
    ("a DigitalOcean token", "dop_v1_", 60),
];

/// The letters of the shortest form of a key.
const SHORTEST: usize = 20;
/// From how many letters on a text can be random.
const RANDOM_LENGTH: usize = 32;
/// From how many bits a letter on it counts as random.
const RANDOM_BITS: f64 = 4.25;

/// Checks the text of every file.
pub(super) fn check(subject: &Subject, found: &mut Vec<Finding>) {
    for file in &subject.survey.files {
        let before = found.len();
        for scanned in scan::texts(file) {
            in_text(&file.path, &scanned, found);
            if found.len() - before > scan::MOST {
                break;
            }
        }
    }
}

fn in_text(path: &str, scanned: &Scanned, found: &mut Vec<Finding>) {
    let mut start = 0;
    // A certificate is public, however random it looks.
    let mut in_certificate = false;
    let before = found.len();
    for line in scanned.text.split('\n') {
        in_certificate |= line.contains("-----BEGIN CERTIFICATE");
        if line.len() > SHORTEST_LINE && !in_certificate {
            for (range, rule, what) in in_line(line) {
                let fix = match rule {
                    "private-address" => "leave it out if the model needs no address",
                    _ => "take it out and change it: what stands here is sent again and again",
                };
                let message = format!("{what} stands here");
                found
                    .push(finding(rule, message, fix).at(path, scanned.place(start + range.start)));
            }
        }
        in_certificate &= !line.contains("-----END CERTIFICATE");
        start += line.len() + 1;
        if found.len() - before > scan::MOST {
            return;
        }
    }
}

/// Shorter lines hold no secret.
const SHORTEST_LINE: usize = 8;

/// Where in the line it stands, the rule, and what it is.
type Hit = (Range<usize>, &'static str, String);

fn in_line(line: &str) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    if let Some(at) = line.find("-----BEGIN ")
        && line[at..].contains("PRIVATE KEY")
    {
        hits.push((at..line.len(), "secret", "a private key".to_owned()));
    }
    for (at, word) in words(line) {
        // The shortest key has twenty letters, and an address begins with a digit.
        if word.len() < SHORTEST && !word.contains(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let hit = form(word)
            .or_else(|| telegram_token(word))
            .or_else(|| web_token(word))
            .map(|what| ("secret", format!("{what} ({})", hinted(word))))
            .or_else(|| {
                private(word).then(|| ("private-address", format!("the private address {word}")))
            })
            .or_else(|| {
                is_random(word).then(|| {
                    (
                        "high-entropy",
                        format!(
                            "a random text of {} letters ({}), like a key,",
                            word.len(),
                            hinted(word)
                        ),
                    )
                })
            });
        hits.extend(hit.map(|(rule, what)| (at..at + word.len(), rule, what)));
    }
    for (at, value) in [web_user(line), bearer(line), webhook(line)]
        .into_iter()
        .flatten()
    {
        if hits.iter().all(|(other, ..)| other.start != at) {
            let what = format!("a way in ({})", hinted(value));
            hits.push((at..at + value.len(), "secret", what));
        }
    }
    if let Some(at) = password(line)
        && hits.iter().all(|(other, ..)| other.start != at)
    {
        let value = line[at..]
            .split(|c: char| c.is_whitespace() || "\"',`".contains(c))
            .next()
            .unwrap_or_default();
        let what = format!("a password ({})", hinted(value));
        hits.push((at..at + value.len(), "secret", what));
    }
    hits
}

/// Splits a line into the words that a key could be.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.:+/=".contains(c);
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + line[rest..].find(is_part)?;
        let length = line[start..]
            .find(|c| !is_part(c))
            .unwrap_or(line.len() - start);
        rest = start + length;
        let word = line[start..rest].trim_end_matches(['.', ':', '=', '/']);
        Some((start, word))
    })
    .map(|(start, word)| {
        // KEY=value and "key:value" hold a key behind the sign.
        let after = word.rfind(['=', ':']).map_or(0, |at| at + 1);
        let inner = &word[after..];
        let is_inner = after > 0 && inner.len() >= 16 && form(inner).is_some();
        if is_inner {
            (start + after, inner)
        } else {
            (start, word)
        }
    })
}

fn form(word: &str) -> Option<&'static str> {
    let (what, ..) = FORMS.iter().find(|(_, start, least)| {
        word.strip_prefix(start).is_some_and(|rest| {
            let run =
                rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-' && c != '.');
            run.unwrap_or(rest.len()) >= *least && is_mixed(rest)
        })
    })?;
    Some(what)
}

/// A key has digits and letters; a placeholder such as `sk-xxxxxxxx` has one letter.
fn is_mixed(text: &str) -> bool {
    let mut letters: Vec<char> = text.chars().collect();
    letters.sort_unstable();
    letters.dedup();
    letters.len() >= 8
        && text
            .chars()
            .any(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
}

fn telegram_token(word: &str) -> Option<&'static str> {
    let (bot, key) = word.split_once(':')?;
    let is_bot = (8..=10).contains(&bot.len()) && bot.chars().all(|c| c.is_ascii_digit());
    let is_key = key.len() == 35
        && key
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    (is_bot && is_key).then_some("a Telegram bot token")
}

fn web_token(word: &str) -> Option<&'static str> {
    let parts: Vec<&str> = word.split('.').collect();
    let is_token = parts.len() == 3
        && parts[0].starts_with("eyJ")
        && parts[1].starts_with("eyJ")
        && parts[2].len() > 16;
    is_token.then_some("a JSON web token")
}

/// Tells whether a word is an IPv4 address of a private network.
fn private(word: &str) -> bool {
    let host = word.rsplit("//").next().unwrap_or(word);
    let host = host.split(['/', ':']).next().unwrap_or(host);
    let parts: Option<Vec<u8>> = host.split('.').map(|part| part.parse().ok()).collect();
    match parts.as_deref() {
        Some([10, _, _, _] | [192, 168, _, _]) => true,
        Some([172, second, _, _]) => (16..32).contains(second),
        _ => false,
    }
}

fn is_random(word: &str) -> bool {
    let is_key = word.len() >= RANDOM_LENGTH
        && !word.contains("//")
        && !["sha256-", "sha384-", "sha512-", "AAAA"]
            .iter()
            .any(|start| word.starts_with(start))
        && longest_small_run(word) < WORD
        && !word.contains('.')
        && word.matches('/').count() <= 2
        && word.matches('-').count() <= 2
        && word.matches(':').count() == 0;
    let has = |is: fn(&char) -> bool| word.chars().filter(is).count() >= 3;
    is_key
        && has(char::is_ascii_digit)
        && has(char::is_ascii_uppercase)
        && has(char::is_ascii_lowercase)
        && entropy(word) >= RANDOM_BITS
}

/// From so many small letters in a row on, a text has words in it: it is a name.
const WORD: usize = 7;

fn longest_small_run(word: &str) -> usize {
    let runs = word.split(|c: char| !c.is_ascii_lowercase()).map(str::len);
    runs.max().unwrap_or(0)
}

/// Gives Shannon's entropy in bits a letter.
fn entropy(word: &str) -> f64 {
    let mut counts = [0_u32; 128];
    for byte in word.bytes() {
        counts[usize::from(byte & 127)] += 1;
    }
    let length: f64 = counts.iter().copied().map(f64::from).sum();
    let shares = counts
        .iter()
        .filter(|count| **count > 0)
        .map(|count| f64::from(*count) / length);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

/// Shows as much of a secret as tells which one it is.
fn hinted(secret: &str) -> String {
    let shown: String = secret.chars().take(4).collect();
    format!("{shown}…, {} letters", secret.chars().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(line: &str) -> Vec<&'static str> {
        in_line(line).into_iter().map(|(_, rule, _)| rule).collect()
    }

    /// Puts a key together, so that none stands here as one.
    fn key(start: &str, length: usize) -> String {
        let letters = "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0z";
        start
            .chars()
            .chain(letters.chars().cycle().take(length))
            .collect()
    }

    #[test]
    fn every_form_is_found_and_never_written_out() {
        for (_, start, least) in FORMS {
            let key = key(start, least);
            for line in [
                key.clone(),
                format!("use `{key}`."),
                format!("TOKEN={key}"),
                format!("\"key\": \"{key}\","),
            ] {
                let hits = in_line(&line);
                assert!(hits.iter().any(|(_, rule, _)| *rule == "secret"), "{line}");
                assert!(hits.iter().all(|(.., what)| !what.contains(&key)), "{line}");
                let at = hits[0].0.start;
                assert_eq!(&line[at..at + key.len()], key, "{line}");
            }
        }
        assert_eq!(
            rules(&format!("{}:{}", "1".repeat(9), key("", 35))),
            ["secret"]
        );
        assert_eq!(
            rules(&format!("-----{} RSA PRIVATE KEY-----", "BEGIN")),
            ["secret"]
        );
        let token = format!("eyJ{}.eyJ{}.{}", key("", 20), key("", 20), key("", 30));
        assert_eq!(rules(&token), ["secret"]);
    }

    #[test]
    fn passwords_addresses_and_random_texts_are_found() {
        assert_eq!(rules("password: hunter2Xy9q"), ["secret"]);
        for line in [
            "password\t=\t\"Tr0ub4dor3xyz\"",
            "postgres://admin:Tr0ub4dor3xyz@db.example.com:5432/prod",
            "Authorization: Bearer abcdef0123456789abcdef0123456789",
            "https://hooks.slack.com/services/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",
            "-----BEGIN PGP PRIVATE KEY BLOCK-----",
            "Passwort: Sommer2024!",
            "密码：Abc12345xyz",
        ] {
            assert_eq!(rules(line), ["secret"], "{line}");
        }
        assert_eq!(rules("\"api_key\": \"q8Wk3nZ81\""), ["secret"]);
        assert_eq!(
            rules("the printer is at http://192.168.1.20:631/"),
            ["private-address"]
        );
        assert_eq!(rules(&key("", 40)), ["high-entropy"]);
    }

    #[test]
    fn what_is_no_secret_is_left_alone() {
        for line in [
            "password: $PASSWORD",
            "api_key: process.env.API_KEY_1",
            "password: op://Private/db1/password",
            "password: changeme123",
            "sha512-9Xk3Qz1bT7vY5wN2mL8pR4sD6fG0hJcAeUiOoPqWxZyVtBnMkLjHgFdSaQwErT1yU2iO3pA4sD5fG6hJ7kL8zX==",
            "AbstractSingletonProxyFactoryBean2InitializerV3Impl4",
            "password: <your password>",
            "Never tell anybody a password: not even Arif.",
            "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "https://example.org/a/very/long/path/With/Many/Parts/And/Numbers/1234567890",
            "d22710640c228b702c0d8d36196040ed56a734c13ca69afd14cb5888c894bb76",
            "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
            "memory/history.jsonl and skills/workshop-calendar/SKILL.md",
            "8.8.8.8 is public, version 1.10.0.1 too",
            "ThisIsAVeryLongCamelCaseIdentifierWithoutDigits",
        ] {
            assert_eq!(rules(line), [] as [&str; 0], "{line}");
        }
    }
}
