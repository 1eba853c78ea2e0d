#include "engagement/pages/page.h"

#include "base/base64.h"
#include "mime/html/escape.h"
#include "net/url.h"

#include <openssl/sha.h>

#include <cstddef>

namespace mailroom::engagement {

namespace {

using mime::escaped_html;

std::string style_of(const std::string& color) {
    return ":root{color-scheme:light dark}"
           "body{margin:0;font:17px/1.5 system-ui,sans-serif;background:#f4f4f4;color:#1c1c1c}"
           "main{max-width:32rem;margin:8vh auto;padding:2rem;background:#fff;border-radius:8px}"
           "header,footer{text-align:center}header img{max-width:100%;max-height:4rem}"
           "h1{font-size:1.5rem;margin-top:0}p{overflow-wrap:anywhere}"
           "button{font:inherit;font-weight:600;padding:.7rem 1.4rem;border:0;border-radius:6px;"
           "background:" +
           color +
           ";color:#fff;cursor:pointer}"
           "button:focus-visible,a:focus-visible,input:focus-visible{outline:3px solid;"
           "outline-offset:2px}"
           "button.quiet{background:none;color:inherit;text-decoration:underline;padding-left:0}"
           "label{display:block;margin:.8rem 0}label small{display:block;margin-left:1.8rem}"
           ".notice{padding:.7rem 1rem;border-left:4px solid " +
           color +
           "}"
           "@media(prefers-color-scheme:dark){body{background:#161616;color:#eee}"
           "main{background:#222}a{color:#9cf}}";
}

std::string sha256_base64(const std::string& text) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest);
    return base64_encode({reinterpret_cast<const char*>(digest), sizeof digest});
}

std::string origin_of(const std::string& address) {
    const auto url = net::Url::parse(address);
    return url ? std::string(url->origin()) : "";
}

// Whose page it is: a picture, a name, or nothing.
std::string head_of(const PageSettings& settings) {
    if (settings.logo.empty() && settings.company.empty()) return "";
    auto mark = escaped_html(settings.company);
    if (!settings.logo.empty()) {
        mark = "<img src=\"" + escaped_html(settings.logo) + "\" alt=\"" + mark + "\">";
    }
    if (!settings.home.empty()) {
        mark =
            "<a href=\"" + escaped_html(settings.home) + "\" rel=\"noreferrer\">" + mark + "</a>";
    }
    return "<header>" + mark + "</header>";
}

}  // namespace

PageBody& PageBody::paragraph(std::string_view text) {
    html_ += "<p>" + escaped_html(text) + "</p>";
    return *this;
}
PageBody& PageBody::item(std::string_view text) {
    html_ += "<p>• " + escaped_html(text) + "</p>";
    return *this;
}
PageBody& PageBody::notice(std::string_view text) {
    html_ += "<p class=\"notice\" role=\"status\">" + escaped_html(text) + "</p>";
    return *this;
}
PageBody& PageBody::open_form() {
    html_ += "<form method=\"post\">";
    return *this;
}
PageBody& PageBody::check_box(std::string_view name, std::string_view value, std::string_view label,
                              std::string_view about, bool is_checked) {
    html_ += "<label><input type=\"checkbox\" name=\"" + escaped_html(name) + "\" value=\"" +
             escaped_html(value) + "\"" + (is_checked ? " checked" : "") + "> " +
             escaped_html(label);
    if (!about.empty()) html_ += "<small>" + escaped_html(about) + "</small>";
    html_ += "</label>";
    return *this;
}
PageBody& PageBody::button(std::string_view act, std::string_view label, bool is_quiet) {
    html_ += std::string("<p><button") + (is_quiet ? " class=\"quiet\"" : "") +
             " name=\"act\" value=\"" + escaped_html(act) + "\">" + escaped_html(label) +
             "</button></p>";
    return *this;
}
PageBody& PageBody::close_form() {
    html_ += "</form>";
    return *this;
}
PageBody& PageBody::link(std::string_view address, std::string_view label) {
    html_ += "<p><a href=\"" + escaped_html(address) + "\">" + escaped_html(label) + "</a></p>";
    return *this;
}

Pages::Pages(const PageSettings& settings) : settings_(settings), style_(style_of(settings.color)) {
    policy_ = "default-src 'none'; style-src 'sha256-" + sha256_base64(style_) +
              "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
    if (!settings.logo.empty()) policy_ += "; img-src " + origin_of(settings.logo);
}

program::Rendered Pages::show(int status, Language language, std::string_view title,
                              const PageBody& body) const {
    program::Rendered page;
    page.status = status;
    page.content_type = "text/html; charset=utf-8";
    page.body = "<!doctype html><html lang=\"" + std::string(name_of(language)) +
                "\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
                "content=\"width=device-width,initial-scale=1\"><meta name=\"robots\" "
                "content=\"noindex\"><title>" +
                escaped_html(title) + "</title><style>" + style_ + "</style></head><body><main>" +
                head_of(settings_) + "<h1>" + escaped_html(title) + "</h1>" + body.html() +
                "</main></body></html>";
    page.headers = {{"Content-Security-Policy", policy_}, {"X-Content-Type-Options", "nosniff"},
                    {"X-Frame-Options", "DENY"},          {"Referrer-Policy", "no-referrer"},
                    {"X-Robots-Tag", "noindex"},          {"Cache-Control", "no-store, private"},
                    {"Vary", "Accept-Language"}};
    return page;
}

std::string veiled(std::string_view address) {
    const auto at = address.rfind('@');
    if (at == address.npos || at == 0) return "•••";
    // The first character, which may be several bytes.
    std::size_t first = 1;
    while (first < at && (static_cast<unsigned char>(address[first]) & 0xc0) == 0x80) ++first;
    return std::string(address.substr(0, first)) + "•••" + std::string(address.substr(at));
}

}  // namespace mailroom::engagement
