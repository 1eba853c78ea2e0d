// Compiles any bytes as MJML: alone, and in the places where they are read differently. What comes
// out is bounded and a text; compiling again gives the same.
#include "base/text.h"
#include "mjml/compile.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;

void check(const std::string& source) {
    mjml::Options options;
    options.html_bytes_max = 256 * 1024;
    const auto compiled = mjml::compile(source, options);
    if (!compiled) {
        assert(!compiled.error().message.empty());
        return;
    }
    assert(compiled->html.size() <= options.html_bytes_max);
    assert(is_utf8(compiled->html));
    assert(compiled->warnings.size() <= options.warnings_max + 1);
    const auto again = mjml::compile(source, options);
    assert(again && again->html == compiled->html && again->warnings == compiled->warnings);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    check(text);
    check("<mjml><mj-body>" + text + "</mj-body></mjml>");
    check("<mjml><mj-body><mj-section><mj-column>" + text +
          "</mj-column></mj-section></mj-body></mjml>");
    // The first half is a sheet, the second what it is inlined into.
    const auto half = size / 2;
    check("<mjml><mj-head><mj-style inline=\"inline\">" + text.substr(0, half) +
          "</mj-style><mj-html-attributes><mj-selector path=\"" + text.substr(0, half) +
          "\"><mj-html-attribute name=\"a\">b</mj-html-attribute></mj-selector>"
          "</mj-html-attributes></mj-head><mj-body><mj-raw>" +
          text.substr(half) + "</mj-raw></mj-body></mjml>");
    return 0;
}
