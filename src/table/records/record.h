// What the fields of a struct are called in a row and in JSON, said once, beside the struct.
//
//   struct Invoice {
//       std::string id;
//       Time due;
//       Letter letter;
//       bool is_overdue() const;
//
//       static constexpr std::string_view record_name = "Invoice";
//       static constexpr auto fields = std::tuple{
//           must_have("invoice_id", &Invoice::id, "Yours."),
//           kept("due_ms", "due_date", &Invoice::due, "When it is to be paid."),
//           shown("overdue", &Invoice::is_overdue, "Whether that has passed."),
//           Part{&Invoice::letter}};
//   };
//
// What makes the fields is in member.h. Of a struct that is said elsewhere, a specialization of
// Record<T> may have them. There may also be, all static:
//   std::string_view record_name                  in descriptions, and of a row that is corrupt
//   void derive(const T&, Item&)                  adds what the row computes: index keys, expiry
//   void complete(Item&)                          adds what another program left out of a row that
//                                                 it wrote, before the fields are read
//   Result<> settle(T&, const ItemView&)          after the fields were read from a row
//   void check(const T&, Reading&)                after they were read from JSON
#pragma once

#include "base/suggestion.h"
#include "table/records/form.h"
#include "table/records/member.h"

#include <algorithm>
#include <bitset>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace mailroom::table {

template <class T>
struct Record {};
template <class T>
requires requires { std::tuple_size<std::remove_cvref_t<decltype(T::fields)>>::value; }
struct Record<T> : T {};

template <class T>
concept HasRecord = requires {
    Record<T>::fields;
};

namespace record {

template <class T, class At>
using ValueOf = std::remove_cvref_t<std::invoke_result_t<At, T&>>;
// Whether it can be read into.
template <class T, class At>
inline constexpr bool is_kept =
    std::is_lvalue_reference_v<std::invoke_result_t<At, T&>> &&
    !std::is_const_v<std::remove_reference_t<std::invoke_result_t<At, T&>>>;
// With a spelling of its own, a value that may be nothing is spelled so where it is something.
template <class V, class Spelling>
struct FormFor {
    using type = Spelling;
};
template <class V>
struct FormFor<V, void> {
    using type = Form<V>;
};
template <class V>
struct FormFor<std::optional<V>, void> {
    using type = Form<std::optional<V>>;
};
template <class V, class Spelling>
struct FormFor<std::optional<V>, Spelling> {
    using type = Maybe<Spelling, V>;
};
template <class T, class At, class Spelling>
using FormOf = typename FormFor<ValueOf<T, At>, Spelling>::type;

template <class V>
bool is_empty(const V& value) {
    if constexpr (requires { value.has_value(); }) {
        return !value.has_value();
    } else if constexpr (requires { value.empty(); }) {
        return value.empty();
    } else if constexpr (std::equality_comparable<V>) {
        return value == V{};
    } else {
        return false;
    }
}
template <class V>
inline constexpr bool is_optional = requires(const V& value) {
    value.has_value();
};

// Calls visit(member, owner) for each member, with the struct that it is a member of.
template <class T, class Visit>
void each(T& owner, Visit&& visit) {
    const auto one = [&]<class Field>(const Field& field) {
        if constexpr (requires { field.row; }) {
            visit(field, owner);
        } else {
            each(std::invoke(field.at, owner), visit);
        }
    };
    std::apply([&](const auto&... fields) { (one(fields), ...); },
               Record<std::remove_const_t<T>>::fields);
}

template <class T, class At, class Spelling>
void add_to_row(Item& row, const Member<At, Spelling>& member, const T& owner) {
    if (member.row.empty()) return;
    using F = FormOf<const T, At, Spelling>;
    if constexpr (requires { F::store(std::invoke(member.at, owner)); }) {
        const auto& value = std::invoke(member.at, owner);
        if constexpr (is_optional<ValueOf<const T, At>>) {
            if (!value) return;
        }
        const bool may_lack = member.need == Need::sparse || member.need == Need::omitted;
        if (may_lack && is_empty(value)) return;
        row.set(member.row, F::store(value));
    }
}

// Whether what must be there is there. What is nothing of the kind reads as if it were missing.
template <class T, class At, class Spelling>
bool load(const ItemView& row, const Member<At, Spelling>& member, T& owner) {
    if constexpr (is_kept<T, At>) {
        if (member.row.empty()) return true;
        if (const auto value = row.find(member.row)) {
            if (auto loaded = FormOf<T, At, Spelling>::load(*value)) {
                std::invoke(member.at, owner) = *std::move(loaded);
                return true;
            }
        }
        return member.need != Need::required;
    } else {
        return true;
    }
}

template <class T, class At, class Spelling>
void show(json::Writer& writer, const Member<At, Spelling>& member, const T& owner) {
    if (member.name.empty()) return;
    using F = FormOf<const T, At, Spelling>;
    if constexpr (requires { F::show(writer, std::invoke(member.at, owner)); }) {
        const auto& value = std::invoke(member.at, owner);
        if (member.need == Need::omitted && is_empty(value)) return;
        writer.key(member.name);
        if (member.need == Need::sparse && is_empty(value)) {
            writer.null();
        } else {
            F::show(writer, value);
        }
    }
}

// "is not known", with the nearest name that is.
std::string unknown(std::string_view name, std::span<const std::string_view> known);

template <class T>
std::vector<std::string_view> names() {
    std::vector<std::string_view> known;
    T sample{};
    each(sample, [&]<class At, class S, class O>(const Member<At, S>& member, O&) {
        if constexpr (is_kept<O, At>) {
            if (!member.name.empty()) known.push_back(member.name);
        }
    });
    return known;
}

}  // namespace record

