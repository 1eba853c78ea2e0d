// Enums whose values have names: in rows, in JSON, in messages. Said once, beside the enum:
//
//   enum class Stream { transactional, marketing };
//   constexpr auto names_of(Stream) {
//       return std::array{Name{Stream::transactional, "transactional"},
//                         Name{Stream::marketing, "marketing"}};
//   }
//
// Each value once. Names are kept in rows: never change or reuse one. There may also be
//   std::optional<Stream> otherwise_named(Stream, std::string_view)   takes other spellings
//   constexpr const char* refusal_code(Stream)     of the refusal of a name that is none
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace mailroom {

template <class E>
struct Name {
    E value;
    std::string_view name;
};
// Clang 14 does not find this by itself.
template <class E>
Name(E, std::string_view) -> Name<E>;

template <class E>
concept Named = requires {
    names_of(E{});
};

// All of them, in the order in which they are declared.
template <Named E>
inline constexpr auto all_names = names_of(E{});

template <Named E>
constexpr std::string_view name_of(E value) {
    for (const auto& one : all_names<E>) {
        if (one.value == value) return one.name;
    }
    assert(false);
    return "";
}

template <Named E>
constexpr std::optional<E> named(std::string_view name) {
    for (const auto& one : all_names<E>) {
        if (one.name == name) return one.value;
    }
    if constexpr (requires { otherwise_named(E{}, name); }) return otherwise_named(E{}, name);
    return std::nullopt;
}

// "draft, approved or sent": for messages.
template <Named E>
std::string names_text() {
    std::string text;
    for (std::size_t i = 0; i < all_names<E>.size(); ++i) {
        if (i > 0) text += i + 1 == all_names<E>.size() ? " or " : ", ";
        text += all_names<E>[i].name;
    }
    return text;
}

}  // namespace mailroom
