#include "campaigns/templates/reader.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

namespace mailroom::campaigns {

namespace {

liquid::OwnedValue owned(const table::ValueView& value);

liquid::OwnedValue owned_number(const table::Number& number) {
    if (const auto whole = number.to_int64()) return *whole;
    return std::strtod(number.text().c_str(), nullptr);
}

liquid::OwnedValue owned_set(const table::ValueView& value) {
    auto items = liquid::OwnedValue::array();
    for (const auto payload : value.set()) {
        if (value.kind() == table::Kind::number_set) {
            items.push(owned_number(table::Number::from_encoded(payload)));
        } else if (value.kind() == table::Kind::string_set) {
            items.push(liquid::OwnedValue(payload));
        }
    }
    return items;
}

liquid::OwnedValue owned(const table::ValueView& value) {
    switch (value.kind()) {
        case table::Kind::string:
            return value.text();
        case table::Kind::number:
            return owned_number(value.number());
        case table::Kind::boolean_true:
        case table::Kind::boolean_false:
            return value.boolean();
        case table::Kind::list: {
            auto items = liquid::OwnedValue::array();
            for (const auto item : value.list()) items.push(owned(item));
            return items;
        }
        case table::Kind::map: {
            auto object = liquid::OwnedValue::object();
            for (const auto field : value.map()) object.set(field.name, owned(field.value));
            return object;
        }
        case table::Kind::string_set:
        case table::Kind::number_set:
        case table::Kind::binary_set:
            return owned_set(value);
        case table::Kind::binary:
        case table::Kind::null:
            break;
    }
    return {};
}

// "plan" of "planName".
std::string_view source_of(std::string_view variable) {
    constexpr std::string_view suffix = "Name";
    if (variable.ends_with(suffix)) variable.remove_suffix(suffix.size());
    return variable;
}

std::int64_t year_of(Time now) {
    const auto day =
        std::chrono::floor<std::chrono::days>(std::chrono::sys_time<std::chrono::milliseconds>(
            std::chrono::milliseconds(to_unix_ms(now))));
    return static_cast<int>(std::chrono::year_month_day(day).year());
}

}  // namespace

// Reads ReaderData as an object.
class ReaderDataReader final : public liquid::ObjectReader {
public:
    std::size_t size(const void* node) const override { return data(node).entries_.size(); }
    liquid::Value get(const void* node, std::string_view key) const override {
        return data(node).find(key);
    }
    void list(const void* node, std::vector<liquid::Entry>& entries) const override {
        for (const auto& [name, value] : data(node).entries_) entries.push_back({name, value});
    }

private:
    static const ReaderData& data(const void* node) {
        return *static_cast<const ReaderData*>(node);
    }
};

Reader Reader::of(const people::Profile& person) {
    Reader reader;
    reader.email = person.email;
    reader.first_name = person.first_name;
    reader.attributes = person.attributes;
    reader.language = person.language;
    return reader;
}

ReaderData::ReaderData(const Reader& reader, const DisplayNames& names, Time now) {
    set("email", reader.email);
    set("firstName", reader.first_name);
    add(reader.attributes ? *reader.attributes : reader.given);
    add(names);
    set("unsubscribeUrl", reader.unsubscribe_url);
    set("preferencesUrl", reader.preferences_url);
    set("currentYear", liquid::Value::integer(year_of(now)));
}

void ReaderData::add(const table::ItemView& attributes) {
    for (const auto field : attributes) set(field.name, value_of(field.value));
}

// A value that has no name is shown as it is; what is no text has none.
void ReaderData::add(const DisplayNames& names) {
    for (const auto& [variable, labels] : names) {
        const auto value = find(source_of(variable));
        if (!value.is(liquid::Kind::text)) continue;
        const auto label = labels.find(std::string(value.text()));
        set(variable, label == labels.end() ? value : liquid::Value::text(label->second));
    }
}

liquid::Value ReaderData::value_of(const table::ValueView& value) {
    if (value.kind() == table::Kind::string) return liquid::Value::text(value.text());
    if (value.is_bool()) return liquid::Value::boolean(value.boolean());
    return owned_.emplace_back(owned(value)).view();
}

liquid::Value ReaderData::find(std::string_view name) const {
    const auto found = std::find_if(entries_.rbegin(), entries_.rend(),
                                    [&](const auto& entry) { return entry.first == name; });
    return found == entries_.rend() ? liquid::Value() : found->second;
}

liquid::Value ReaderData::view() const {
    static const ReaderDataReader reader;
    return liquid::Value::object(reader, this);
}

}  // namespace mailroom::campaigns
