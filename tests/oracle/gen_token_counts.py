#!/usr/bin/env python3
"""Record what Python counts on hard texts:  DIR/bin/python gen_token_counts.py > cases/tokens.jsonl

A text is written as a recipe, so that a long one takes a line: a list of parts to be joined, each
text itself, `{"repeat": …, "times": n}`, or `{"mix": [words], "seed": s, "times": n}`, which draws
words by the generator in `mixed`. Beside it stand its length in characters, its counts, and for
some caps what the reference's own `truncate_text_to_tokens` leaves of it.
"""
import base64, hashlib, json, random

import oracle
from nanobot.utils.helpers import truncate_text_to_tokens

BITS = (1 << 64) - 1
CAPS = (1, 3, 7, 50, 1000, 8000)
FAMILY, FLAGS, SKINS = "👨‍👩‍👧‍👦", "🇩🇪🇯🇵🇺", "👍🏻👍🏼👍🏽👍🏾👍🏿🏽"
SCRIPTS = {"cjk": "龘靐齉 漢字かな交じり文、全角！", "arabic": "السَّلَامُ عَلَيْكُمْ ١٢٣ ", "hindi": "हिन्दी में क्षत्रिय १२३। ", "thai": "ภาษาไทยไม่มีช่องว่าง ๑๒๓", "jamo": "한글ᄒ\u1161ᆫ ㄱㄴㄷ 각\u11a8", "marks": "e\u0301a\u0300\u0316\u0329 Z\u0351\u036f\u0301\u0489 ",
           "greek": "ΑΣ ας ΐ Ὀδυσσεύς ", "georgian": "ᲐᲑ აბ Ⴀ ", "titlecase": "ǅ ǆ Ǆ ŉ ſs İi ıI ß ẞ ", "math": "𝒜𝓫𝟙𝟮 ∑∫√ ≠ ½²³ ⅷ ", "braille": "⠃⠗⠇ ▁▂▃ ┌─┐ ", "rtl marks": "\u200fא\u202eב\u2066ג\u2069 "}
CASES = []


def case(name, *parts):
    CASES.append({"name": name, "text": list(parts)})


def repeat(what, times):
    return {"repeat": what, "times": times}


def mixed(words, seed, times):
    out, state = [], seed
    for _ in range(times):
        state = (state * 6364136223846793005 + 1442695040888963407) & BITS
        out.append(words[(state >> 33) % len(words)])
    return "".join(out)


def built(part):
    if isinstance(part, str):
        return part
    if isinstance(part, list):
        return "".join(map(built, part))
    if "mix" in part:
        return mixed(part["mix"], part["seed"], part["times"])
    return built(part["repeat"]) * part["times"]


for letter in "aZ^0é中":
    case(f"100,000 of {letter!r}", repeat(letter, 100_000))
