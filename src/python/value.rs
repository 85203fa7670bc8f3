//! A Python value as JSON or YAML yields it, with Python's truth, equality and text.

mod repr;

use std::hash::{Hash, Hasher};

use chrono::{FixedOffset, NaiveDate, NaiveDateTime};
use indexmap::IndexMap;
use num_bigint::BigInt;

/// A Python value.
///
/// Two values are equal when Python says so: `1`, `1.0` and `True` are one and the same key of a
/// mapping.
#[derive(Debug, Clone)]
pub enum Value {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An `int` of any size.
    Int(BigInt),
    /// A `float`.
    Float(f64),
    /// A `str`; lone surrogates travel as [`super::surrogate`] says.
    Str(String),
    /// `bytes` (YAML's `!!binary`).
    Bytes(Vec<u8>),
    /// A `list`.
    List(Vec<Value>),
    /// A `tuple` (a pair of YAML's `!!omap` and `!!pairs`, or a sequence used as a key).
    Tuple(Vec<Value>),
    /// A `dict`.
    Dict(Dict),
    /// A `set` (YAML's `!!set`), in the order of the file.
    Set(Vec<Value>),
    /// A `datetime.date`.
    Date(NaiveDate),
    /// A `datetime.datetime`, with its offset from UTC where it has one.
    DateTime(NaiveDateTime, Option<FixedOffset>),
}

/// A Python mapping: insertion order kept, the last value of a key kept.
pub type Dict = IndexMap<Value, Value>;

impl Value {
    /// Makes a `str`.
    pub fn str(text: impl Into<String>) -> Self {
        Self::Str(text.into())
    }

    /// Gives the text of a `str`, `None` for any other type.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// Gives the mapping of a `dict`, `None` for any other type.
    #[must_use]
    pub fn as_dict(&self) -> Option<&Dict> {
        match self {
            Self::Dict(dict) => Some(dict),
            _ => None,
        }
    }

    /// Looks a text key up in a `dict`; `None` if it is missing or `self` is no `dict`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_dict()?.get(&Self::str(key))
    }

    /// Tells whether Python takes the value for true: all but `None`, `False`, zero and the empty.
    #[must_use]
    pub fn truth(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(value) => *value,
            Self::Int(value) => *value != BigInt::ZERO,
            Self::Float(value) => *value != 0.0,
            Self::Str(text) => !text.is_empty(),
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::List(items) | Self::Tuple(items) | Self::Set(items) => !items.is_empty(),
            Self::Dict(dict) => !dict.is_empty(),
            Self::Date(_) | Self::DateTime(..) => true,
        }
    }

    /// Names the Python type, as `type(value).__name__` does.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Set(_) => "set",
            Self::Date(_) => "date",
            Self::DateTime(..) => "datetime",
        }
    }

    /// Gives the value as a whole number if Python counts it as equal to one.
    fn whole(&self) -> Option<BigInt> {
        match self {
            Self::Bool(value) => Some(BigInt::from(*value)),
            Self::Int(value) => Some(value.clone()),
            Self::Float(value) if value.is_finite() && value.fract() == 0.0 => {
                // The shortest text of a whole float is exact once written out in full.
                format!("{value:.0}").parse().ok()
            }
            _ => None,
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::None, Self::None) => true,
            (Self::Str(a), Self::Str(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => a == b,
            (Self::Set(a), Self::Set(b)) => {
                a.len() == b.len() && a.iter().all(|item| b.contains(item))
            }
            (Self::Dict(a), Self::Dict(b)) => a == b,
            (Self::Date(a), Self::Date(b)) => a == b,
            (Self::DateTime(a, None), Self::DateTime(b, None)) => a == b,
            (Self::DateTime(a, Some(x)), Self::DateTime(b, Some(y))) => *a - *x == *b - *y,
            (Self::Float(a), Self::Float(b)) => a == b,
            _ => matches!((self.whole(), other.whole()), (Some(a), Some(b)) if a == b),
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if let Some(whole) = self.whole() {
            whole.hash(state);
            return;
        }
        match self {
            Self::Float(value) => value.to_bits().hash(state),
            Self::Str(text) => text.hash(state),
            Self::Bytes(bytes) => bytes.hash(state),
            Self::List(items) | Self::Tuple(items) => items.hash(state),
            Self::Date(date) => date.hash(state),
            Self::DateTime(at, None) => at.hash(state),
            Self::DateTime(at, Some(offset)) => (*at - *offset).hash(state),
            // Equal whatever their order, so only the size can count.
            Self::Set(items) => items.len().hash(state),
            Self::Dict(dict) => dict.len().hash(state),
            Self::None | Self::Bool(_) | Self::Int(_) => 0.hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> Value {
        Value::Int(BigInt::from(value))
    }

    #[test]
    fn numbers_that_python_calls_equal_are_one_key() {
        let mut dict = Dict::new();
        dict.insert(int(1), Value::str("int"));
        dict.insert(Value::Float(1.0), Value::str("float"));
        dict.insert(Value::Bool(true), Value::str("bool"));
        assert_eq!(dict.len(), 1);
        assert_eq!(dict.get(&int(1)).unwrap().as_str(), Some("bool"));
        assert_ne!(Value::str("1"), int(1));
        assert_ne!(Value::Float(f64::NAN), Value::Float(f64::NAN));
        assert_eq!(
            Value::Float(1e22),
            Value::Int("10000000000000000000000".parse().unwrap())
        );
    }

    #[test]
    fn truth_is_pythons() {
        for value in [
            Value::None,
            Value::Bool(false),
            int(0),
            Value::Float(-0.0),
            Value::str(""),
            Value::List(vec![]),
            Value::Dict(Dict::new()),
        ] {
            assert!(!value.truth(), "{value:?}");
        }
        for value in [
            Value::str("false"),
            Value::Float(f64::NAN),
            Value::List(vec![Value::None]),
            Value::Date(NaiveDate::default()),
        ] {
            assert!(value.truth(), "{value:?}");
        }
    }
}
