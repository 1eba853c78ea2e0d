#include "writing/filling.h"

#include "base/text.h"
#include "table/records/record.h"

#include <algorithm>
#include <utility>

namespace mailroom::writing {

namespace {

struct Missing {
    std::vector<std::string> names;

    static constexpr auto fields = std::tuple{table::shown("missing_variables", &Missing::names)};
};

}  // namespace

void check_template(std::string_view text, std::string_view member, table::Reading& reading) {
    if (text.empty() || text.size() > template_bytes_max || !is_utf8(text)) {
        return reading.wrong_member(member, "must be text of at most 64 KB");
    }
    const auto compiled = liquid::Template::compile(text);
    if (compiled) return;
    reading.wrong_member(member, "is no template: " + Error(compiled.error()).message);
}

Answer<std::string> Filling::fill(std::string_view text, liquid::Escape escape) {
    const auto compiled = liquid::Template::compile(text);
    if (!compiled) return Refusal(static_cast<Error>(compiled.error()));
    auto rendered = compiled->render(
        data_.view(), {.clock = clock_, .escape = escape, .missing = liquid::Missing::report_nil});
    if (rendered) return std::move(rendered->text);
    auto& failure = rendered.error();
    if (failure.missing_variables.empty()) {
        return Refusal(Refusal::Kind::unprocessable, "template_failed", Error(failure).message);
    }
    for (auto& name : failure.missing_variables) {
        if (std::ranges::find(missing_, name) == missing_.end()) missing_.push_back(name);
    }
    return std::string();
}

Answer<> Filling::check() const {
    if (missing_.empty()) return Ok{};
    std::string text;
    for (const auto& name : missing_) text += (text.empty() ? "" : ", ") + name;
    Refusal refusal(Refusal::Kind::unprocessable, "missing_variables",
                    "the template needs what is not there: " + text);
    refusal.details = table::to_json(Missing{missing_});
    return refusal;
}

}  // namespace mailroom::writing
