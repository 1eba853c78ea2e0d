// The rows of templates, in MailroomCampaigns: the only place that knows their names.
//
//   TEMPLATES        {key}              the template as it is: its latest version, what it names
//   TEMPLATE#{key}   {number}           a version, which never changes; ten digits
//   PARTS#{key}      {number}#{part}    Data B: what it says, as JSON, cut into parts; three digits
//   FILE#{sha256}    {part}             Data B: a file that goes along; five digits. Of the first
//                                       also Parts, Bytes N
// A template that was deleted keeps its row, which says so, and its versions: mails that are made
// of them go on. Files are written before the version that names them, and stay.
#pragma once

#include "base/clock.h"
#include "campaigns/templates/content.h"
#include "table/records/record.h"
#include "table/value.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace mailroom::campaigns {

// A template, without what it says.
struct TemplateHead {
    std::string key;
    std::int64_t latest = 0;  // The number of its latest version.
    bool is_deleted = false;
    std::string about, subject;  // Of the latest version.
    Format format = Format::html;
    std::vector<std::string> languages;
    std::vector<std::string> uses;
    std::string hash;
    std::string by;
    Time created = {}, updated = {};
    // Of the row: grows with each change, also with that of a template which names this one.
    std::int64_t version = 0;

    bool is_there() const { return version > 0 && !is_deleted; }

    static constexpr std::string_view record_name = "TemplateEntry";
    static constexpr auto fields = std::tuple{
        table::must_have("key", &TemplateHead::key),
        table::must_have("latest", "version", &TemplateHead::latest, "The latest one."),
        table::stored("hash", &TemplateHead::hash),
        table::stored_if_any("deleted", &TemplateHead::is_deleted),
        table::kept("about", &TemplateHead::about, "What it is for."),
        table::kept("subject", &TemplateHead::subject),
        table::kept("format", &TemplateHead::format),
        table::kept("languages", &TemplateHead::languages, "Into which it is translated."),
        table::kept("uses", &TemplateHead::uses, "The templates that it names."),
        table::kept_if_any("by", &TemplateHead::by, "Who changed it last."),
        table::kept("created_at", &TemplateHead::created),
        table::kept("updated_at", &TemplateHead::updated),
        table::stored("version", &TemplateHead::version)};
    static void derive(const TemplateHead& head, table::Item& row);
};

// A version, without what it says.
struct VersionEntry {
    std::string key;
    std::int64_t number = 0;
    std::string hash;
    std::vector<std::string> uses;
    std::int64_t restored = 0;  // The one that this is again; 0: none.
    std::string by;
    Time created = {};
    std::int64_t parts = 0;

    static constexpr std::string_view record_name = "TemplateVersionEntry";
    static constexpr auto fields = std::tuple{
        table::must_have("key", &VersionEntry::key),
        table::must_have("number", "version", &VersionEntry::number),
        table::must_have("hash", &VersionEntry::hash, "Of what it says: equal means the same."),
        table::kept("uses", &VersionEntry::uses, "The templates that it names."),
        table::kept_if_any("restored", &VersionEntry::restored, "The version that this is again."),
        table::kept_if_any("by", &VersionEntry::by, "Who made it."),
        table::kept("created_at", &VersionEntry::created),
        table::stored("parts", &VersionEntry::parts)};
    static void derive(const VersionEntry& version, table::Item& row);
};

namespace rows {

inline constexpr std::string_view templates_partition = "TEMPLATES";

table::Item template_head(const std::string& key);
std::string versions_partition(const std::string& key);
table::Item template_version(const std::string& key, std::int64_t number);

// All of the rows that hold `bytes`, and how many that is.
struct Pieces {
    std::vector<table::Item> rows;
    std::int64_t count() const { return static_cast<std::int64_t>(rows.size()); }
};
Pieces pieces_of_version(const std::string& key, std::int64_t number, std::string_view bytes);
Pieces pieces_of_file(const std::string& sha256, std::string_view bytes);
std::vector<table::Item> keys_of_version(const VersionEntry& version);
table::Item first_of_file(const std::string& sha256);
std::vector<table::Item> keys_of_file(const std::string& sha256, std::int64_t parts);
// How many rows a file has, and how many bytes, by its first row.
std::int64_t parts_of_file(const table::ItemView& first);
std::int64_t bytes_of_file(const table::ItemView& first);
// The bytes, of rows in any order; `corrupt` if it is not that many rows.
Result<std::string> joined(std::vector<table::Item> rows, std::int64_t parts);

}  // namespace rows
}  // namespace mailroom::campaigns
