// How values of one type are spelled: in a row, in JSON, in a query, and in the schema of JSON.
//
// A Form<V> has, all static:
//   Value store(const V&)                             into a row
//   std::optional<V> load(const ValueView&)           from a row; none: it is nothing of the kind
//   void show(json::Writer&, const V&)                into JSON
//   void read(const json::View&, V&, Reading&)        from JSON, or says what is wrong
//   void describe(json::Writer&, Schemas&)            members of the schema's object
// and, if a query or a path may hold one:
//   std::optional<V> parse(std::string_view)
//   std::string wanted()                              "must be …"
// A type that is only stored, or only shown, has only those. Folders add forms of their own types.
#pragma once

#include "base/clock.h"
#include "base/names.h"
#include "json/json.h"
#include "json/writer.h"
#include "table/records/reading.h"
#include "table/value.h"

#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::table {

template <class V>
struct Form;

// Schemas that have a name, each written once, for the `components` of a description.
class Schemas {
public:
    // `write` gives the JSON text of a schema; it is asked when the name is new. Two types of one
    // name are a bug.
    template <class Write>
    void refer(json::Writer& writer, const std::string& name, const Write& write) {
        if (known_.try_emplace(name).second) {
            std::string text = write(*this);
            known_[name] = std::move(text);
        }
        writer.key("$ref").text("#/components/schemas/" + name);
    }
    const std::map<std::string, std::string>& known() const { return known_; }

private:
    std::map<std::string, std::string> known_;
};

// Text that may hold anything: what is no UTF-8 is shown as U+FFFD.
void show_text(json::Writer& writer, std::string_view text);

template <>
struct Form<std::string> {
    static std::string wanted() { return "must be text"; }
    static Value store(const std::string& text) { return Value(text); }
    static std::optional<std::string> load(const ValueView& value);
    static void show(json::Writer& writer, const std::string& text) { show_text(writer, text); }
    static void read(const json::View& view, std::string& to, Reading& reading);
    static std::optional<std::string> parse(std::string_view text) { return std::string(text); }
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("string"); }
};

template <>
struct Form<bool> {
    static std::string wanted() { return "must be true or false"; }
    static Value store(bool value) { return Value(value); }
    static std::optional<bool> load(const ValueView& value);
    static void show(json::Writer& writer, bool value) { writer.boolean(value); }
    static void read(const json::View& view, bool& to, Reading& reading);
    static std::optional<bool> parse(std::string_view text);
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("boolean"); }
};

template <>
struct Form<std::int64_t> {
    static std::string wanted() { return "must be a whole number"; }
    static Value store(std::int64_t value) { return Value(value); }
    static std::optional<std::int64_t> load(const ValueView& value);
    static void show(json::Writer& writer, std::int64_t value) { writer.integer(value); }
    static void read(const json::View& view, std::int64_t& to, Reading& reading);
    static std::optional<std::int64_t> parse(std::string_view text);
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("integer"); }
};

// Only shown.
template <>
struct Form<double> {
    static void show(json::Writer& writer, double value) { writer.decimal(value); }
    static void describe(json::Writer& writer, Schemas&) { writer.key("type").text("number"); }
};

// Unix milliseconds in rows, RFC 3339 with milliseconds in JSON.
template <>
struct Form<Time> {
    static std::string wanted() { return "must be a time such as 2026-11-15T05:51:24Z"; }
    static Value store(Time time) { return Value(to_unix_ms(time)); }
    static std::optional<Time> load(const ValueView& value);
    static void show(json::Writer& writer, Time time);
    static void read(const json::View& view, Time& to, Reading& reading);
    static std::optional<Time> parse(std::string_view text);
    static void describe(json::Writer& writer, Schemas&) {
        writer.key("type").text("string").key("format").text("date-time");
    }
};

// Unix seconds in rows, as DynamoDB's time to live wants them; whole seconds in JSON.
struct InSeconds : Form<Time> {
    static Value store(Time time) { return Value(to_unix_seconds(time)); }
    static std::optional<Time> load(const ValueView& value);
    static void show(json::Writer& writer, Time time);
};

template <Named E>
struct Form<E> {
    static Value store(E value) { return Value(name_of(value)); }
    static std::optional<E> load(const ValueView& value) {
        if (value.kind() != Kind::string) return std::nullopt;
        return named<E>(value.text());
    }
    static void show(json::Writer& writer, E value) { writer.text(name_of(value)); }
    static void read(const json::View& view, E& to, Reading& reading) {
        const bool is_text = view.type() == json::View::Type::text;
        const auto value = is_text ? named<E>(view.text()) : std::nullopt;
        if (value) to = *value;
        if (!value) reading.wrong(wanted(), code());
    }
    static const char* code() {
        if constexpr (requires { refusal_code(E{}); }) return refusal_code(E{});
        return "";
    }
    static std::optional<E> parse(std::string_view text) { return named<E>(text); }
    static std::string wanted() { return "must be " + names_text<E>(); }
    static void describe(json::Writer& writer, Schemas&) {
        writer.key("type").text("string").key("enum").open_list();
        for (const auto& [value, name] : all_names<E>) writer.text(name);
        writer.close_list();
    }
};

