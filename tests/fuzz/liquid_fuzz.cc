// Compiles any bytes as a template and renders what compiles, within small limits. The first byte
// chooses escaping and strictness.
#include "base/clock.h"
#include "liquid/owned_value.h"
#include "liquid/template.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace {

using namespace mailroom;
using liquid::OwnedValue;
using liquid::Template;

const OwnedValue& data() {
    static const auto value = OwnedValue::object({
        {"a", "Ann <b> é😀\xff"},
        {"b", 12.5},
        {"c", OwnedValue::array({3, "x", OwnedValue(), true, OwnedValue::array({1, 2})})},
        {"d", "2026-07-05T10:30:00+02:00"},
        {"e", OwnedValue::object({{"a", "x"}, {"b", OwnedValue::object({{"c", -1}})}})},
        {"f",
         OwnedValue::array({OwnedValue::object({{"a", 1}}), OwnedValue::object({{"a", "y"}})})},
        {"n", OwnedValue()},
    });
    return value;
}

// Every name is the template itself.
class SelfPartials final : public liquid::Partials {
public:
    explicit SelfPartials(const Template& self) : self_(self) {}
    std::optional<Template> find(std::string_view) const override { return self_; }

private:
    const Template& self_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(bytes + 1), size - 1);
    const auto compiled = Template::compile(text);
    if (!compiled) {
        assert(!compiled.error().message.empty());
        return 0;
    }
    compiled->variables();
    static const ManualClock clock(from_unix_ms(1'794'722'828'009));
    static const liquid::TimeZones zones;
    const SelfPartials partials(*compiled);
    liquid::RenderOptions options{.clock = clock, .partials = &partials, .time_zones = &zones};
    if (bytes[0] & 1) options.escape = liquid::Escape::html;
    if (bytes[0] & 2) options.missing = liquid::Missing::report_nil;
    options.limits = {.output_bytes_max = 1 << 16,
                      .scratch_bytes_max = 1 << 18,
                      .steps_max = 2000,
                      .partial_depth_max = 4};
    const auto rendered = compiled->render(data().view(), options);
    assert(rendered || !rendered.error().message.empty());
    return 0;
}
