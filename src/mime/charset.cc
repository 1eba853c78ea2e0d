#include "mime/charset.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

#include <iconv.h>

namespace mailroom::mime {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD.
constexpr std::string_view utf_8 = "utf-8";
constexpr std::string_view windows_1252 = "windows-1252";

struct Alias {
    std::string_view key;      // The label in lower case, letters and digits only.
    std::string_view charset;  // A name that iconv knows, too. Empty: it names none.
};

// Only what is listed reaches iconv. Subsets stand for what mail programs really send under their
// name, as the WHATWG Encoding Standard has it.
// clang-format off
constexpr Alias aliases[] = {
    {"", ""}, {"ascii", ""}, {"usascii", ""}, {"ansix341968", ""}, {"iso646us", ""},
    {"unknown", ""}, {"unknown8bit", ""}, {"8bit", ""}, {"7bit", ""}, {"default", ""}, {"none", ""},
    {"utf8", utf_8}, {"utf", utf_8}, {"unicode11utf8", utf_8}, {"utf8mb4", utf_8}, {"cp65001", utf_8},
    {"utf7", "utf-7"}, {"unicode11utf7", "utf-7"},
    {"utf16", "utf-16"}, {"utf16be", "utf-16be"}, {"utf16le", "utf-16le"}, {"ucs2", "utf-16be"},
    {"unicode", "utf-16"}, {"iso10646ucs2", "utf-16be"}, {"utf32", "utf-32"},
    {"utf32be", "utf-32be"}, {"utf32le", "utf-32le"},
    {"iso88591", windows_1252}, {"latin1", windows_1252}, {"l1", windows_1252},
    {"iso885911987", windows_1252}, {"windows1252", windows_1252}, {"cp1252", windows_1252},
    {"ansi", windows_1252}, {"ibm819", windows_1252}, {"cp819", windows_1252}, {"win1252", windows_1252},
    {"iso88592", "iso-8859-2"}, {"latin2", "iso-8859-2"}, {"iso885921987", "iso-8859-2"},
    {"iso88593", "iso-8859-3"}, {"iso88594", "iso-8859-4"}, {"iso88595", "iso-8859-5"},
    {"iso88596", "iso-8859-6"}, {"iso88596i", "iso-8859-6"}, {"iso88596e", "iso-8859-6"},
    {"iso88597", "iso-8859-7"}, {"iso88598", "iso-8859-8"}, {"iso88598i", "iso-8859-8"},
    {"iso88598e", "iso-8859-8"}, {"iso88599", "windows-1254"}, {"latin5", "windows-1254"},
    {"iso885910", "iso-8859-10"}, {"iso885911", "cp874"}, {"tis620", "cp874"},
    {"windows874", "cp874"}, {"cp874", "cp874"}, {"iso885913", "iso-8859-13"},
    {"iso885914", "iso-8859-14"}, {"iso885915", "iso-8859-15"}, {"latin9", "iso-8859-15"},
    {"iso885916", "iso-8859-16"},
    {"windows1250", "windows-1250"}, {"cp1250", "windows-1250"},
    {"windows1251", "windows-1251"}, {"cp1251", "windows-1251"}, {"win1251", "windows-1251"},
    {"windows1253", "windows-1253"}, {"cp1253", "windows-1253"},
    {"windows1254", "windows-1254"}, {"cp1254", "windows-1254"},
    {"windows1255", "windows-1255"}, {"cp1255", "windows-1255"},
    {"windows1256", "windows-1256"}, {"cp1256", "windows-1256"},
    {"windows1257", "windows-1257"}, {"cp1257", "windows-1257"},
    {"windows1258", "windows-1258"}, {"cp1258", "windows-1258"},
    {"koi8r", "koi8-r"}, {"koi8", "koi8-r"}, {"koi8u", "koi8-u"}, {"koi8ru", "koi8-u"},
    {"ibm437", "cp437"}, {"cp437", "cp437"}, {"ibm850", "cp850"}, {"cp850", "cp850"},
    {"ibm852", "cp852"}, {"cp852", "cp852"}, {"ibm866", "cp866"}, {"cp866", "cp866"},
    {"macroman", "macintosh"}, {"macintosh", "macintosh"}, {"mac", "macintosh"},
    {"maccyrillic", "mac-cyrillic"},
    {"gb2312", "gb18030"}, {"gbk", "gb18030"}, {"gb18030", "gb18030"}, {"cp936", "gb18030"},
    {"windows936", "gb18030"}, {"euccn", "gb18030"}, {"gb231280", "gb18030"}, {"ms936", "gb18030"},
    {"big5", "big5-hkscs"}, {"big5hkscs", "big5-hkscs"}, {"cnbig5", "big5-hkscs"},
    {"cp950", "cp950"}, {"windows950", "cp950"},
    {"iso2022jp", "iso-2022-jp"}, {"iso2022jp1", "iso-2022-jp"}, {"iso2022jp2", "iso-2022-jp-2"},
    {"csiso2022jp", "iso-2022-jp"}, {"cp50220", "iso-2022-jp"}, {"cp50221", "iso-2022-jp"},
    {"shiftjis", "cp932"}, {"sjis", "cp932"}, {"mskanji", "cp932"}, {"cp932", "cp932"},
    {"windows31j", "cp932"}, {"windows932", "cp932"}, {"ms932", "cp932"},
    {"eucjp", "euc-jp"}, {"eucjpms", "euc-jp"},
    {"euckr", "uhc"}, {"ksc56011987", "uhc"}, {"ksc5601", "uhc"}, {"korean", "uhc"}, {"uhc", "uhc"},
    {"cp949", "uhc"}, {"windows949", "uhc"}, {"ksc56011989", "uhc"}, {"ks56011987", "uhc"},
    {"iso2022kr", "iso-2022-kr"}, {"euctw", "euc-tw"},
};
// clang-format on

constexpr std::size_t label_bytes_max = 64;  // RFC 2978 allows 40 characters.

// The key of Alias.
std::string key_of(std::string_view label) {
    label = trim(label.substr(0, label_bytes_max));
    if (label.size() > 2 && (label[0] == 'x' || label[0] == 'X') && label[1] == '-') {
        label.remove_prefix(2);
    }
    std::string key;
    for (const char c : ascii_lower(label)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) key += c;
    }
    return key;
}

