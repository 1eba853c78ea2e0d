#include "program/scopes.h"

#include <algorithm>

namespace mailroom::program {

namespace {

constexpr std::string_view reading = ":read";

bool implies(std::string_view scope, std::string_view wanted) {
    if (scope == wanted || scope == scope::admin) return true;
    if (!wanted.ends_with(reading)) return false;
    const auto of_program = wanted.substr(0, wanted.size() - reading.size() + 1);
    return scope == scope::read || scope.starts_with(of_program);
}

}  // namespace

bool allows(std::span<const std::string> scopes, std::string_view wanted) {
    return std::ranges::any_of(scopes, [&](const auto& scope) { return implies(scope, wanted); });
}

}  // namespace mailroom::program
