// Who asks for something: whoever holds a key, or the server itself.
#pragma once

#include "program/scopes.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::program {

struct Actor {
    std::string id;  // Of the key; empty: the server.
    std::string name;
    std::vector<std::string> scopes;
    // What the request is known by, if it is to have one effect however often it is made.
    std::optional<std::string> once = std::nullopt;
    // Who holds the key, where that was said: the same person may hold several.
    std::string person = {};

    bool may(std::string_view wanted_scope) const { return allows(scopes, wanted_scope); }
};

// When nobody asked.
inline Actor mailroom_itself() { return {"", "mailroom", {std::string(scope::admin)}}; }

}  // namespace mailroom::program