const Alias* find_alias(std::string_view label) {
    const auto key = key_of(label);
    const auto* found = std::ranges::find(aliases, key, &Alias::key);
    return found == std::end(aliases) ? nullptr : found;
}

bool is_ascii(std::string_view bytes) {
    unsigned char seen = 0;
    for (const char c : bytes)
        seen = static_cast<unsigned char>(seen | static_cast<unsigned char>(c));
    return seen < 0x80;
}

// Whether bytes below 0x80 mean ASCII whatever stands around them.
bool extends_ascii(std::string_view charset) {
    return !charset.starts_with("utf-7") && !charset.starts_with("utf-16") &&
           !charset.starts_with("utf-32") && !charset.starts_with("iso-2022");
}

void append_code_point(std::string& out, std::uint32_t code) {
    if (code < 0x80) {
        out += static_cast<char>(code);
    } else if (code < 0x800) {
        out += static_cast<char>(0xc0 | code >> 6);
        out += static_cast<char>(0x80 | (code & 0x3f));
    } else {
        out += static_cast<char>(0xe0 | code >> 12);
        out += static_cast<char>(0x80 | (code >> 6 & 0x3f));
        out += static_cast<char>(0x80 | (code & 0x3f));
    }
}

// 0x80 to 0x9F of windows-1252; 0 where it has nothing.
constexpr std::array<std::uint16_t, 32> high_controls = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

CharsetText from_windows_1252(std::string_view bytes) {
    CharsetText result{.text = {}, .charset = windows_1252};
    result.text.reserve(bytes.size() + bytes.size() / 8);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        const std::uint32_t code =
            byte >= 0x80 && byte < 0xa0 ? high_controls[byte - 0x80u] : std::uint32_t{byte};
        if (code == 0 && byte != 0) {
            result.text += replacement;
            ++result.replaced;
        } else {
            append_code_point(result.text, code);
        }
    }
    return result;
}

// The longest well-formed beginning is kept as it is, then one byte is replaced, and so on.
CharsetText from_broken_utf_8(std::string_view bytes) {
    CharsetText result{.text = {}, .charset = utf_8};
    result.text.reserve(bytes.size() + bytes.size() / 4);
    while (!bytes.empty()) {
        std::size_t size = 1;
        const auto lead = static_cast<unsigned char>(bytes[0]);
        if (lead >= 0x80) size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        const auto character = bytes.substr(0, size);
        if (is_utf8(character)) {
            result.text += character;
        } else {
            result.text += replacement;
            ++result.replaced;
            size = 1;
        }
        bytes.remove_prefix(std::min(size, bytes.size()));
    }
    return result;
}

