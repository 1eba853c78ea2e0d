#include "mime/read/file_name.h"

#include "base/text.h"

#include <array>

namespace mailroom::mime {
namespace {

constexpr std::size_t ending_bytes_max = 16;  // Longer ones are no endings.

// Marks that change the direction or width of what is shown: U+200B to U+200F, U+202A to U+202E,
// U+2060 to U+2069, U+FEFF. Returns the bytes to pass over.
std::size_t invisible_bytes(std::string_view text) {
    if (text.size() < 3) return 0;
    const auto second = static_cast<unsigned char>(text[1]);
    const auto third = static_cast<unsigned char>(text[2]);
    if (text[0] == '\xe2' && second == 0x80) {
        return (third >= 0x8b && third <= 0x8f) || (third >= 0xaa && third <= 0xae) ? 3 : 0;
    }
    if (text[0] == '\xe2' && second == 0x81) return third >= 0xa0 && third <= 0xa9 ? 3 : 0;
    return text.substr(0, 3) == "\xef\xbb\xbf" ? 3 : 0;
}

bool is_refused(char c) { return std::string_view("<>:\"|?*").find(c) != std::string_view::npos; }

std::string_view without_dots_around(std::string_view name) {
    const auto first = name.find_first_not_of(". \t");
    if (first == name.npos) return {};
    return name.substr(first, name.find_last_not_of(". \t") + 1 - first);
}

std::string cut(std::string_view name) {
    if (name.size() <= file_name_bytes_max) return std::string(name);
    const auto dot = name.rfind('.');
    const auto ending = dot == name.npos ? std::string_view() : name.substr(dot);
    if (ending.size() > ending_bytes_max)
        return std::string(truncate_utf8(name, file_name_bytes_max));
    const auto stem = truncate_utf8(name.substr(0, dot), file_name_bytes_max - ending.size());
    return std::string(stem) + std::string(ending);
}

}  // namespace

std::string safe_file_name(std::string_view name) {
    if (const auto slash = name.find_last_of("/\\"); slash != name.npos) {
        name.remove_prefix(slash + 1);
    }
    std::string out;
    for (std::size_t i = 0; i < name.size();) {
        if (const auto skip = invisible_bytes(name.substr(i))) {
            i += skip;
            continue;
        }
        const char c = name[i++];
        if ((static_cast<unsigned char>(c) < ' ') || c == '\x7f') continue;
        out += is_refused(c) ? '_' : c;
    }
    return cut(without_dots_around(out));
}

std::string default_file_name(std::size_t number, std::string_view media_type) {
    struct Ending {
        std::string_view type, ending;
    };
    constexpr std::array endings = std::to_array<Ending>({
        {"text/plain", ".txt"},
        {"text/html", ".html"},
        {"text/calendar", ".ics"},
        {"text/csv", ".csv"},
        {"application/pdf", ".pdf"},
        {"application/json", ".json"},
        {"application/zip", ".zip"},
        {"image/png", ".png"},
        {"image/jpeg", ".jpg"},
        {"image/gif", ".gif"},
        {"image/webp", ".webp"},
        {"message/rfc822", ".eml"},
        {"application/xml", ".xml"},
        {"text/xml", ".xml"},
        {"text/rfc822-headers", ".txt"},
        {"message/delivery-status", ".txt"},
    });
    std::string name = "attachment-" + std::to_string(number);
    for (const auto& known : endings) {
        if (known.type == media_type) return name.append(known.ending);
    }
    return name;
}

}  // namespace mailroom::mime