// What may be nothing, and is spelled as F has it otherwise. Nothing is no attribute in a row and
// null in JSON.
template <class F, class V>
struct Maybe {
    static Value store(const std::optional<V>& value) { return F::store(*value); }
    static std::optional<std::optional<V>> load(const ValueView& value) {
        auto inner = F::load(value);
        if (!inner) return std::nullopt;
        return std::optional<std::optional<V>>(std::in_place, *std::move(inner));
    }
    static void show(json::Writer& writer, const std::optional<V>& value) {
        if (value) F::show(writer, *value);
        if (!value) writer.null();
    }
    static void read(const json::View& view, std::optional<V>& to, Reading& reading) {
        F::read(view, to.emplace(), reading);
    }
    static std::optional<std::optional<V>> parse(std::string_view text) requires requires {
        F::parse(text);
    }
    {
        auto inner = F::parse(text);
        if (!inner) return std::nullopt;
        return std::optional<std::optional<V>>(std::in_place, *std::move(inner));
    }
    static std::string wanted() requires requires { F::wanted(); }
    { return F::wanted(); }
    static void describe(json::Writer& writer, Schemas& schemas) { F::describe(writer, schemas); }
};
template <class V>
struct Form<std::optional<V>> : Maybe<Form<V>, V> {};

template <class V>
struct Form<std::vector<V>> {
    static Value store(const std::vector<V>& values) {
        std::vector<Value> list;
        list.reserve(values.size());
        for (const auto& value : values) list.push_back(Form<V>::store(value));
        return Value::list(list);
    }
    // Elements that are nothing of the kind are passed over.
    static std::optional<std::vector<V>> load(const ValueView& value) {
        if (value.kind() != Kind::list) return std::nullopt;
        std::vector<V> values;
        for (const auto element : value.list()) {
            if (auto one = Form<V>::load(element)) values.push_back(*std::move(one));
        }
        return values;
    }
    static void show(json::Writer& writer, const std::vector<V>& values) {
        writer.open_list();
        for (const auto& value : values) Form<V>::show(writer, value);
        writer.close_list();
    }
    static void read(const json::View& view, std::vector<V>& to, Reading& reading) {
        if (view.type() != json::View::Type::list) return reading.wrong("must be a list");
        json::Elements elements(view);
        json::View element;
        while (elements.next(element)) {
            const Reading::Inside inside(reading, to.size());
            Form<V>::read(element, to.emplace_back(), reading);
        }
    }
    static void describe(json::Writer& writer, Schemas& schemas) {
        writer.key("type").text("array").key("items").open_object();
        Form<V>::describe(writer, schemas);
        writer.close_object();
    }
};

// The names of a map: any text, or those of an enum.
template <class K>
std::string_view name_in_map(const K& key) {
    if constexpr (Named<K>) {
        return name_of(key);
    } else {
        return key;
    }
}
template <class K>
std::optional<K> named_in_map(std::string_view name) {
    if constexpr (Named<K>) {
        return named<K>(name);
    } else {
        return K(name);
    }
}

// A map of names to values of one kind. In a row, what is nothing of the kind is passed over.
template <class K, class V>
struct Form<std::map<K, V>> {
    static Value store(const std::map<K, V>& values) {
        Item fields;
        for (const auto& [key, value] : values) fields.set(name_in_map(key), Form<V>::store(value));
        return Value::map(fields);
    }
    static std::optional<std::map<K, V>> load(const ValueView& value) {
        if (value.kind() != Kind::map) return std::nullopt;
        std::map<K, V> values;
        for (const auto field : value.map()) {
            auto key = named_in_map<K>(field.name);
            auto one = Form<V>::load(field.value);
            if (key && one) values.emplace(*std::move(key), *std::move(one));
        }
        return values;
    }
    static void show(json::Writer& writer, const std::map<K, V>& values) {
        writer.open_object();
        for (const auto& [key, value] : values) {
            writer.name(name_in_map(key));
            Form<V>::show(writer, value);
        }
        writer.close_object();
    }
    static void read(const json::View& view, std::map<K, V>& to, Reading& reading) {
        if (view.type() != json::View::Type::object) return reading.wrong("must be an object");
        json::Members members(view);
        std::string_view name;
        json::View value;
        while (members.next(name, value)) {
            const Reading::Inside inside(reading, name);
            auto key = named_in_map<K>(name);
            if (!key) {
                reading.wrong("is not known");
                continue;
            }
            const auto [at, is_new] = to.try_emplace(*std::move(key));
            if (!is_new) reading.wrong("is there twice");
            if (is_new) Form<V>::read(value, at->second, reading);
        }
    }
    static void describe(json::Writer& writer, Schemas& schemas) {
        writer.key("type").text("object").key("additionalProperties").open_object();
        Form<V>::describe(writer, schemas);
        writer.close_object();
    }
};

}  // namespace mailroom::table
