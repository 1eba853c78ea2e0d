#include "liquid/template.h"

#include "liquid/parser.h"
#include "liquid/renderer.h"

#include <algorithm>
#include <set>

namespace mailroom::liquid {

namespace {

constexpr std::size_t text_bytes_hard_max = 256 * 1024 * 1024;  // Places in it are 32-bit.

std::set<std::string_view> own_names(const Program& program) {
    std::set<std::string_view> names{"forloop", "tablerowloop", "block"};
    for (const auto& name : program.names) names.insert(name.text);
    for (const auto& loop : program.loops) {
        names.insert(loop.variable.text);
        if (loop.offset_continues) names.insert("continue");
    }
    return names;
}

std::string path_text(const Program& program, const Path& path) {
    std::string text;
    for (auto at = path.segments.begin; at < path.segments.end; ++at) {
        const auto& segment = program.segments[at];
        if (segment.operand != no_index || !segment.key.is(Kind::text)) break;
        if (!text.empty()) text += '.';
        text += segment.key.text();
    }
    return text;
}

}  // namespace

Result<Template, Failure> Template::compile(std::string_view text, const CompileOptions& options) {
    if (text.size() > std::min(options.text_bytes_max, text_bytes_hard_max)) {
        Failure failure;
        failure.message = "the template is too long";
        return failure;
    }
    auto program = std::make_shared<Program>();
    program->source = text;
    Diagnostics diagnostics(program->source);
    Parser(*program, diagnostics).run();
    if (diagnostics.failed()) return diagnostics.take();
    return Template(std::move(program));
}

Result<Rendered, Failure> Template::render(const Value& data, const RenderOptions& options) const {
    return Renderer(data, options).run(*program_);
}

std::vector<std::string> Template::variables() const {
    const auto own = own_names(*program_);
    std::set<std::string> found;
    for (const auto& path : program_->paths) {
        if (path.root != no_index) continue;
        const auto& first = program_->segments[path.segments.begin];
        const bool is_named = first.operand == no_index && first.key.is(Kind::text);
        if (is_named && !own.contains(first.key.text())) found.insert(path_text(*program_, path));
    }
    return {found.begin(), found.end()};
}

}  // namespace mailroom::liquid
