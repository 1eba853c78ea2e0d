// The templates: kept by key, in versions that never change.
#pragma once

#include "campaigns/books.h"
#include "campaigns/templates/edition.h"
#include "campaigns/templates/files.h"
#include "campaigns/templates/template_rows.h"
#include "program/actor.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

struct TemplateBody {
    Content content;
    std::vector<NewFile> attachments;
    std::optional<std::int64_t> follows;  // The version that it was made from; 0: none.
    std::optional<std::int64_t> restore;

    static constexpr auto fields = std::tuple{
        table::part(&TemplateBody::content),
        table::asked("attachments", &TemplateBody::attachments, "Files that go along."),
        table::asked("version", &TemplateBody::follows,
                     "The latest one that is known, 0 for none: refused if there is another."),
        table::asked("restore", &TemplateBody::restore,
                     "In place of all that: the version that is to be the latest again.")};
    static void check(const TemplateBody& body, table::Reading& reading);
};

// A version with what it says.
struct StoredTemplate {
    VersionEntry entry;
    std::int64_t latest = 0;
    KeptContent kept;

    const std::vector<KeptFile>& files() const { return kept.files; }
    const Content& content() const { return kept.content; }

    static constexpr std::string_view record_name = "Template";
    static constexpr auto fields = std::tuple{
        table::part(&StoredTemplate::entry),
        table::shown("latest", &StoredTemplate::latest, "Its latest version."),
        table::shown("attachments", &StoredTemplate::files), table::part(&StoredTemplate::content)};
};

// Thread-safe.
class Templates {
public:
    explicit Templates(const Books& books);

    // A new version, unless the latest says the same. `unprocessable` if it names a template that
    // is not there, or itself, with the path that leads there; `conflict` if `follows` is not the
    // latest.
    Answer<StoredTemplate> save(const std::string& key, const TemplateBody& body,
                                const program::Actor& who) const;
    // As it is, or one of its versions, also of a template that was deleted.
    Answer<StoredTemplate> require(const std::string& key,
                                   std::optional<std::int64_t> number = std::nullopt) const;
    // `conflict` while another one names it.
    Answer<> remove(const std::string& key) const;

    // Those that are there, by key.
    Answer<table::Slice<TemplateHead>> page(const std::string& prefix,
                                            const table::PageWish& wish) const;
    // The latest first.
    Answer<table::Slice<VersionEntry>> versions(const std::string& key,
                                                const table::PageWish& wish) const;

    // A version, or the latest one, with what it names as that is now, and the display names of all
    // templates. `unprocessable`, with the path that leads there, if one is not there.
    Answer<Edition> edition(const std::string& key,
                            std::optional<std::int64_t> number = std::nullopt) const;
    Answer<KeptContent> content(const UsedVersion& version) const;
    Result<std::string> file(const KeptFile& file) const { return files_.read(file.sha256); }

private:
    struct Draft;

    Result<KeptContent> content(const VersionEntry& version) const;
    Answer<VersionEntry> entry(const std::string& key, std::int64_t number) const;
    Answer<Draft> draft(const std::string& key, const TemplateBody& body) const;
    Answer<StoredTemplate> save_once(const std::string& key, const Draft& draft,
                                     std::optional<std::int64_t> follows,
                                     const program::Actor& who) const;
    Answer<> remove_once(const std::string& key) const;
    Result<std::vector<TemplateHead>> all_heads() const;

    const Books& books_;
    const table::Rows<TemplateHead> heads_;
    const table::Rows<VersionEntry> entries_;
    const Files files_;
};

}  // namespace mailroom::campaigns
