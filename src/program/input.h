// Reads what a request gives into a struct: members that the path names come from the path; the
// others from the query, or, where the method has a body, from its JSON object. Everything that is
// wrong is said at once.
#pragma once

#include "json/json.h"
#include "program/route.h"
#include "table/records/cursor.h"
#include "table/records/record.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::program {

// A member `body` of this type is the body as it came; the others then come from the query. The
// struct may say what that is: static constexpr const char* body_type = "text/csv".
struct RawBody {
    std::string_view bytes;  // As long as the call.
};

// Nothing is asked for.
struct Nothing {
    static constexpr auto fields = std::tuple<>{};
};

// "id" and "payment" of "/v1/invoices/{id}/payments/{payment}", "key" of "/v1/texts/{key...}".
std::vector<std::string> names_in(std::string_view path);
// Takes ?limit=&after= out of the query.
table::PageWish take_page_wish(Pairs& query, table::Reading& reading);
// An empty body is an empty object. Says what is wrong with one that is no object of JSON.
bool parse_body(std::string_view body, json::Parser& parser, json::View& to,
                table::Reading& reading);

// Where members come from that the path does not name. A change is a body that says something: one
// that asks for nothing is a mistake, and nothing is to be written for it.
enum class Source { query, body, change, raw_body };
inline bool is_object(Source source) { return source == Source::body || source == Source::change; }

namespace input {

using Names = std::vector<std::string_view>;

inline bool is_in(const Names& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

template <class F>
const char* code_of() {
    if constexpr (requires { F::code(); }) return F::code();
    return "";
}

// One member, given as text.
template <class In>
void read_text(std::string_view name, std::string_view text, In& to, table::Reading& reading) {
    table::record::each(
        to, [&]<class At, class S, class O>(const table::Member<At, S>& member, O& owner) {
            using F = table::record::FormOf<O, At, S>;
            if constexpr (table::record::is_kept<O, At> && requires { F::parse(text); }) {
                if (member.name != name) return;
                auto value = F::parse(text);
                if (!value) return reading.wrong_member(name, F::wanted(), code_of<F>());
                std::invoke(member.at, owner) = *std::move(value);
            }
        });
}

// The first of each name counts; an empty one is as one that is missing.
template <class In>
void read_query(const Pairs& query, In& to, Names& given, table::Reading& reading) {
    const auto known = table::record::names<In>();
    Names unknown;
    for (const auto& [name, text] : query) {
        if (is_in(unknown, name) || is_in(given, name)) continue;
        if (!is_in(known, name)) {
            unknown.push_back(name);
            reading.wrong_member(name, "is not a known parameter");
        } else if (!text.empty()) {
            given.push_back(name);
            read_text(name, text, to, reading);
        }
    }
}

template <class In>
void read_members(const json::View& object, In& to, Names& given, table::Reading& reading) {
    json::Members members(object);
    std::string_view name;
    json::View value;
    Names seen;
    while (members.next(name, value)) {
        if (is_in(seen, name)) {
            reading.wrong_member(name, "is there twice");
        } else if (is_in(given, name) || !table::read_member(name, value, to, reading)) {
            reading.wrong_member(name, table::record::unknown(name, table::record::names<In>()));
        } else {
            seen.push_back(name);
        }
        if (!value.is_null()) given.push_back(name);
    }
}

}  // namespace input

// Whether the struct takes the body as it came.
template <class In>
constexpr bool takes_raw_body = requires(In input) {
    { input.body } -> std::same_as<RawBody&>;
};

// `query` is what a page wish left of it. `parser` keeps what views refer to.
template <class In>
Answer<In> read_input(const Asked& asked, const Pairs& query, Source source, json::Parser& parser,
                      table::Reading& reading) {
    In to{};
    input::Names given;
    for (const auto& [name, text] : asked.path) {
        given.push_back(name);
        input::read_text(name, text, to, reading);
    }
    if (is_object(source)) {
        Nothing nothing;
        input::read_query(query, nothing, given, reading);
        json::View object;
        if (!parse_body(asked.body, parser, object, reading)) return Refusal(reading.take());
        input::read_members(object, to, given, reading);
    } else {
        input::read_query(query, to, given, reading);
        if constexpr (takes_raw_body<In>) to.body.bytes = asked.body;
    }
    table::require_members(to, reading,
                           [&](std::string_view name) { return input::is_in(given, name); });
    const bool says_nothing = given.size() == asked.path.size();
    if (source == Source::change && says_nothing && reading.is_good()) {
        reading.wrong("nothing is asked to be changed");
    }
    if constexpr (requires { table::Record<In>::check(to, reading); }) {
        if (reading.is_good()) table::Record<In>::check(to, reading);
    }
    if (!reading.is_good()) return Refusal(reading.take());
    return to;
}

}  // namespace mailroom::program
