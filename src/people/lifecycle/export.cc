#include "people/lifecycle/export.h"

#include "base/csv.h"
#include "base/time_format.h"
#include "json/json.h"
#include "people/canonical.h"
#include "people/json_value.h"

#include <algorithm>
#include <set>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::int64_t rows_at_once = 1000;
// Of ours that say nothing about the person.
constexpr std::array inner_columns = {"PK", "SK", "ttl", "mailroomVersion", "mailroomTagsToCome"};

// Profiles, page after page.
class Profiles {
public:
    explicit Profiles(const Books& books) : books_(books) {
        scan_.table = books.tables.audience;
        scan_.filter = "#sk = :profile";
        scan_.bind.names = {{"#sk", "SK"}};
        scan_.bind.values = {{":profile", table::Value("PROFILE")}};
        scan_.limit = rows_at_once;
        scan_.consistent = true;  // Who was added is there.
    }

    // Empty at the end only.
    Result<std::vector<Profile>> next() {
        std::vector<Profile> found;
        while (found.empty() && !at_end_) {
            auto page = TRY(books_.store.scan(scan_));
            for (const auto& row : page.items) {
                auto profile = read_profile(row);
                if (profile) found.push_back(*std::move(profile));
            }
            at_end_ = !page.last_key;
            if (page.last_key) scan_.start_key = *std::move(page.last_key);
        }
        return found;
    }

private:
    const Books& books_;
    table::Scan scan_;
    bool at_end_ = false;
};

void write_line(std::string& out, const Profile& profile) {
    json::Writer writer(out);
    writer.open_object().key("email");
    table::show_text(writer, profile.email);
    for (const auto field : profile.row.view()) {
        const bool is_inner = std::ranges::find(inner_columns, field.name) != inner_columns.end();
        if (is_inner || field.name == "email") continue;
        writer.name(field.name);
        write_value(writer, field.value);
    }
    writer.close_object();
    out += '\n';
}

class JsonLines final : public PeopleFile {
public:
    explicit JsonLines(const Books& books) : profiles_(books) {}
    Result<std::string> next() override {
        std::string text;
        for (const auto& profile : TRY(profiles_.next())) {
            std::string line;  // A writer begins its own text.
            write_line(line, profile);
            text += line;
        }
        return text;
    }

private:
    Profiles profiles_;
};

constexpr std::array known_columns = {"email",      "firstName", "tags",     "unsubscribed",
                                      "suppressed", "time_zone", "language", "createdAt"};

void append_field(std::string& line, std::string_view text) {
    if (!line.empty() && line.back() != '\n') line += ',';
    const bool is_plain = text.find_first_of("\",;\r\n\t") == text.npos && !text.starts_with(' ') &&
                          !text.ends_with(' ');
    if (is_plain && !text.empty()) {
        line += text;
        return;
    }
    line += '"';
    for (const char c : text) {
        line += c;
        if (c == '"') line += c;
    }
    line += '"';
}

std::string text_of(const table::ValueView& value) {
    if (value.kind() == table::Kind::string) return std::string(value.text());
    std::string text;
    json::Writer writer(text);
    write_value(writer, value);
    return text;
}

std::string joined(const std::vector<std::string>& tags) {
    std::string text;
    for (const auto& tag : tags) text += (text.empty() ? "" : ",") + tag;
    return text;
}

class CsvLines final : public PeopleFile {
public:
    CsvLines(const Books& books, std::vector<std::string> attributes)
        : profiles_(books), attributes_(std::move(attributes)) {}

    Result<std::string> next() override {
        std::string text;
        if (!has_begun_) {
            for (const auto* column : known_columns) append_field(text, column);
            for (const auto& column : attributes_) append_field(text, column);
            text += '\n';
            has_begun_ = true;
        }
        for (const auto& profile : TRY(profiles_.next())) {
            append_person(text, profile);
            text += '\n';
        }
        return text;
    }

private:
    void append_person(std::string& text, const Profile& profile) const {
        append_field(text, profile.email);
        append_field(text, profile.first_name);
        append_field(text, joined(profile.tags));
        append_field(text, profile.unsubscribed ? "true" : "false");
        append_field(text, profile.suppressed ? "true" : "false");
        append_field(text, profile.zone);
        append_field(text, profile.language);
        append_field(text, profile.created ? format_rfc3339(*profile.created) : "");
        for (const auto& column : attributes_) {
            const auto value = profile.attributes.find(column);
            append_field(text, value ? text_of(*value) : "");
        }
    }

    Profiles profiles_;
    const std::vector<std::string> attributes_;
    bool has_begun_ = false;
};

Answer<std::vector<std::string>> attributes_of_all(const Books& books) {
    std::set<std::string, std::less<>> names;
    Profiles profiles(books);
    for (auto page = TRY(profiles.next()); !page.empty(); page = TRY(profiles.next())) {
        for (const auto& profile : page) {
            for (const auto field : profile.attributes.view()) names.emplace(field.name);
        }
        if (names.size() + known_columns.size() > Csv::columns_max) {
            return Refusal(Refusal::Kind::unprocessable,
                           "there are too many attributes for CSV: ask for format=json_lines");
        }
    }
    return std::vector<std::string>(names.begin(), names.end());
}

void write_rows(json::Writer& writer, const std::vector<table::Item>& rows) {
    writer.open_list();
    for (const auto& row : rows) {
        writer.open_object();
        write_values(writer, row);
        writer.close_object();
    }
    writer.close_list();
}

}  // namespace

Answer<std::unique_ptr<PeopleFile>> export_people(const Books& books, ExportFormat format) {
    using File = std::unique_ptr<PeopleFile>;
    if (format == ExportFormat::json_lines) return File(std::make_unique<JsonLines>(books));
    return File(std::make_unique<CsvLines>(books, TRY(attributes_of_all(books))));
}

Result<bool> is_known_to(const PersonalParts& parts, const std::string& person) {
    std::string text;
    json::Writer writer(text);
    writer.open_object();
    TRY(parts.show(person, writer));
    writer.close_object();
    json::Parser parser;
    const auto known = parser.parse(text);
    if (!known) return Error{Errc::corrupt, "what is known of somebody cannot be read"};
    json::Members members(*known);
    std::string_view name;
    for (json::View value; members.next(name, value);) {
        if (value.type() != json::View::Type::list) continue;
        json::Elements elements(value);
        if (json::View first; elements.next(first)) return true;
    }
    return false;
}

Answer<std::string> export_person(const People& people, const PersonalParts& parts,
                                  std::string_view email) {
    const auto canonical = canonical_of(email);
    if (!canonical) return BadField{"email", "is no e-mail address: " + canonical.error().message};
    const auto profile = TRY(people.find(*canonical));
    const auto listed = TRY(people.suppressions().rows().of(*canonical));
    if (!profile && listed.empty() && !TRY(is_known_to(parts, *canonical))) {
        return Refusal::not_found("nothing is known of " + *canonical);
    }
    std::string text;
    json::Writer writer(text);
    writer.open_object().key("email").text(*canonical).key("exported_at");
    writer.text(format_rfc3339(people.books().clock.now())).key("profile");
    if (profile) {
        writer.open_object();
        write_values(writer, profile->row);
        writer.close_object();
    } else {
        writer.null();
    }
    writer.key("suppressions");
    write_rows(writer, listed);
    TRY(parts.show(*canonical, writer));
    writer.close_object();
    return text;
}

}  // namespace mailroom::people