// Whether any character above ASCII is well-formed UTF-8 in itself.
bool has_utf_8_character(std::string_view bytes) {
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        const auto lead = static_cast<unsigned char>(bytes[i]);
        if (lead < 0xc2) continue;
        const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (i + size <= bytes.size() && is_utf8(bytes.substr(i, size))) return true;
    }
    return false;
}

class Converter {
public:
    explicit Converter(std::string_view charset)
        : handle_(iconv_open("UTF-8", std::string(charset).c_str())) {}
    ~Converter() {
        if (valid()) iconv_close(handle_);
    }
    Converter(const Converter&) = delete;
    Converter& operator=(const Converter&) = delete;

    bool valid() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

    void convert(std::string_view bytes, CharsetText& result) {
        char* in = const_cast<char*>(bytes.data());  // iconv does not write there.
        std::size_t left = bytes.size();
        std::array<char, 4096> buffer;
        while (left > 0) {
            char* out = buffer.data();
            std::size_t room = buffer.size();
            const auto done = iconv(handle_, &in, &left, &out, &room);
            result.text.append(buffer.data(), buffer.size() - room);
            if (done != static_cast<std::size_t>(-1)) break;
            if (errno == E2BIG) continue;
            // EILSEQ or EINVAL: one byte means nothing here, or the end cuts a character.
            result.text += replacement;
            ++result.replaced;
            ++in;
            --left;
        }
        char* out = buffer.data();
        std::size_t room = buffer.size();
        iconv(handle_, nullptr, nullptr, &out, &room);
        result.text.append(buffer.data(), buffer.size() - room);
    }

private:
    iconv_t handle_;
};

CharsetText from_iconv(std::string_view bytes, std::string_view charset) {
    CharsetText result{.text = {}, .charset = charset};
    const bool has_order_mark = bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
    // RFC 2781, 4.3: big-endian unless a mark says otherwise; iconv would take the machine's order.
    const auto name = charset == "utf-16" && !has_order_mark ? "utf-16be" : charset;
    Converter converter(name);
    if (!converter.valid()) {
        result = from_windows_1252(bytes);
        result.label_unknown = true;
        return result;
    }
    result.text.reserve(bytes.size() + bytes.size() / 2);
    converter.convert(bytes, result);
    // Some of iconv's tables let surrogates through.
    if (!is_utf8(result.text)) {
        auto repaired = from_broken_utf_8(result.text);
        repaired.replaced += result.replaced;
        repaired.charset = charset;
        return repaired;
    }
    return result;
}

CharsetText guess(std::string_view bytes) {
    if (is_utf8(bytes)) return {.text = std::string(bytes), .charset = utf_8};
    return from_windows_1252(bytes);
}

}  // namespace

std::optional<std::string_view> charset_name(std::string_view label) {
    const auto* alias = find_alias(label);
    if (!alias || alias->charset.empty()) return std::nullopt;
    return alias->charset;
}

CharsetText to_utf8(std::string_view bytes, std::string_view label) {
    const auto* alias = find_alias(label);
    if (!alias || alias->charset.empty()) {
        auto result = guess(bytes);
        result.label_unknown = !alias;
        return result;
    }
    const auto charset = alias->charset;
    if (extends_ascii(charset) && is_ascii(bytes)) {
        return {.text = std::string(bytes), .charset = charset};
    }
    if (charset == utf_8) {
        if (is_utf8(bytes)) return {.text = std::string(bytes), .charset = utf_8};
        if (has_utf_8_character(bytes)) return from_broken_utf_8(bytes);
        auto result = from_windows_1252(bytes);
        result.label_wrong = true;
        return result;
    }
    if (charset == windows_1252) {
        // Latin text hardly ever forms UTF-8 by chance, while UTF-8 labelled as Latin is common.
        if (!is_utf8(bytes)) return from_windows_1252(bytes);
        return {.text = std::string(bytes), .charset = utf_8, .label_wrong = true};
    }
    return from_iconv(bytes, charset);
}

}  // namespace mailroom::mime
