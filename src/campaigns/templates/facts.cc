#include "campaigns/templates/facts.h"

#include "base/text.h"
#include "engagement/tracking/destination.h"
#include "liquid/places.h"
#include "mime/html/references.h"
#include "mime/html/to_text.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace mailroom::campaigns {

namespace {

// Gmail shows so much of the HTML, and hides what follows, with the link for unsubscribing.
constexpr std::size_t clipped_bytes = 102 * 1024;
constexpr std::size_t subject_chars_max = 78;  // Longer ones are cut by most who show them.

std::int64_t count_of(std::size_t number) { return static_cast<std::int64_t>(number); }

std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

// "a.b" of "a.b.c" is one of its beginnings.
bool is_beginning(std::string_view beginning, std::string_view path) {
    if (!path.starts_with(beginning)) return false;
    return path.size() == beginning.size() || path[beginning.size()] == '.';
}

// Whether the data has what the path leads to; what is no object has its own properties.
bool leads_somewhere(const ReaderData& data, std::string_view path) {
    auto dot = path.find('.');
    auto value = data.find(path.substr(0, dot));
    while (dot != path.npos && value.is(liquid::Kind::object)) {
        path.remove_prefix(dot + 1);
        dot = path.find('.');
        value = value.get(path.substr(0, dot));
    }
    return !value.is(liquid::Kind::undefined);
}

bool is_known(const Letter& letter, const ReaderData& data, std::string_view path) {
    const auto first = path.substr(0, path.find('.'));
    if (std::ranges::find(context_names, first) != std::end(context_names)) return true;
    if (letter.display_names().contains(std::string(first))) return true;
    const auto is_declared = [&](const Letter::Version& version) {
        return std::ranges::any_of(version.kept.content.variables, [&](const auto& declared) {
            return is_beginning(declared, path) || is_beginning(path, declared);
        });
    };
    return std::ranges::any_of(letter.versions(), is_declared) || leads_somewhere(data, path);
}

// What `render` shows sees nothing but what it is given.
std::set<std::string, std::less<>> only_rendered(const std::vector<Letter::Text>& texts) {
    std::set<std::string, std::less<>> rendered, others;
    for (const auto& one : texts) {
        for (const auto& use : liquid::partial_places(one.text)) {
            (use.tag == liquid::PartialPlace::Tag::render ? rendered : others).insert(use.name);
        }
    }
    for (const auto& name : others) rendered.erase(name);
    return rendered;
}

class MailFacts {
public:
    MailFacts(const Letter& letter, const RenderedMail& mail) : letter_(letter), mail_(mail) {}

    std::vector<Fact> run(Leaving leaving) {
        subject();
        text();
        if (leaving == Leaving::must_be_possible) unsubscribe();
        if (mail_.html) html(*mail_.html);
        return std::move(facts_);
    }

private:
    // A place in what was rendered.
    struct Place {
        std::int64_t line = 0, column = 0;

        static Place of(std::string_view html, std::size_t offset) {
            const auto before = html.substr(0, offset);
            const auto line_break = before.rfind('\n');
            const auto line_start = line_break == before.npos ? 0 : line_break + 1;
            return {1 + std::ranges::count(before, '\n'),
                    1 + count_of(characters(before.substr(line_start)))};
        }
    };

    void add(const char* code, std::string message, const char* part) {
        add(code, std::move(message), part, {});
    }
    void add(const char* code, std::string message, const char* part, const Place& place) {
        facts_.push_back({.code = code,
                          .message = std::move(message),
                          .part = part,
                          .language = mail_.language,
                          .line = place.line,
                          .column = place.column,
                          .is_of_rendered = place.line > 0});
    }

    void subject() {
        if (mail_.subject.empty()) return add("subject_empty", "The subject is empty.", "subject");
        const auto length = characters(mail_.subject);
        if (length <= subject_chars_max) return;
        add("subject_long",
            "The subject has " + std::to_string(length) +
                " characters; most of those who show it "
                "cut it after " +
                std::to_string(subject_chars_max) + " or earlier.",
            "subject");
    }

    void text() {
        if (mail_.text) {
            if (trim(*mail_.text).empty()) add("text_empty", "The text is empty.", "text");
            return;
        }
        if (trim(mime::html_to_text(*mail_.html)).empty()) {
            return add("text_empty", "There is no text, and none can be made: the HTML shows none.",
                       "text");
        }
        add("text_missing", "There is no text; it is made from the HTML.", "text");
    }

