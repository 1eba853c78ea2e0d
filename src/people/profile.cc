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

using table::ValueView;

std::string text_in(const ValueView& value) {
    return value.kind() == table::Kind::string ? std::string(value.text()) : std::string();
}

std::optional<Time> time_in(const ValueView& value) {
    if (value.kind() != table::Kind::string) return std::nullopt;
    const auto time = parse_rfc3339(value.text());
    return time ? std::optional(*time) : std::nullopt;
}

void add_once(std::vector<std::string>& tags, std::string_view tag) {
    if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.emplace_back(tag);
}

// The seed has a list; some write a set.
std::vector<std::string> tags_in(const ValueView& value) {
    std::vector<std::string> tags;
    if (value.kind() == table::Kind::list) {
        for (const auto tag : value.list()) {
            if (tag.kind() == table::Kind::string) add_once(tags, tag.text());
        }
    } else if (value.kind() == table::Kind::string_set) {
        for (const auto tag : value.set()) add_once(tags, tag);
    }
    return tags;
}

Topics topics_in(const ValueView& value) {
    Topics topics;
    if (value.kind() != table::Kind::map) return topics;
    for (const auto field : value.map()) {
        if (field.value.kind() != table::Kind::string) continue;
        const auto state = named<TopicState>(field.value.text());
        if (state) topics.emplace(field.name, *state);
    }
    return topics;
}

Topics topics_of(const table::ItemView& row) {
    const auto value = row.find("mailroomTopics");
    return value ? topics_in(*value) : Topics();
}

bool is_yes(const ValueView& value) {
    switch (value.kind()) {
        case table::Kind::null:
        case table::Kind::boolean_false:
            return false;
        case table::Kind::string:
            return std::ranges::find(noes, ascii_lower(trim(value.text()))) == noes.end();
        case table::Kind::number:
            return value.number() != table::Number(0);
        default:
            return true;
    }
}

std::int64_t integer_in(const ValueView& value) {
    const auto whole = value.kind() == table::Kind::number ? value.number().to_int64()
                                                           : std::optional<std::int64_t>();
    return whole.value_or(0);
}

// What is read of a row, by the name of its column.
struct Column {
    std::string_view name;
    void (*read)(Profile& profile, const ValueView& value);
};
constexpr std::array columns = {
    Column{"createdAt", [](Profile& p, const ValueView& v) { p.created = time_in(v); }},
    Column{"email", [](Profile& p, const ValueView& v) { p.email = text_in(v); }},
    Column{"firstName", [](Profile& p, const ValueView& v) { p.first_name = text_in(v); }},
    Column{"mailroomLanguage", [](Profile& p, const ValueView& v) { p.language = text_in(v); }},
    Column{"mailroomSource", [](Profile& p, const ValueView& v) { p.source = text_in(v); }},
    Column{"mailroomTagsToCome",
           [](Profile& p, const ValueView& v) { p.tags_to_come = tags_in(v); }},
    Column{"mailroomTopics", [](Profile& p, const ValueView& v) { p.topics = topics_in(v); }},
    Column{"mailroomTracking", [](Profile& p, const ValueView& v) { p.may_track = is_yes(v); }},
    Column{"mailroomVersion", [](Profile& p, const ValueView& v) { p.version = integer_in(v); }},
    Column{"mailroomZone", [](Profile& p, const ValueView& v) { p.zone = text_in(v); }},
    Column{"suppressed", [](Profile& p, const ValueView& v) { p.suppressed = is_yes(v); }},
    Column{"tags", [](Profile& p, const ValueView& v) { p.tags = tags_in(v); }},
    Column{"unsubscribed", [](Profile& p, const ValueView& v) { p.unsubscribed = is_yes(v); }},
    Column{"updatedAt", [](Profile& p, const ValueView& v) { p.updated = time_in(v); }}};
static_assert(std::ranges::is_sorted(columns, {}, &Column::name));

// Both are in order of their names: one walk.
void read_columns(Profile& profile, const table::ItemView& row) {
    std::vector<table::Field> own;
    const auto* column = columns.begin();
    for (const auto field : row) {
        while (column != columns.end() && column->name < field.name) ++column;
        if (column != columns.end() && column->name == field.name) {
            column->read(profile, field.value);
        } else if (!is_system_column(field.name)) {
            own.push_back(field);
        }
    }
    profile.attributes = table::Item::from_fields(std::move(own));
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
    return value && is_yes(*value);
}

bool refuses_topic(const table::ItemView& row, std::string_view id) {
    const auto topics = topics_of(row);
    const auto said = topics.find(std::string(id));
    return said != topics.end() && said->second != TopicState::in;
}

bool refuses_any_topic(const table::ItemView& row) {
    const auto topics = topics_of(row);
    return std::ranges::any_of(topics,
                               [](const auto& topic) { return topic.second != TopicState::in; });
}

Result<Profile> read_profile(const table::ItemView& row) {
    const auto canonical = person_of_partition(row.text("PK").value_or(""));
    if (!canonical || row.text("SK") != "PROFILE") {
        return Error{Errc::corrupt,
                     "a row is no profile: " + std::string(row.text("PK").value_or("")) + " / " +
                         std::string(row.text("SK").value_or(""))};
    }
    Profile profile;
    profile.canonical = *canonical;
    read_columns(profile, row);
    if (profile.email.empty()) profile.email = profile.canonical;
    profile.row = table::Item(row);
    return profile;
}

}  // namespace mailroom::people
