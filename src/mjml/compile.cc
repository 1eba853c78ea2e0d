#include "mjml/compile.h"

#include "base/text.h"
#include "mjml/frame.h"
#include "mjml/head.h"
#include "mjml/inliner.h"
#include "mjml/page.h"
#include "mjml/reader.h"
#include "mjml/validate.h"
#include "mjml/warnings.h"

#include <algorithm>
#include <utility>

namespace mailroom::mjml {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // As some editors write it.

// mj-raw beside the body that asks to stand before everything.
std::string at_file_start(const Element& root) {
    std::string text;
    for (const auto& each : root.children) {
        const auto* position = each.attribute("position");
        if (each.tag == "mj-raw" && position != nullptr && *position == "file-start") {
            text += each.content + "\n";
        }
    }
    return text;
}

Failure too_long(const Options& options) {
    return {0, "the HTML of this source would be longer than " +
                   std::to_string(options.html_bytes_max) + " bytes"};
}

}  // namespace

Result<Compiled, Failure> compile(std::string_view text, const Options& options) {
    if (text.size() > options.source_bytes_max) {
        return Failure{
            0, "the source is longer than " + std::to_string(options.source_bytes_max) + " bytes"};
    }
    if (!is_utf8(text)) return Failure{0, "the source is not UTF-8"};
    if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
    Warnings warnings(options.warnings_max);
    const auto source = TRY(read_source(text, warnings));
    validate(source.root, warnings);
    const auto& parts = source.root.children;
    const auto body = std::ranges::find(parts, "mj-body", &Element::tag);
    if (body == parts.end()) return Failure{source.root.line, "there is no mj-body in this mail"};
    const auto head = TRY(read_head(source.root, warnings));

    Page page(head, options, warnings);
    page.write_body(*body);
    if (page.is_too_long()) return too_long(options);
    const auto content =
        TRY(with_html_attributes(std::move(page.html()), head, warnings, options.html_bytes_max));
    auto html =
        TRY(with_inlined_styles(framed(page, content), head, warnings, options.html_bytes_max));
    html = source.before + at_file_start(source.root) + html + source.after;
    if (html.size() > options.html_bytes_max) return too_long(options);
    return Compiled{std::move(html), std::move(warnings).take(), head.title, head.preview};
}

}  // namespace mailroom::mjml