template <HasRecord T>
Item to_item(const T& value) {
    Item row;
    record::each(value, [&](const auto& member, const auto& owner) {
        record::add_to_row(row, member, owner);
    });
    if constexpr (requires { Record<T>::derive(value, row); }) Record<T>::derive(value, row);
    return row;
}

namespace record {

template <HasRecord T>
Result<T> from_complete(const ItemView& row) {
    T value{};
    std::string_view missing;
    record::each(value, [&](const auto& member, auto& owner) {
        if (!record::load(row, member, owner) && missing.empty()) missing = member.row;
    });
    if (!missing.empty()) {
        return Error{Errc::corrupt, std::string(Record<T>::record_name) + ": the row has no " +
                                        std::string(missing) + " as it must be"};
    }
    if constexpr (requires { Record<T>::settle(value, row); }) {
        TRY(Record<T>::settle(value, row));
    }
    return value;
}

}  // namespace record

// `corrupt`, naming the field, if it lacks what it must have.
template <HasRecord T>
Result<T> from_item(const ItemView& row) {
    if constexpr (requires(Item & whole) { Record<T>::complete(whole); }) {
        Item whole(row);
        Record<T>::complete(whole);
        return record::from_complete<T>(whole);
    } else {
        return record::from_complete<T>(row);
    }
}

// The members, into an object that is open.
template <HasRecord T>
void write_members(json::Writer& writer, const T& value) {
    record::each(
        value, [&](const auto& member, const auto& owner) { record::show(writer, member, owner); });
}

template <HasRecord T>
void write_json(json::Writer& writer, const T& value) {
    writer.open_object();
    write_members(writer, value);
    writer.close_object();
}

template <HasRecord T>
std::string to_json(const T& value) {
    std::string text;
    json::Writer writer(text);
    write_json(writer, value);
    return text;
}

// Reads one member, by its name; false if there is none of that name.
template <HasRecord T>
bool read_member(std::string_view name, const json::View& view, T& to, Reading& reading) {
    bool found = false;
    record::each(to, [&]<class At, class S, class O>(const Member<At, S>& member, O& owner) {
        if constexpr (record::is_kept<O, At>) {
            using F = record::FormOf<O, At, S>;
            if (found || member.name.empty() || member.name != name) return;
            found = true;
            if constexpr (requires { F::read(view, std::invoke(member.at, owner), reading); }) {
                if (view.is_null()) return;
                const Reading::Inside inside(reading, name);
                F::read(view, std::invoke(member.at, owner), reading);
            }
        }
    });
    return found;
}

// Says which members are missing that must be there, of those for which `is_there(name)` is false.
template <HasRecord T, class IsThere>
void require_members(T& value, Reading& reading, const IsThere& is_there) {
    record::each(value, [&]<class At, class S, class O>(const Member<At, S>& member, O&) {
        if constexpr (record::is_kept<O, At>) {
            const bool is_wanted = member.need == Need::required && !member.name.empty();
            if (is_wanted && !is_there(member.name))
                reading.wrong_member(member.name, "is missing");
        }
    });
}

