// Renders one template per line of standard input, for comparison with other engines.
//   in:   {"template": text, "data": object, "partials": {name: text}, "html": bool, "now": ms}
//   out:  {"text": text} or {"error": text}
#include "base/clock.h"
#include "liquid/coerce.h"
#include "liquid/json_value.h"
#include "liquid/template.h"

#include <simdjson.h>

#include <iostream>
#include <map>
#include <string>

namespace {

using namespace mailroom;
using liquid::Template;

class MapPartials final : public liquid::Partials {
public:
    void add(std::string_view name, std::string_view text) {
        if (auto compiled = Template::compile(text)) templates_.emplace(name, *compiled);
    }
    std::optional<Template> find(std::string_view name) const override {
        const auto found = templates_.find(name);
        return found == templates_.end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::map<std::string, Template, std::less<>> templates_;
};

std::string render(simdjson::dom::object request, const liquid::TimeZones& zones, bool& failed) {
    const auto compiled = Template::compile(std::string_view{request["template"]});
    failed = true;
    if (!compiled) return Error(compiled.error()).message;
    MapPartials partials;
    const simdjson::dom::object parts = request["partials"];
    for (const auto& [name, text] : parts) partials.add(name, std::string_view{text});
    const ManualClock clock(from_unix_ms(std::int64_t{request["now"]}));
    liquid::RenderOptions options{.clock = clock, .partials = &partials, .time_zones = &zones};
    if (bool{request["html"]}) options.escape = liquid::Escape::html;
    const auto data = liquid::value_from_json(simdjson::minify(request["data"].value()));
    if (!data) return data.error().message;
    const auto rendered = compiled->render(data->view(), options);
    if (!rendered) return Error(rendered.error()).message;
    failed = false;
    return rendered->text;
}

void answer(const std::string& text, bool failed) {
    const ManualClock clock(from_unix_ms(0));
    liquid::Budget budget(text.size() + 1, 8 * text.size() + 1, clock, std::chrono::hours(1));
    std::string line = failed ? "{\"error\":" : "{\"text\":";
    liquid::append_json(line, liquid::Value::text(text), "", budget);
    std::cout << line << "}\n";
}

}  // namespace

int main() {
    const liquid::TimeZones zones;
    simdjson::dom::parser parser;
    std::string line;
    while (std::getline(std::cin, line)) {
        bool failed = false;
        const auto text = render(parser.parse(line), zones, failed);
        answer(text, failed);
    }
}
