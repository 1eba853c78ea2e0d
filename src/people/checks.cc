#include "people/checks.h"

#include "base/text.h"
#include "people/locale.h"
#include "people/profile.h"

#include <algorithm>
#include <string>

namespace mailroom::people {

namespace {

bool has_control(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; });
}

void check_attributes(const Change& change, table::Reading& reading) {
    const auto check = [&](std::string_view name) {
        const auto why = wrong_with_attribute_name(name);
        if (!why.empty()) reading.wrong_member("attributes." + std::string(name), std::string(why));
    };
    for (const auto field : change.attributes.view()) check(field.name);
    for (const auto& name : change.dropped_attributes) check(name);
}

std::size_t check_tags(const Change& change, table::Reading& reading) {
    std::size_t bytes = 0;
    if (!change.tags) return bytes;
    for (std::size_t i = 0; i < change.tags->size(); ++i) {
        const auto& tag = (*change.tags)[i];
        bytes += tag.size();
        const auto why = wrong_with_tag(tag);
        const auto place = "tags[" + std::to_string(i) + "]";
        if (!why.empty()) reading.wrong_member(place, std::string(why));
    }
    return bytes;
}

}  // namespace

std::string_view wrong_with_attribute_name(std::string_view name) {
    if (name.empty()) return "must have a name";
    if (is_system_column(name)) return "is a column of the system's own";
    if (name.size() > attribute_name_bytes_max) return "must have a name of at most 255 bytes";
    if (!is_utf8(name) || has_control(name)) return "must have a name of one line";
    return "";
}

std::string_view wrong_with_tag(std::string_view tag) {
    if (tag.empty()) return "must not be empty";
    if (tag.size() > tag_bytes_max) return "must be at most 256 bytes";
    if (!is_utf8(tag) || has_control(tag)) return "must be one line";
    return "";
}

void check_change(const Change& change, table::Reading& reading) {
    check_attributes(change, reading);
    const auto bytes = check_tags(change, reading) + change.attributes.view().size_in_item();
    if (bytes > described_bytes_max) {
        reading.wrong_member("attributes", "must be at most 350 KB together with the tags");
    }
    const auto& name = change.first_name;
    if (name && name->size() > first_name_bytes_max) {
        reading.wrong_member("firstName", "must be at most 500 bytes");
    }
    if (change.zone && !change.zone->empty() && !is_time_zone(*change.zone)) {
        reading.wrong_member("time_zone", "must be a time zone such as Europe/Berlin");
    }
    if (change.language && !change.language->empty() && !is_language(*change.language)) {
        reading.wrong_member("language", "must be a language such as de or pt-BR");
    }
    if (change.source.size() > source_bytes_max) {
        reading.wrong_member("source", "must be at most 200 bytes");
    }
}

}  // namespace mailroom::people