// What is null is as if it were missing. Says everything that is wrong.
template <HasRecord T>
void read_object(const json::View& view, T& to, Reading& reading) {
    if (view.type() != json::View::Type::object) return reading.wrong("must be an object");
    std::vector<std::string_view> seen, given;
    json::Members members(view);
    std::string_view name;
    json::View value;
    while (members.next(name, value)) {
        if (std::ranges::find(seen, name) != seen.end()) {
            reading.wrong_member(name, "is there twice");
        } else if (!read_member(name, value, to, reading)) {
            reading.wrong_member(name, record::unknown(name, record::names<T>()));
        } else {
            seen.push_back(name);
            if (!value.is_null()) given.push_back(name);
        }
    }
    require_members(to, reading, [&](std::string_view wanted) {
        return std::ranges::find(given, wanted) != given.end();
    });
    if constexpr (requires { Record<T>::check(to, reading); }) {
        if (reading.is_good()) Record<T>::check(to, reading);
    }
}

template <HasRecord T>
Answer<T> read_json(const json::View& view) {
    T value{};
    Reading reading;
    read_object(view, value, reading);
    if (!reading.is_good()) return Refusal(reading.take());
    return value;
}

// Members of the schema of one field.
template <class T, class At, class Spelling>
void describe_member(json::Writer& writer, const Member<At, Spelling>& member, Schemas& schemas) {
    using F = record::FormOf<T, At, Spelling>;
    using V = record::ValueOf<T, At>;
    const bool may_be_null =
        member.need == Need::sparse || (record::is_optional<V> && member.need != Need::omitted);
    if (may_be_null) {
        writer.key("anyOf").open_list().open_object();
        F::describe(writer, schemas);
        writer.close_object().open_object().key("type").text("null").close_object().close_list();
    } else {
        F::describe(writer, schemas);
    }
    if (!member.about.empty()) writer.key("description").text(member.about);
}

enum class Way { in, out };  // What a request may have, or what an answer has.

// {"type":"object","properties":{…}}: of a request what can be read, of an answer what is shown.
// Those of `left_out` do not count. How many members it has.
template <HasRecord T>
std::size_t describe_object(json::Writer& writer, Schemas& schemas, Way way,
                            std::span<const std::string> left_out = {}) {
    T sample{};
    std::size_t count = 0;
    std::vector<std::string_view> required;
    writer.key("type").text("object").key("properties").open_object();
    record::each(sample, [&]<class At, class S, class O>(const Member<At, S>& member, O&) {
        using F = record::FormOf<O, At, S>;
        if (member.name.empty()) return;
        if (std::ranges::find(left_out, member.name) != left_out.end()) return;
        if constexpr (requires(Schemas & all) { F::describe(writer, all); }) {
            if (way == Way::in && !record::is_kept<O, At>) return;
            ++count;
            const bool is_always_there =
                way == Way::out ? member.need != Need::omitted : member.need == Need::required;
            if (is_always_there) required.push_back(member.name);
            writer.key(member.name).open_object();
            describe_member<O>(writer, member, schemas);
            writer.close_object();
        }
    });
    writer.close_object();
    if (!required.empty()) {
        writer.key("required").open_list();
        for (const auto name : required) writer.text(name);
        writer.close_list();
    }
    writer.key("additionalProperties").boolean(false);
    return count;
}

// A struct inside another one: a map in a row, an object in JSON.
template <HasRecord T>
struct Form<T> {
    static Value store(const T& value) { return Value::map(to_item(value)); }
    static std::optional<T> load(const ValueView& value) {
        if (value.kind() != Kind::map) return std::nullopt;
        auto loaded = from_item<T>(value.map());
        return loaded ? std::optional(*std::move(loaded)) : std::nullopt;
    }
    static void show(json::Writer& writer, const T& value) { write_json(writer, value); }
    static void read(const json::View& view, T& to, Reading& reading) {
        read_object(view, to, reading);
    }
    static void describe(json::Writer& writer, Schemas& schemas) {
        schemas.refer(writer, std::string(Record<T>::record_name), [](Schemas& all) {
            std::string text;
            json::Writer schema(text);
            schema.open_object();
            describe_object<T>(schema, all, Way::out);
            schema.close_object();
            return text;
        });
    }
};

}  // namespace mailroom::table
