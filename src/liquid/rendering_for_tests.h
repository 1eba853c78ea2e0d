// Compiles and renders in one call. For tests only.
#pragma once

#include "base/clock.h"
#include "liquid/owned_value.h"
#include "liquid/template.h"

#include <map>
#include <string>
#include <string_view>

namespace mailroom::liquid {

inline const ManualClock& test_clock() {
    static const ManualClock clock(from_unix_ms(1'794'722'828'009));  // 2026-11-15T06:07:08.009Z
    return clock;
}

class MapPartials final : public Partials {
public:
    void add(std::string name, std::string_view text) {
        templates_.insert_or_assign(std::move(name), *Template::compile(text));
    }
    std::optional<Template> find(std::string_view name) const override {
        const auto found = templates_.find(name);
        return found == templates_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::map<std::string, Template, std::less<>> templates_;
};

inline Result<Rendered, Failure> try_render(std::string_view text, const OwnedValue& data,
                                            const RenderOptions& options) {
    auto compiled = Template::compile(text);
    if (!compiled) return std::move(compiled).error();
    return compiled->render(data.view(), options);
}

// The text, or "error: " and the message.
inline std::string render_text(std::string_view text, const OwnedValue& data,
                               const RenderOptions& options = {.clock = test_clock()}) {
    const auto rendered = try_render(text, data, options);
    return rendered ? rendered->text : "error: " + rendered.error().message;
}

}  // namespace mailroom::liquid