    void unsubscribe() {
        const auto is_there = [](const std::string& text) {
            return text.find(engagement::unsubscribe_word) != text.npos;
        };
        if (mail_.html && !is_there(*mail_.html)) {
            add("unsubscribe_link_missing", "Nothing in the HTML leads to unsubscribing.", "html");
        }
        if (mail_.text && !is_there(*mail_.text)) {
            add("unsubscribe_link_missing", "Nothing in the text leads to unsubscribing.", "text");
        }
    }

    void html(const std::string& html) {
        if (html.size() > clipped_bytes) {
            add("clipped",
                "The HTML has " + std::to_string(html.size()) +
                    " bytes, and more where links are "
                    "followed; Gmail shows " +
                    std::to_string(clipped_bytes) + ".",
                "html");
        }
        const auto [links, images] = mime::references_in(html);
        for (const auto& link : links) link_fact(link, Place::of(html, link.offset));
        for (const auto& image : images) image_fact(image, Place::of(html, image.offset));
    }

    static std::string shown(std::string_view address) {
        constexpr std::size_t shown_bytes_max = 200;
        return "\"" + std::string(truncate_utf8(address, shown_bytes_max)) + "\"";
    }

    void link_fact(const mime::LinkInHtml& link, const Place& place) {
        const auto& address = link.address;
        if (address.empty() || address == "#") {
            return add("link_empty", "A link leads nowhere.", "html", place);
        }
        if (address == engagement::unsubscribe_word || address == engagement::preferences_word) {
            return;
        }
        const auto lower = ascii_lower(address.substr(0, address.find(':') + 1));
        for (const std::string_view scheme : {"mailto:", "tel:", "sms:"}) {
            if (lower == scheme && address.size() > scheme.size()) return;
        }
        if (address.front() == '#' || engagement::web_address(address)) return;
        add("link_broken", "A link leads to " + shown(address) + ", which is no address.", "html",
            place);
    }

    void image_fact(const mime::ImageInHtml& image, const Place& place) {
        constexpr std::string_view inline_scheme = "cid:", data_scheme = "data:";
        const auto& address = image.address;
        if (!image.has_size) {
            add("image_without_size",
                "The image " + shown(address) + " does not say its width and height.", "html",
                place);
        }
        if (address.starts_with(inline_scheme)) {
            if (!has_image(address.substr(inline_scheme.size()))) {
                add("image_missing", "The image " + shown(address) + " is not attached.", "html",
                    place);
            }
        } else if (!address.starts_with(data_scheme) && !engagement::web_address(address)) {
            add("image_broken", "An image is at " + shown(address) + ", which is no address.",
                "html", place);
        }
    }

    bool has_image(std::string_view content_id) const {
        return std::ranges::any_of(letter_.attachments(), [&](const auto& attachment) {
            return attachment.content_id == content_id;
        });
    }

    const Letter& letter_;
    const RenderedMail& mail_;
    std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> unknown_variables(const Letter& letter, const Reader& reader, Time now) {
    const ReaderData data(reader, letter.display_names(), now);
    const auto texts = letter.texts(reader.language);
    const auto rendered = only_rendered(texts);
    std::vector<Fact> facts;
    for (const auto& [key, language, part, text] : texts) {
        if (rendered.contains(key)) continue;
        for (const auto& [path, line, column] : liquid::variable_places(text)) {
            if (is_known(letter, data, path)) continue;
            facts.push_back({.code = "unknown_variable",
                             .message = "Nobody gives " + path + ".",
                             .key = key,
                             .part = std::string(name_of(part)),
                             .language = language,
                             .line = count_of(line),
                             .column = count_of(column)});
        }
    }
    return facts;
}

std::vector<Fact> facts_of_mail(const Letter& letter, const RenderedMail& mail, Leaving leaving) {
    return MailFacts(letter, mail).run(leaving);
}

Fact fact_of(const RenderFault& fault, const std::string& language) {
    return {.code = "template_failed",
            .message = static_cast<Error>(fault.failure).message,
            .key = fault.key,
            .part = std::string(name_of(fault.part)),
            .language = language,
            .line = count_of(fault.failure.line),
            .column = count_of(fault.failure.column)};
}

}  // namespace mailroom::campaigns
