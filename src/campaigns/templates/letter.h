// A mail of an edition, ready to be rendered for anybody: what is parsed is parsed once.
//
//   const auto letter = TRY(press.letter(edition));
//   const auto rendered = TRY(letter->render(Reader::of(person)));
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "campaigns/templates/content.h"
#include "campaigns/templates/edition.h"
#include "campaigns/templates/reader.h"
#include "liquid/template.h"
#include "liquid/time_zone.h"
#include "outbox/accept/request.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::campaigns {

// A mail for one person.
struct RenderedMail {
    std::string subject, preheader;
    std::optional<std::string> html, text;  // At least one; text is made from HTML where it leaves.
    std::string language;                   // The translation; empty: the texts themselves.
};

// Where a template fails, for people and programs.
struct RenderFault {
    std::string key;  // Of the template that fails.
    Part part = Part::html;
    liquid::Failure failure;

    operator Refusal() const;  // `unprocessable`, template_failed
};

// Thread-safe.
class Letter {
public:
    struct Version {
        UsedVersion used;
        KeptContent kept;
    };
    // The contents of all versions of the edition, in its order, and of the files of the first one.
    // `clock` and `time_zones` must outlive this object.
    Letter(std::vector<Version> versions, std::vector<std::string> file_contents,
           const Clock& clock, const liquid::TimeZones& time_zones);
    ~Letter();

    const std::string& key() const { return versions_.front().used.key; }
    const Content& content() const { return versions_.front().kept.content; }
    const std::vector<Version>& versions() const { return versions_; }
    const DisplayNames& display_names() const { return display_names_; }
    // The files that go along with each mail.
    const std::vector<outbox::AttachmentSource>& attachments() const { return attachments_; }
    // Of all texts, as they are kept.
    std::size_t bytes() const { return bytes_; }

    // `subject`, if any, stands in the place of the template's own.
    Result<RenderedMail, RenderFault> render(const Reader& reader,
                                             const liquid::Template* subject = nullptr) const;

    // All texts for somebody who reads that, each with the template that it is of.
    struct Text {
        std::string key, language;
        Part part;
        const liquid::Template& text;  // As long as this letter.
    };
    std::vector<Text> texts(std::string_view language) const;

private:
    struct Sheet;
    class Rendering;

    const Sheet& sheet(std::string_view language) const;
    std::unique_ptr<Sheet> make_sheet(std::string_view language) const;

    const std::vector<Version> versions_;
    DisplayNames display_names_;
    std::vector<outbox::AttachmentSource> attachments_;
    std::size_t bytes_ = 0;
    const Clock& clock_;
    const liquid::TimeZones& time_zones_;
    mutable std::mutex mutex_;
    // By the languages of all versions, so that there are no more of them than translations.
    mutable std::map<std::string, std::unique_ptr<Sheet>, std::less<>> sheets_;
};

}  // namespace mailroom::campaigns
