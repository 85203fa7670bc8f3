//! Ways in that have no form of their own: passwords, tokens of headers, addresses with a user.

use super::{SHORTEST, is_mixed};

/// The words before which a value counts as a password.
const PASSWORD_WORDS: [&str; 16] = [
    "secret_access_key",
    "client_secret",
    "passwort",
    "contraseña",
    "mot de passe",
    "пароль",
    "密码",
    "access_token",
    "auth_token",
    "password",
    "passwd",
    "passphrase",
    "api_key",
    "api-key",
    "apikey",
    "secret_key",
];

/// Finds the password of an address such as `postgres://user:password@host`.
pub(super) fn web_user(line: &str) -> Option<(usize, &str)> {
    let start = line.find("://")? + 3;
    let rest = &line[start..];
    let end = rest.find(['/', ' ', '"', ')', '>']).unwrap_or(rest.len());
    let (user, _) = rest[..end].rsplit_once('@')?;
    let (name, password) = user.split_once(':')?;
    let is_secret = password.len() >= 6 && !is_placeholder(password);
    is_secret.then_some((start + name.len() + 1, password))
}

/// Finds the token of an `Authorization` header.
pub(super) fn bearer(line: &str) -> Option<(usize, &str)> {
    let at = ["Bearer ", "Basic "]
        .into_iter()
        .find_map(|word| line.find(word).map(|at| at + word.len()))?;
    let rest = &line[at..];
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !"-._~+/=".contains(c));
    let token = &rest[..end.unwrap_or(rest.len())];
    (token.len() >= SHORTEST && is_mixed(token)).then_some((at, token))
}

/// Finds the address of a webhook, which whoever knows it may call.
pub(super) fn webhook(line: &str) -> Option<(usize, &str)> {
    let hosts = ["hooks.slack.com/services/", "discord.com/api/webhooks/"];
    let at = hosts
        .into_iter()
        .find_map(|host| line.find(host).map(|at| at + host.len()))?;
    let rest = &line[at..];
    let end = rest.find(|c: char| c.is_whitespace() || "\"')>".contains(c));
    let token = &rest[..end.unwrap_or(rest.len())];
    (token.len() >= SHORTEST).then_some((at, token))
}

/// Tells whether a value only says where the secret is, or that there is to be one.
fn is_placeholder(value: &str) -> bool {
    const WORDS: [&str; 12] = [
        "your",
        "changeme",
        "example",
        "process.env",
        "os.environ",
        "getenv",
        "vault:",
        "op://",
        "see-",
        ".md",
        "xxx",
        "header",
    ];
    let lower = value.to_ascii_lowercase();
    value.starts_with(['$', '<', '{', '%', '[', '(', '*'])
        || value.contains(['(', ')'])
        || WORDS.iter().any(|word| lower.contains(word))
}

/// Finds the value of something that is called a password.
pub(super) fn password(line: &str) -> Option<usize> {
    if !line.contains([':', '=', '：']) {
        return None;
    }
    // Letters outside ASCII keep their length in small ones here, so the bytes are those of the line.
    let lower = line.to_ascii_lowercase();
    for word in PASSWORD_WORDS {
        let Some(at) = lower.find(word) else {
            continue;
        };
        let after = at + word.len();
        let rest = line[after..].trim_start_matches(['"', '\'', '`', '*']);
        let rest = rest.trim_start();
        let Some(rest) = rest.strip_prefix([':', '=', '：']) else {
            continue;
        };
        let value = rest.trim_start_matches([' ', '\t', '"', '\'', '`', '*', '\\']);
        let end = value
            .find(|c: char| c.is_whitespace() || "\"',`".contains(c))
            .unwrap_or(value.len());
        let shown = &value[..end];
        let is_placeholder = is_placeholder(shown) || !is_mixed(shown);
        if end >= 8 && !is_placeholder {
            return Some(line.len() - value.len());
        }
    }
    None
}
