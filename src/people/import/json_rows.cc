#include "people/import/json_rows.h"

#include "base/text.h"
#include "people/import/checks.h"
#include "people/json_value.h"

#include <algorithm>
#include <string>
#include <utility>

namespace mailroom::people {

namespace {

using Type = json::View::Type;

void take_text(ImportRow& row, std::string_view name, const json::View& value, std::string& to) {
    if (value.type() == Type::text) {
        to = trim(value.text());
    } else {
        row.wrong.push_back({std::string(name), "must be text"});
    }
}

void take_tags(ImportRow& row, const json::View& value) {
    auto& tags = row.person.tags;
    if (value.type() != Type::list) return row.wrong.push_back({"tags", "must be a list"});
    json::Elements elements(value);
    json::View element;
    while (elements.next(element)) {
        if (element.type() != Type::text) {
            return row.wrong.push_back({"tags", "must be a list of texts"});
        }
        const auto tag = trim(element.text());
        if (!tag.empty() && std::ranges::find(tags, tag) == tags.end()) tags.emplace_back(tag);
    }
}

void take_bool(ImportRow& row, std::string_view name, const json::View& value, bool& to) {
    if (value.type() == Type::boolean) {
        to = value.boolean();
    } else {
        row.wrong.push_back({std::string(name), "must be true or false"});
    }
}

void take_attribute(ImportRow& row, std::string_view name, const json::View& value) {
    auto read = value_of(value);
    if (read && !name.empty()) {
        row.person.attributes.set(name, *read);
    } else {
        row.wrong.push_back({std::string(name), read ? "has no name" : read.error().message});
    }
}

// Null is as if it were not there.
void take(ImportRow& row, std::string_view name, const json::View& value) {
    if (value.is_null()) return;
    auto& person = row.person;
    switch (role_of(name)) {
        case ColumnRole::email:
            take_text(row, name, value, person.email);
            return;
        case ColumnRole::first_name:
            return take_text(row, name, value, person.first_name);
        case ColumnRole::tags:
            return take_tags(row, value);
        case ColumnRole::unsubscribed:
            return take_bool(row, name, value, person.unsubscribed);
        case ColumnRole::suppressed:
            return take_bool(row, name, value, person.suppressed);
        case ColumnRole::zone:
            return take_text(row, name, value, person.zone);
        case ColumnRole::language:
            return take_text(row, name, value, person.language);
        case ColumnRole::attribute:
            return take_attribute(row, name, value);
        case ColumnRole::ignored:
            return;
    }
}

}  // namespace

Result<bool> JsonRows::next(ImportRow& row) {
    while (!rest_.empty()) {
        const auto end = std::min(rest_.find('\n'), rest_.size());
        const auto text = trim(rest_.substr(0, end));
        row.line = line_++;
        row.begin = whole_.size() - rest_.size();
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        row.end = whole_.size() - rest_.size();
        if (text.empty()) continue;
        row.person = {};
        row.wrong.clear();
        read(row, text);
        return true;
    }
    return false;
}

void JsonRows::read(ImportRow& row, std::string_view text) {
    const auto view = parser_.parse(text);
    if (!view || view->type() != Type::object) {
        return row.wrong.push_back({"line", "is no object of JSON"});
    }
    json::Members members(*view);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) take(row, name, value);
    take_address(row, std::string(row.person.email));
    check_row(row);
}

}  // namespace mailroom::people
