//! Where a binding of keys holds.

/// Where a binding holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere.
    Anywhere,
    /// On the overview and in a section: where keys are not typed text.
    Reading,
    /// On the overview.
    Overview,
    /// In a section.
    Section,
    /// In the message composer.
    Message,
    /// Among the prompts as files.
    Library,
    /// While the help or the host is shown.
    Page,
    /// In a list of things to choose from.
    List,
    /// In the list of scenarios.
    Scenarios,
    /// In the list of what can be switched off.
    WhatIf,
    /// In the list of what the rules find.
    Findings,
}

impl Context {
    /// Every context, in the order of the help.
    pub const ALL: [Self; 11] = [
        Self::Anywhere,
        Self::Reading,
        Self::Overview,
        Self::Section,
        Self::Message,
        Self::Library,
        Self::Page,
        Self::List,
        Self::Scenarios,
        Self::WhatIf,
        Self::Findings,
    ];

    /// Gives the heading in the help.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Anywhere => "Everywhere",
            Self::Reading => "Overview and section",
            Self::Overview => "Overview",
            Self::Section => "Section",
            Self::Message => "Message",
            Self::Library => "Prompts as files",
            Self::Page => "Help and host",
            Self::List => "Lists",
            Self::Scenarios => "Scenarios",
            Self::WhatIf => "What if",
            Self::Findings => "Findings",
        }
    }

    /// Gives the name of the table in the settings, below `[keys]`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Anywhere => "anywhere",
            Self::Reading => "reading",
            Self::Overview => "overview",
            Self::Section => "section",
            Self::Message => "message",
            Self::Library => "library",
            Self::Page => "page",
            Self::List => "list",
            Self::Scenarios => "scenarios",
            Self::WhatIf => "what_if",
            Self::Findings => "findings",
        }
    }
}
