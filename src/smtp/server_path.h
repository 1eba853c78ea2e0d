// The arguments of MAIL and RCPT: a path in angle brackets, then parameters (RFC 5321, 4.1.2).
//
//   path   := "<" [ route ":" ] mailbox ">"     route := "@" domain *( "," "@" domain )
//   mailbox:= ( dot-string / quoted-string ) "@" ( domain / address-literal )
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mailroom::smtp {

// One mailbox of an envelope, checked. Non-ASCII characters are well-formed UTF-8 (RFC 6531).
struct Path {
    std::string local;   // Without quotes: `a b` for `"a b"@example.com`.
    std::string domain;  // As given: "Example.com", "[192.0.2.1]". Empty only for `<Postmaster>`.
    std::string text;    // As sent, without brackets and route: `"a b"@Example.com`.
    bool operator==(const Path&) const = default;
};

// A host name as in EHLO, or an address literal.
bool is_domain(std::string_view text);
bool is_address_literal(std::string_view text);

struct Parameter {
    std::string_view name;                  // As given; compare without regard to case.
    std::optional<std::string_view> value;  // After "=".
};

struct PathArgument {
    std::optional<Path> path;  // None is `<>`.
    std::vector<Parameter> parameters;
};

// What is wrong, for the reply.
struct PathProblem {
    enum class Where { path, parameters };
    Where where;
    std::string text;
};

// Parses what follows "FROM:" or "TO:"; spaces before the bracket, a common slip, are tolerated.
// The views are into `text`.
std::variant<PathArgument, PathProblem> parse_path_argument(std::string_view text);

// RFC 3461, section 4: "+3D" is "=". None if it is malformed.
std::optional<std::string> decode_xtext(std::string_view text);

}  // namespace mailroom::smtp
