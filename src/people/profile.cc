#include "people/profile.h"

#include "base/text.h"
#include "base/time_format.h"
#include "people/books.h"

#include <algorithm>

namespace mailroom::people {

namespace {

constexpr std::string_view own_prefix = "mailroom";
constexpr std::array system_columns = {"PK",   "SK",          "email",     "firstName",
                                       "tags", "suppressed",  "createdAt", "updatedAt",
                                       "ttl",  "unsubscribed"};
// How no is spelled in texts.
constexpr std::array noes = {"", "0", "false", "no", "off", "n", "f"};

std::string text_in(const table::ItemView& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

std::optional<Time> time_in(const table::ItemView& row, std::string_view name) {
    const auto text = row.text(name);
    if (!text) return std::nullopt;
    const auto time = parse_rfc3339(*text);
    return time ? std::optional(*time) : std::nullopt;
}

void add_once(std::vector<std::string>& tags, std::string_view tag) {
    if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.emplace_back(tag);
}

// The seed has a list; some write a set.
std::vector<std::string> tags_in(const table::ItemView& row, std::string_view column) {
    std::vector<std::string> tags;
    const auto value = row.find(column);
    if (value && value->kind() == table::Kind::list) {
        for (const auto tag : value->list()) {
            if (tag.kind() == table::Kind::string) add_once(tags, tag.text());
        }
    } else if (value && value->kind() == table::Kind::string_set) {
        for (const auto tag : value->set()) add_once(tags, tag);
    }
    return tags;
}

Topics topics_in(const table::ItemView& row) {
    Topics topics;
    const auto value = row.find("mailroomTopics");
    if (!value || value->kind() != table::Kind::map) return topics;
    for (const auto field : value->map()) {
        if (field.value.kind() != table::Kind::string) continue;
        const auto state = named<TopicState>(field.value.text());
        if (state) topics.emplace(field.name, *state);
    }
    return topics;
}

table::Item attributes_in(const table::ItemView& row) {
    std::vector<table::Field> own;
    for (const auto field : row) {
        if (!is_system_column(field.name)) own.push_back(field);
    }
    return table::Item::from_fields(std::move(own));
}

}  // namespace

bool Profile::has_tag(std::string_view tag) const {
    return std::ranges::find(tags, tag) != tags.end();
}

bool is_system_column(std::string_view name) {
    return name.starts_with(own_prefix) ||
           std::ranges::find(system_columns, name) != system_columns.end();
}

bool is_set(const table::ItemView& row, std::string_view flag) {
    const auto value = row.find(flag);
    if (!value) return false;
    switch (value->kind()) {
        case table::Kind::null:
        case table::Kind::boolean_false:
            return false;
        case table::Kind::string:
            return std::ranges::find(noes, ascii_lower(trim(value->text()))) == noes.end();
        case table::Kind::number:
            return value->number() != table::Number(0);
        default:
            return true;
    }
}

Result<Profile> read_profile(const table::ItemView& row) {
    const auto canonical = person_of_partition(row.text("PK").value_or(""));
    if (!canonical || row.text("SK") != "PROFILE") {
        return Error{Errc::corrupt,
                     "a row is no profile: " + text_in(row, "PK") + " / " + text_in(row, "SK")};
    }
    Profile profile;
    profile.canonical = *canonical;
    profile.email = text_in(row, "email");
    if (profile.email.empty()) profile.email = profile.canonical;
    profile.first_name = text_in(row, "firstName");
    profile.unsubscribed = is_set(row, "unsubscribed");
    profile.suppressed = is_set(row, "suppressed");
    profile.tags = tags_in(row, "tags");
    if (row.has("mailroomTagsToCome")) {
        profile.tags_to_come = tags_in(row, "mailroomTagsToCome");
    }
    profile.topics = topics_in(row);
    profile.may_track = !row.has("mailroomTracking") || is_set(row, "mailroomTracking");
    profile.source = text_in(row, "mailroomSource");
    profile.zone = text_in(row, "mailroomZone");
    profile.language = text_in(row, "mailroomLanguage");
    profile.created = time_in(row, "createdAt");
    profile.updated = time_in(row, "updatedAt");
    profile.version = row.integer("mailroomVersion").value_or(0);
    profile.attributes = attributes_in(row);
    profile.row = table::Item(row);
    return profile;
}

}  // namespace mailroom::people