for blank in (" ", "\n", "\t", "\r", "\r\n", "\n\r", " \n", "\n ", "\xa0", "\u3000", "\u2028", "\x0b", "\x85", "\x1c", "\0"):
    total = 100_000 if blank in (" ", "\n", "\t", "\r\n", " \n") else 10_000
    case(f"{total} characters of {blank!r}", repeat(blank, total // len(blank)))
    case(f"words between {blank!r}", repeat(["a", blank, "b", blank, blank, "1", repeat(blank, 3), "!"], 40))
case("line ends mixed", {"mix": ["\r", "\n", "\r\n", " ", "\t", "x"], "seed": 1, "times": 30_000})
case("blanks before a word", repeat(" ", 50_000), "x")
case("blanks before a line end", repeat(" ", 50_000), "\nx")
case("digits", repeat("1234567890", 2_000))
case("digits of other scripts", repeat("١٢٣४५६๗๘๙１２３²½Ⅷ", 500))
case("numbers", {"mix": ["1", "22", "333", "4444", ".", ",", " ", "-", "e"], "seed": 2, "times": 9_000})
case("families", repeat(FAMILY, 3_000))
case("flags", repeat(FLAGS, 3_000))
case("skins", repeat(SKINS, 1_500))
case("keycaps and variation selectors", repeat("1\ufe0f\u20e3 ☎\ufe0e☎\ufe0f 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", 200))
BLOB = random.Random(3).randbytes(24_000)
case("base64", base64.b64encode(BLOB).decode())
case("base64 in lines", base64.encodebytes(BLOB[:6_000]).decode())
case("hex", BLOB[:9_000].hex())
case("hex in capitals", BLOB[:6_000].hex(" ").upper())
for name, text in SCRIPTS.items():
    case(f"script {name}", text)
    case(f"script {name}, long", repeat(text, 600))
case("scripts together", repeat("".join(SCRIPTS.values()), 100))
for mark in "'’ʼ`":
    case(f"contractions with {mark}", " ".join(f"{w}{mark}{s}" for w in ("it", "IT", "It", "", "1", "é", "don") for s in ("s", "S", "t", "T", "re", "RE", "rE", "ve", "VE", "ll", "LL", "lL", "d", "D", "m", "M", "ſ", "x", "sx", "Sx", "s's", "")))
case("contractions without blanks", repeat("I'Mwe'REit'sIT'Sdon'T'll'LL'", 200))
case("punctuation", {"mix": list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~¡¿…—«»“”"), "seed": 4, "times": 20_000})
case("one mark in a row", *[repeat(mark, 777) for mark in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"])
case("marks before line ends and slashes", repeat("}\n/});\r\n//\n\n/ /\n!/\n", 300))
case("special tokens", "<|endoftext|><|fim_prefix|>a<|fim_middle|> <|fim_suffix|>\n<|endofprompt|><|im_start|>system<|im_end|><|start|><|endoftext")
case("special tokens, long", repeat("words <|endoftext|> ", 2_000))
for code in (*range(0x20), 0x7F, *range(0x80, 0xA0)):
    case(f"control U+{code:04X}", "a", chr(code), "b ", repeat(chr(code), 3), "1", chr(code), "\n")
case("marks of byte order and the like", "\ufeffa\ufeff b\ufffe\uffff\u200b\u200c\u200d\u2060\u00ad\U000e0001\U0010f7ff\ue000")
case("surrogates alone", "a\ud83eb\udd80 \ud83e")
case("surrogates in pairs", "a", "\ud83e", "\udd80", "\udd80", "\ud83e", "\ud83e", "\udd80", "z")
case("surrogates, many", repeat(["\ud83e", "x"], 10_000))
CODE = "fn main() {\n    let x: Vec<&'static str> = vec![\"a\", \"b\"];\n\tif x.len() >= 0x1F && !x.is_empty() {\n        println!(\"{:?}\", x); // done\n    }\n}\n\n"
case("source code", CODE)
case("source code, long", repeat(CODE, 300))
case("source code, CRLF", repeat(CODE.replace("\n", "\r\n"), 100))
case("source code, deep", *[" " * n + "if x:\n" for n in range(120)])
case("one long word", {"mix": list("etaoinshrdlu"), "seed": 5, "times": 30_000})
case("one long word in capitals and small", {"mix": list("etaoinETAOIN"), "seed": 6, "times": 30_000})
case("one long word of other letters", {"mix": list("αβγδжщюяéßøñ"), "seed": 7, "times": 30_000})
# The encoder merges pieces of 100 bytes and more in another way than shorter ones; 500 is another such mark.
for size in (97, 98, 99, 100, 101, 102, 103, 199, 200, 255, 256, 257, 499, 500, 501, 511, 512, 513, 8191, 8192, 8193):
    for letter in ("a", "ab", "Zz", "é", "中", "!", " ", "\n", "=-"):
        case(f"{size} bytes of {letter!r}", repeat(letter, size // len(letter.encode())), "." if letter == "a" else "")
    case(f"{size} bytes of many", {"mix": list("qwertyuiopasdfg"), "seed": size, "times": size})
# Texts of the length at which a counter that counts in pieces begins to cut.
for lines in (10, 60, 300, 2_000):
    case(f"{lines} lines", {"mix": ["# head\n", "word ", "\n", "\n\n", "- item\n", "/path\n", "  x\n", "\t\n", "日本\n", "a" * 90 + "\n", "\r\n", "---\n"], "seed": lines, "times": lines * 4})
PIECES = ["a", "The", " the", "HELLO", "hello", "World", " ", "  ", "   ", "\n", "\n\n", "\r\n", "\r", "\t", "'s", "'S", "’s", "n't", "'RE", "1", "12", "123", "1234", "!", "?!", "...", "/", "//", "\n/", ")\n", "{}", "};", "_", "-", "--", "=", "é", "e\u0301", "ß", "日", "日本語", "ไทย", "ह", "हि", "한", "ᄒ", "א", "ع", "🦀", FAMILY,
          "🇩", "🏽", "\u200d", "\ufe0f", "\u200b", "\xa0", "\u2028", "\x85", "\x0b", "\x1c", "\0", "\x7f", "\ufeff", "\ufffd", "<|endoftext|>", "<|", "|>", "ǅ", "İ", "ſ", "K", "Σ", "ς", "²", "½", "Ⅷ", "١", "https://", "x.y", "@", "#", "# ", "`", "```\n", "\\n", "\"", "\u0301", "ʼ", "ª", "ʰ", "々"]
chance = random.Random(8)
for number in range(400):
    words = chance.sample(PIECES, chance.randint(2, 14))
    case(f"random {number}", {"mix": words, "seed": chance.getrandbits(48), "times": chance.choice([5, 20, 60, 200, 600, 2500])})

if __name__ == "__main__":
    for record in CASES:
        text = built(record["text"])
        record["chars"] = len(text)
        for name, encoding in (("cl100k_base", oracle.CL100K), ("o200k_base", oracle.O200K)):
            record[name] = len(encoding.encode(text, disallowed_special=()))
        record["cuts"] = []
        for cap in CAPS:
            if cap < record["cl100k_base"]:
                cut = truncate_text_to_tokens(text, cap)
                units = cut.encode("utf-16-le", "surrogatepass")
                record["cuts"].append([cap, len(cut), hashlib.sha256(units).hexdigest()[:24]])
        print(json.dumps(record, ensure_ascii=True, separators=(",", ":")))
