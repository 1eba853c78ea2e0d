#include "campaigns/templates/letter.h"

#include "base/text.h"
#include "campaigns/templates/preheader.h"

#include <algorithm>
#include <utility>

namespace mailroom::campaigns {

namespace {

constexpr std::string_view preheader_name = "preheader";

// Header fields have no line ends.
std::string on_one_line(std::string_view text) {
    std::string line;
    for (const char c : trim(text)) {
        const bool is_space = c == '\r' || c == '\n' || c == '\t';
        line += is_space ? ' ' : c;
    }
    return line;
}

}  // namespace

RenderFault::operator Refusal() const {
    const Error error = failure;
    return {Refusal::Kind::unprocessable, "template_failed",
            "template " + key + ", " + std::string(name_of(part)) + ": " + error.message};
}

// The texts of all versions for those who read one language.
struct Letter::Sheet {
    // Finds other templates by their key: the same part of them.
    struct Others final : liquid::Partials {
        std::map<std::string, liquid::Template, std::less<>> texts;

        std::optional<liquid::Template> find(std::string_view name) const override {
            const auto found = texts.find(name);
            return found == texts.end() ? std::nullopt : std::optional(found->second);
        }
    };
    struct Leaf {
        std::string language;
        std::map<Part, liquid::Template> texts;
    };

    std::vector<Leaf> leaves;  // Of the versions, in their order.
    Others html, text;
    bool places_preheader = false;  // The HTML says itself where it stands.

    const liquid::Template* own(Part part) const {
        const auto found = leaves.front().texts.find(part);
        return found == leaves.front().texts.end() ? nullptr : &found->second;
    }
};

Letter::Letter(std::vector<Version> versions, std::vector<std::string> file_contents,
               const Clock& clock, const liquid::TimeZones& time_zones)
    : versions_(std::move(versions)), clock_(clock), time_zones_(time_zones) {
    // What the template says of a name counts more than what the others do.
    for (auto version = versions_.rbegin(); version != versions_.rend(); ++version) {
        for (const auto& [variable, labels] : version->kept.content.display_names) {
            for (const auto& [value, label] : labels) display_names_[variable][value] = label;
        }
    }
    for (const auto& version : versions_) bytes_ += version.kept.bytes();
    const auto& files = versions_.front().kept.files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        bytes_ += file_contents[i].size();
        attachments_.push_back({outbox::AttachmentSource::Kind::content,
                                std::move(file_contents[i]), files[i].filename,
                                files[i].content_type, files[i].content_id});
    }
}

Letter::~Letter() = default;

const Letter::Sheet& Letter::sheet(std::string_view language) const {
    std::string languages;
    for (const auto& version : versions_) {
        languages += version.kept.content.language_for(language) + " ";
    }
    const std::lock_guard lock(mutex_);
    auto& sheet = sheets_[languages];
    if (!sheet) sheet = make_sheet(language);
    return *sheet;
}

// What was kept can be compiled: it was when it was saved.
std::unique_ptr<Letter::Sheet> Letter::make_sheet(std::string_view language) const {
    auto sheet = std::make_unique<Sheet>();
    for (const auto& [used, kept] : versions_) {
        auto& leaf = sheet->leaves.emplace_back();
        leaf.language = kept.content.language_for(language);
        for (const auto part : all_parts) {
            const auto source = kept.source(part, leaf.language);
            if (!source) continue;
            auto compiled = liquid::Template::compile(*source);
            if (!compiled) continue;
            if (part == Part::html) sheet->html.texts.emplace(used.key, *compiled);
            if (part == Part::text) sheet->text.texts.emplace(used.key, *compiled);
            const auto variables = compiled->variables();
            sheet->places_preheader |=
                part == Part::html &&
                std::ranges::find(variables, preheader_name) != variables.end();
            leaf.texts.emplace(part, *std::move(compiled));
        }
    }
    return sheet;
}

std::vector<Letter::Text> Letter::texts(std::string_view language) const {
    const auto& all = sheet(language);
    std::vector<Text> found;
    for (std::size_t i = 0; i < versions_.size(); ++i) {
        for (const auto& [part, text] : all.leaves[i].texts) {
            found.push_back({versions_[i].used.key, all.leaves[i].language, part, text});
        }
    }
    return found;
}

// Renders the parts one after the other, for one person.
class Letter::Rendering {
public:
    Rendering(const Letter& letter, const Reader& reader)
        : letter_(letter),
          sheet_(letter.sheet(reader.language)),
          data_(reader, letter.display_names_, letter.clock_.now()) {}

    Result<RenderedMail, RenderFault> run(const liquid::Template* subject) {
        RenderedMail mail;
        mail.language = sheet_.leaves.front().language;
        const auto* own_subject = subject ? subject : sheet_.own(Part::subject);
        if (own_subject) mail.subject = on_one_line(TRY(one(Part::subject, *own_subject)));
        if (const auto* preheader = sheet_.own(Part::preheader)) {
            mail.preheader = on_one_line(TRY(one(Part::preheader, *preheader)));
        }
        data_.set(preheader_name, mail.preheader);
        if (const auto* html = sheet_.own(Part::html)) {
            mail.html = TRY(one(Part::html, *html));
            if (!mail.preheader.empty() && !sheet_.places_preheader) {
                mail.html = with_preheader(*std::move(mail.html), mail.preheader);
            }
        }
        if (const auto* text = sheet_.own(Part::text)) mail.text = TRY(one(Part::text, *text));
        if (mail.html || mail.text) return mail;
        liquid::Failure nothing;
        nothing.message = "it has neither html nor text";
        return fault(Part::html, std::move(nothing));
    }

private:
    Result<std::string, RenderFault> one(Part part, const liquid::Template& text) const {
        const bool escapes = part == Part::html && letter_.content().escape == Escaping::html;
        auto rendered = text.render(
            data_.view(), {.clock = letter_.clock_,
                           .escape = escapes ? liquid::Escape::html : liquid::Escape::none,
                           .partials = part == Part::text ? &sheet_.text : &sheet_.html,
                           .time_zones = &letter_.time_zones_});
        if (!rendered) return fault(part, std::move(rendered).error());
        return std::move(rendered->text);
    }
    RenderFault fault(Part part, liquid::Failure failure) const {
        auto key = failure.partial.empty() ? letter_.key() : failure.partial;
        return {std::move(key), part, std::move(failure)};
    }

    const Letter& letter_;
    const Sheet& sheet_;
    ReaderData data_;
};

Result<RenderedMail, RenderFault> Letter::render(const Reader& reader,
                                                 const liquid::Template* subject) const {
    return Rendering(*this, reader).run(subject);
}

}  // namespace mailroom::campaigns
