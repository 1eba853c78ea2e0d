// One field of a struct, as rows and JSON have it: see record.h.
#pragma once

#include <string_view>

namespace mailroom::table {

enum class Need {
    required,  // A row without it is not one of these; a request without it is refused.
    usual,     // Always written; where it is missing, the struct's own default counts.
    sparse,    // Not written to the row and null in JSON while it is empty, 0 or none.
    omitted,   // Left out of both then.
};

// `at` is a pointer to the member, or a function of the struct that returns a reference to it. One
// that returns a value is computed: it is written and shown, never read.
template <class At, class Spelling = void>
struct Member {
    std::string_view row;   // Empty: it is in no row.
    std::string_view name;  // In JSON; empty: not shown, nor taken.
    At at;
    Need need;
    std::string_view about;  // A sentence for the description.
};
template <class At>
Member(const char*, const char*, At, Need, const char*) -> Member<At>;

// A struct within, whose fields are as if they were the outer one's own.
template <class At>
struct Part {
    At at;
};

// What fields are said with. A program takes these words at once: using namespace table::fields.
inline namespace fields {

// With another form than that of its type.
template <class Spelling, class At>
constexpr Member<At, Spelling> spelled(const Member<At>& member) {
    return {member.row, member.name, member.at, member.need, member.about};
}

// A field of the row that is shown, too, under the same name or another: one that is always there,
// and one that is not while it is empty. One that is never shown has no name there.
template <class At>
constexpr Member<At> kept(const char* row, const char* name, At at, const char* about = "") {
    return {row, name, at, Need::usual, about};
}
template <class At>
constexpr Member<At> kept(const char* name, At at, const char* about = "") {
    return {name, name, at, Need::usual, about};
}
template <class At>
constexpr Member<At> kept_if_any(const char* row, const char* name, At at, const char* about = "") {
    return {row, name, at, Need::sparse, about};
}
template <class At>
constexpr Member<At> kept_if_any(const char* name, At at, const char* about = "") {
    return {name, name, at, Need::sparse, about};
}
template <class At>
constexpr Member<At> stored(const char* row, At at) {
    return {row, "", at, Need::usual, ""};
}
template <class At>
constexpr Member<At> stored_if_any(const char* row, At at) {
    return {row, "", at, Need::sparse, ""};
}
// One that a row cannot be without.
template <class At>
constexpr Member<At> must_have(const char* row, const char* name, At at, const char* about = "") {
    return {row, name, at, Need::required, about};
}
template <class At>
constexpr Member<At> must_have(const char* name, At at, const char* about = "") {
    return {name, name, at, Need::required, about};
}

// A field of JSON only: one that is shown, one that is null, or not there, while it is empty; one
// that may be asked for, one that must be.
template <class At>
constexpr Member<At> shown(const char* name, At at, const char* about = "") {
    return {"", name, at, Need::usual, about};
}
template <class At>
constexpr Member<At> shown_if_any(const char* name, At at, const char* about = "") {
    return {"", name, at, Need::sparse, about};
}
template <class At>
constexpr Member<At> shown_or_omitted(const char* name, At at, const char* about = "") {
    return {"", name, at, Need::omitted, about};
}
template <class At>
constexpr Member<At> asked(const char* name, At at, const char* about = "") {
    return {"", name, at, Need::usual, about};
}
template <class At>
constexpr Member<At> required(const char* name, At at, const char* about = "") {
    return {"", name, at, Need::required, about};
}

// The fields of a struct within, as if they were the outer one's own.
template <class At>
constexpr Part<At> part(At at) {
    return {at};
}

}  // namespace fields
}  // namespace mailroom::table
