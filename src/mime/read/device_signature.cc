#include "mime/read/device_signature.h"

#include "base/text.h"

#include <algorithm>
#include <string>

namespace mailroom::mime {
namespace {

constexpr std::size_t device_line_bytes_max = 120;  // Longer ones are sentences.

// How such a line begins and ends around the words for the device or the program.
struct Frame {
    std::string_view begin, end;
};
constexpr Frame frames[] = {
    {"sent from", ""},
    {"sent via", ""},
    {"sent with", ""},
    {"sent using", ""},
    {"get outlook for", ""},
    {"von meinem", "gesendet"},
    {"gesendet von", ""},
    {"gesendet mit", ""},
    {"gesendet aus", ""},
    {"diese nachricht wurde von meinem", "gesendet"},
    {"envoyé de", ""},
    {"envoyé depuis", ""},
    {"envoyé à partir de", ""},
    {"enviado desde", ""},
    {"enviado do", ""},
    {"enviado de", ""},
    {"enviado a partir do", ""},
    {"obtener outlook para", ""},
    {"inviato da", ""},
    {"inviato dal", ""},
    {"verzonden vanaf", ""},
    {"verstuurd vanaf", ""},
    {"wysłane z", ""},
    {"Отправлено с", ""},
    {"Отправлено из", ""},
    {"skickat från", ""},
    {"sendt fra", ""},
    {"发自我的", ""},
    {"從我的", "傳送"},
    {"", "から送信"},
    {"télécharger outlook pour", ""},
    {"holen sie sich outlook für", ""},
    {"hanki outlook for", ""},
    {"outlook für", "beziehen"},
    {"outlook für", "herunterladen"},
};
// The beginnings that name an owner.
constexpr std::string_view owner_marks[] = {"meinem", "我的"};

// Brands and programs.
constexpr std::string_view brands[] = {
    "iphone",     "ipad",       "ipod",    "iphone'a",      "iphone-a",
    "android",    "samsung",    "galaxy",  "huawei",        "honor",
    "xiaomi",     "redmi",      "oneplus", "pixel",         "nokia",
    "htc",        "blackberry", "lg",      "motorola",      "sony",
    "xperia",     "outlook",    "yahoo",   "gmail",         "proton",
    "protonmail", "aol",        "gmx",     "web.de",        "thunderbird",
    "spark",      "windows",    "айфона",  "android-gerät", "android-смартфона",
    "ios",        "k-9",        "zoho",
};
// Things that only somebody's can be meant: `my phone`.
constexpr std::string_view things[] = {
    "phone",    "mobile",       "smartphone", "tablet",    "handy",    "mobiltelefon",
    "telefoon", "móvil",        "celular",    "téléphone", "telefono", "mail",
    "device",   "smartphone'a", "mobil",      "телефона",
};
constexpr std::string_view owners[] = {
    "my",   "mon",    "mi",     "meu",    "mio",   "mijn", "min",
    "mein", "meinem", "meiner", "mojego", "моего", "mého", "moim",
};
// What stands between them.
constexpr std::string_view fillers[] = {
    "for",      "on",   "an",     "a",       "the",  "from",    "via",      "app",  "secure",
    "email",    "mit",  "der",    "dem",     "de",   "pour",    "para",     "voor", "per",
    "für",      "för",  "til",    "at&t",    "lte",  "verizon", "t-mobile", "pro",  "smart",
    "max",      "plus", "ultra",  "mini",    "note", "edge",    "and",      "with", "encrypted",
    "wireless", "wifi", "mobilt", "desktop", "web",  "sur",     "en",       "su",   "desde",
};
// K-9's, in the same line.
constexpr std::string_view excuse = "please excuse my brevity";

template <std::size_t size>
bool has(const std::string_view (&words)[size], std::string_view word) {
    return std::ranges::find(words, word) != std::end(words);
}

// `S21`, `5G`, `10`: short, with a digit, no number that somebody might have to read.
bool is_model(std::string_view word) {
    constexpr std::size_t model_bytes_max = 5;
    return word.size() <= model_bytes_max &&
           std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; }) &&
           std::ranges::all_of(word, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '+';
           });
}

// Without the link that programs add: `Get Outlook for iOS<https://aka.ms/o0ukef>`.
std::string without_link(std::string_view line) {
    std::string out;
    while (!line.empty()) {
        const auto open = line.find_first_of("<([");
        out += line.substr(0, open);
        if (open == line.npos) break;
        const char close = line[open] == '<' ? '>' : line[open] == '(' ? ')' : ']';
        const auto end = line.find(close, open);
        if (end == line.npos) return {};
        const auto inside = line.substr(open + 1, end - open - 1);
        // `[Proton Mail](https://…)` names the program; nothing else may stand in brackets.
        if (line[open] == '[') {
            out.append(" ").append(inside);
        } else if (!inside.starts_with("http://") && !inside.starts_with("https://")) {
            return {};
        }
        line.remove_prefix(end + 1);
    }
    return out;
}

// `has_owner`: the frame says whose it is.
bool names_device_only(std::string_view words, bool has_owner) {
    bool has_brand = false, has_thing = false;
    while (!(words = trim(words)).empty()) {
        auto word = words.substr(0, words.find_first_of(" \t"));
        words.remove_prefix(word.size());
        while (word.ends_with('.') || word.ends_with(',')) word.remove_suffix(1);
        const bool is_brand = has(brands, word), is_thing = has(things, word);
        const bool is_owner = has(owners, word);
        has_brand = has_brand || is_brand;
        has_thing = has_thing || is_thing;
        has_owner = has_owner || is_owner;
        const bool is_known = is_brand || is_thing || is_owner || has(fillers, word);
        if (!word.empty() && !is_known && !is_model(word)) return false;
    }
    return has_brand || (has_thing && has_owner);
}

}  // namespace

bool is_device_signature(std::string_view line) {
    line = trim(line);
    if (line.empty() || line.size() > device_line_bytes_max) return false;
    const auto lower = ascii_lower(line);
    for (const auto& frame : frames) {
        if (!lower.starts_with(frame.begin)) continue;
        const auto plain = without_link(lower);
        std::string_view words = trim(plain);
        if (words.ends_with('.')) words.remove_suffix(1);
        if (words.ends_with(excuse)) words = trim(words.substr(0, words.size() - excuse.size()));
        if (!words.ends_with(frame.end)) continue;
        words.remove_suffix(frame.end.size());
        if (words.size() < frame.begin.size()) continue;
        words.remove_prefix(frame.begin.size());
        const bool is_word = frame.begin.empty() || words.starts_with(' ') ||
                             static_cast<unsigned char>(frame.begin.back()) > 0x7f;
        const bool has_owner = std::ranges::any_of(owner_marks, [&](std::string_view mark) {
            return frame.begin.find(mark) != frame.begin.npos;
        });
        if (is_word && names_device_only(words, has_owner)) return true;
    }
    return false;
}

}  // namespace mailroom::mime
