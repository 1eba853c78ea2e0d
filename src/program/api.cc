#include "program/api.h"

#include <set>

namespace mailroom::program {

std::vector<std::string> Api::scopes() const {
    std::set<std::string> all;
    for (const auto& route : routes_) {
        if (!route.about.scope.empty()) all.emplace(route.about.scope);
    }
    return {all.begin(), all.end()};
}

void Api::group(std::string name, std::string about) {
    if (std::ranges::find(groups_, name, &Group::name) == groups_.end()) {
        groups_.push_back({name, std::move(about)});
    }
    group_ = std::move(name);
}

void Api::add_page_parameters(Route& route) {
    route.parameters.push_back({Parameter::Place::query, "limit", false, "How many at the most.",
                                R"({"type":"integer","minimum":1,"maximum":1000,"default":50})"});
    route.parameters.push_back({Parameter::Place::query, "after", false,
                                "`next` of the page before.", R"({"type":"string"})"});
}

}  // namespace mailroom::program
