#include "mjml/frame.h"

#include "base/text.h"
#include "mjml/components.h"

#include <algorithm>
#include <set>

namespace mailroom::mjml {
namespace {

constexpr std::string_view not_outlook_begin = "<!--[if !mso]><!-->\n";
constexpr std::string_view not_outlook_end = "<!--<![endif]-->\n";

// What mail programs do differently from each other with plain HTML.
constexpr std::string_view common_rules = R"(<!--[if !mso]><!-->
<meta http-equiv="X-UA-Compatible" content="IE=edge">
<!--<![endif]-->
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style type="text/css">
#outlook a { padding:0; }
body { margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%; }
table, td { border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt; }
img { border:0;height:auto;line-height:100%; outline:none;text-decoration:none; }
img { -ms-interpolation-mode:bicubic; }
p { display:block;margin:13px 0; }
</style>
<!--[if mso]>
<noscript><xml><o:OfficeDocumentSettings>
<o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch>
</o:OfficeDocumentSettings></xml></noscript>
<![endif]-->
<!--[if lte mso 11]>
<style type="text/css">
.mj-outlook-group-fix { width:100% !important; }
</style>
<![endif]-->
)";

// Each value of font-family in `text`, up to one of `ends`; in lower case, once.
void collect_font_families(std::set<std::string>& found, std::string_view text,
                           std::string_view ends) {
    constexpr std::string_view property = "font-family:";
    const auto lower = ascii_lower(text);
    for (auto at = lower.find(property); at != lower.npos; at = lower.find(property, at)) {
        at += property.size();
        const auto end = std::min(lower.find_first_of(ends, at), lower.size());
        found.insert(lower.substr(at, end - at));
        at = end;
    }
}

std::string font_links(const Page& page, std::string_view body) {
    std::set<std::string> families;
    collect_font_families(families, body, "\"");
    for (const auto& style : page.head().inline_styles) {
        collect_font_families(families, style.first, ";}");
    }
    std::string links, imports;
    for (const auto& font : page.head().fonts) {
        const auto name = ascii_lower(font.name);
        const bool is_used = std::ranges::any_of(
            families, [&](const std::string& each) { return each.find(name) != each.npos; });
        if (!is_used) continue;
        Tag link("link");
        link.set("href", font.address).set("rel", "stylesheet").set("type", "text/css");
        links += link.text() + "\n";
        imports += "@import url(" + font.address + ");\n";
    }
    if (links.empty()) return "";
    return std::string(not_outlook_begin) + links + "<style type=\"text/css\">\n" + imports +
           "</style>\n" + std::string(not_outlook_end);
}

// Column widths where there is room: for most programs, for Thunderbird, for Outlook in the web.
std::string width_rules(const Page& page) {
    if (page.media_queries().empty()) return "";
    const auto& head = page.head();
    std::string most, thunderbird, owa;
    for (const auto& [name, width] : page.media_queries()) {
        const auto rule = "." + name + " { width:" + width.text() +
                          " !important; max-width: " + width.text() + "; }\n";
        most += rule;
        thunderbird += ".moz-text-html " + rule;
        owa += "[owa] " + rule;
    }
    std::string text =
        "<style type=\"text/css\">\n@media only screen and (min-width:" + head.breakpoint +
        ") {\n" + most + "}\n</style>\n";
    text += "<style media=\"screen and (min-width:" + head.breakpoint + ")\">\n" + thunderbird +
            "</style>\n";
    if (head.is_desktop_in_owa) text += "<style type=\"text/css\">\n" + owa + "</style>\n";
    return text;
}

std::string style_sheets(const Page& page) {
    std::string of_components, own;
    for (const auto& tag : page.styled_tags()) {
        of_components += head_style(tag, page.head().breakpoint);
    }
    for (const auto& style : page.head().styles) own += style + "\n";
    std::string text;
    if (!of_components.empty()) {
        text += "<style type=\"text/css\">\n" + of_components + "</style>\n";
    }
    if (!page.head().styles.empty()) text += "<style type=\"text/css\">\n" + own + "</style>\n";
    return text;
}

// Shown in the list of mails, after the subject.
std::string hidden_preview(const std::string& preview) {
    if (preview.empty()) return "";
    return "<div style=\"display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;"
           "max-width:0px;opacity:0;overflow:hidden;\">" +
           preview + "</div>\n";
}

}  // namespace

std::string one_less(std::string_view breakpoint) {
    const auto digits = breakpoint.find_first_of("0123456789");
    if (digits == breakpoint.npos) return std::string(breakpoint);
    return px(leading_integer(breakpoint.substr(digits)).value_or(0) - 1);
}

std::string framed(const Page& page, std::string_view body) {
    const auto& head = page.head();
    Tag html("html"), body_tag("body");
    html.set("lang", head.language).set("dir", head.direction);
    html.set("xmlns", "http://www.w3.org/1999/xhtml");
    html.set("xmlns:v", "urn:schemas-microsoft-com:vml");
    html.set("xmlns:o", "urn:schemas-microsoft-com:office:office");
    Style style;
    style.add("word-spacing", "normal");
    if (!page.background().empty()) style.add("background-color", page.background());
    std::string text = "<!doctype html>\n" + html.text() + "\n<head>\n<title>" + head.title +
                       "</title>\n" + std::string(common_rules);
    text += font_links(page, body) + width_rules(page) + style_sheets(page);
    for (const auto& raw : head.raw) text += raw + "\n";
    text += "</head>\n" + body_tag.style(style).text() + "\n" + hidden_preview(head.preview);
    text.append(body).append("</body>\n</html>\n");
    return text;
}

}  // namespace mailroom::mjml
