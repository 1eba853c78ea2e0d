// The members of a request and of its parts: their names, said once for those who read them and for
// the description of the API.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace mailroom::outbox {

struct RequestMember {
    std::string_view name;
    std::string_view schema;  // The JSON text of its schema, without what it is about.
    std::string_view about = "";
};

template <std::size_t count>
constexpr std::array<std::string_view, count> member_names_of(
    const std::array<RequestMember, count>& members) {
    std::array<std::string_view, count> names;
    for (std::size_t i = 0; i < count; ++i) names[i] = members[i].name;
    return names;
}

namespace schema {
inline constexpr std::string_view text = R"({"type":"string"})";
inline constexpr std::string_view object = R"({"type":"object"})";
inline constexpr std::string_view url = R"({"type":"string","format":"uri"})";
inline constexpr std::string_view addresses =
    R"({"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]})";
}  // namespace schema

inline constexpr std::array<RequestMember, 19> request_members = {{
    {"id", R"({"type":"string","format":"uuid"})", "In lower case; made if there is none."},
    {"from", schema::text, "ann@example.com or Ann <ann@example.com>."},
    {"to", schema::addresses},
    {"cc", schema::addresses},
    {"bcc", schema::addresses},
    {"reply_to", schema::addresses},
    {"subject", schema::text},
    {"text", schema::text},
    {"html", schema::text},
    {"template", R"({"$ref":"#/components/schemas/EmailTemplate"})",
     "Liquid; takes the place of subject, text and html."},
    {"data", schema::object, "The variables of the template."},
    {"attachments",
     R"({"type":"array","items":{"$ref":"#/components/schemas/NewAttachment"},"maxItems":100})"},
    {"headers", R"({"type":"object","additionalProperties":{"type":"string"}})"},
    {"stream", R"({"type":"string","enum":["transactional","bulk"],"default":"transactional"})",
     "What somebody waits for, or what goes to many."},
    {"send_at", R"({"type":"string","format":"date-time"})", "Not before then."},
    {"callback_url", schema::url, "Is told what became of the mail."},
    {"tags", R"({"type":"array","items":{"type":"string"},"maxItems":10})"},
    {"metadata", schema::object, "Comes back with every callback."},
    {"engagement", R"({"$ref":"#/components/schemas/MailEngagement"})",
     "What account is kept of; to exactly one recipient if anything of it is personal."},
}};

inline constexpr std::array<RequestMember, 3> template_members = {{
    {"subject", schema::text},
    {"text", schema::text},
    {"html", schema::text},
}};

inline constexpr std::array<RequestMember, 6> attachment_members = {{
    {"filename", schema::text},
    {"content_type", schema::text},
    {"content_id", schema::text, "For an image that the HTML shows: cid:…"},
    {"content", R"({"type":"string","contentEncoding":"base64"})"},
    {"path", schema::text, "Below the configured directory."},
    {"url", schema::url},
}};

}  // namespace mailroom::outbox
