#include "people/import/checks.h"

#include "base/text.h"
#include "people/canonical.h"
#include "people/locale.h"

#include <algorithm>
#include <utility>

namespace mailroom::people {

namespace {

// Zones repeat from row to row.
bool is_known_zone(const std::string& zone) {
    thread_local std::string last_good;
    if (zone == last_good) return true;
    if (!is_time_zone(zone)) return false;
    last_good = zone;
    return true;
}

}  // namespace

void take_address(ImportRow& row, std::string_view text) {
    row.person.email = trim(text);
    if (row.person.email.empty()) return row.wrong.push_back({"email", "is empty"});
    auto canonical = canonical_of(row.person.email);
    if (canonical) {
        row.person.canonical = *std::move(canonical);
    } else {
        row.wrong.push_back({"email", "is no e-mail address: " + canonical.error().message});
    }
}

void take_flag(ImportRow& row, const std::string& name, std::string_view text, bool& flag) {
    const auto said = ascii_lower(text);
    flag = said == "true" || said == "yes" || said == "1";
    const bool is_no = said.empty() || said == "false" || said == "no" || said == "0";
    if (!flag && !is_no) row.wrong.push_back({name, "must be true or false"});
}

std::vector<std::string> split_tags(std::string_view text) {
    std::vector<std::string> tags;
    while (!text.empty()) {
        const auto end = std::min(text.find_first_of(",;"), text.size());
        const auto tag = trim(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.emplace_back(tag);
    }
    return tags;
}

void check_row(ImportRow& row) {
    const auto& person = row.person;
    const auto wrong = [&](const char* field, const char* why) {
        row.wrong.push_back({field, why});
    };
    if (person.first_name.size() > first_name_bytes_max) {
        wrong("firstName", "must be at most 500 bytes");
    }
    if (!person.zone.empty() && !is_known_zone(person.zone)) {
        wrong("time_zone", "must be a time zone such as Europe/Berlin");
    }
    if (!person.language.empty() && !is_language(person.language)) {
        wrong("language", "must be a language such as de or pt-BR");
    }
    for (const auto& tag : person.tags) {
        if (tag.size() > tag_bytes_max) wrong("tags", "has a tag of more than 256 bytes");
    }
    if (row.end - row.begin > imported_row_bytes_max) wrong("line", "is longer than 300 KB");
}

}  // namespace mailroom::people
