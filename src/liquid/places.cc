#include "liquid/places.h"

#include "liquid/program.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>
#include <utility>

namespace mailroom::liquid {

namespace {

// The name that a path begins with, if it names a variable.
std::string_view first_name(const Program& program, const Path& path) {
    if (path.root != no_index) return {};
    const auto& first = program.segments[path.segments.begin];
    const bool is_named = first.operand == no_index && first.key.is(Kind::text);
    return is_named ? first.key.text() : std::string_view();
}

// Where the source has the path first: written so, or else anything of its first name.
std::optional<Failure> first_place(const Program& program, std::string_view path) {
    const std::string_view source = program.source;
    const std::less_equal<> is_before;
    std::size_t exact = source.npos, near = source.npos, length = 0;
    for (const auto& read : program.paths) {
        const auto name = first_name(program, read);
        if (name.empty() || name != path.substr(0, path.find('.'))) continue;
        const bool is_inside = is_before(source.data(), name.data()) &&
                               is_before(name.data() + name.size(), source.data() + source.size());
        if (!is_inside) continue;
        const auto at = static_cast<std::size_t>(name.data() - source.data());
        auto& first = source.substr(at).starts_with(path) ? exact : near;
        first = std::min(first, at);
        length = name.size();
    }
    const auto at = exact == source.npos ? near : exact;
    if (at == source.npos) return std::nullopt;
    Failure place;
    locate(place, source, at, length);
    return place;
}

std::optional<PartialPlace::Tag> tag_of(Op op) {
    if (op == Op::layout) return PartialPlace::Tag::layout;
    if (op == Op::include) return PartialPlace::Tag::include;
    if (op == Op::render) return PartialPlace::Tag::render;
    return std::nullopt;
}

}  // namespace

std::vector<VariablePlace> variable_places(const Template& text) {
    const auto& program = text.program();
    std::vector<VariablePlace> places;
    for (auto& path : text.variables()) {
        const auto place = first_place(program, path);
        places.push_back({std::move(path), place ? place->line : 0, place ? place->column : 0});
    }
    return places;
}

std::vector<PartialPlace> partial_places(const Template& text) {
    const auto& program = text.program();
    std::vector<PartialPlace> places;
    for (Index at = 0; at < size_of(program.nodes); ++at) {
        const auto& node = program.nodes[at];
        const auto tag = tag_of(node.op);
        if (!tag || node.a == no_index) continue;
        const auto& use = program.partials[node.a];
        const auto name_at = *tag == PartialPlace::Tag::layout ? at + 1 : at;
        const bool is_made =
            use.name_operand != no_index || program.nodes[name_at].end > name_at + 1;
        Failure place;
        locate(place, program.source, node.offset, node.length);
        places.push_back(
            {*tag, is_made ? std::string() : std::string(use.name), place.line, place.column});
    }
    return places;
}

}  // namespace mailroom::liquid
