#include "reminders/templates.h"

#include "base/log.h"
#include "base/text.h"
#include "base/time_format.h"
#include "reminders/dates.h"
#include "reminders/row_fields.h"
#include "reminders/template_rows.h"
#include "table/query_builder.h"

#include <algorithm>
#include <charconv>

namespace mailroom::reminders {

namespace {

table::Item head_key(const std::string& template_id) {
    return {{"PK", "TEMPLATE#" + template_id}, {"SK", "HEAD"}};
}

std::string status_of(bool is_active) { return is_active ? "active" : "inactive"; }

// "VERSION#3"
std::optional<std::int64_t> number_in_key(std::string_view key) {
    constexpr std::string_view prefix = "VERSION#";
    if (!key.starts_with(prefix)) return std::nullopt;
    key.remove_prefix(prefix.size());
    std::int64_t number = 0;
    const auto* const end = key.data() + key.size();
    const auto [read_to, error] = std::from_chars(key.data(), end, number);
    return error == std::errc() && read_to == end ? std::optional(number) : std::nullopt;
}

// "reminder_first"
std::optional<ReminderType> type_in_name(std::string_view template_id) {
    return reminder_type_named(template_id.substr(template_id.rfind('_') + 1));
}

std::int64_t latest_of(const std::vector<TemplateVersion>& versions) {
    return versions.empty() ? 0 : versions.back().version;
}

const TemplateVersion* active_of(const std::vector<TemplateVersion>& versions) {
    const auto found = std::find_if(versions.rbegin(), versions.rend(),
                                    [](const TemplateVersion& one) { return one.is_active; });
    return found == versions.rend() ? nullptr : &*found;
}

Refusal no_such(const std::string& template_id) {
    return Refusal::not_found("no template " + template_id);
}

}  // namespace

table::Item template_key(std::string_view template_id, std::int64_t version) {
    return {{"PK", "TEMPLATE#" + std::string(template_id)},
            {"SK", "VERSION#" + std::to_string(version)}};
}

table::Item template_item(const TemplateVersion& version) {
    const auto created = format_rfc3339_seconds(version.created);
    auto item = template_key(version.template_id, version.version);
    const auto set = [&](const char* name, const table::Value& value) { item.set(name, value); };
    set("GSI1PK", "STATUS#" + status_of(version.is_active));
    set("GSI1SK", created);
    set("template_id", version.template_id);
    set("template_name", version.text.name);
    set("template_type", template_type_of(version.text.type));
    set("subject_template", version.text.subject);
    set("body_template", version.text.body);
    if (version.text.html) set("html_template", *version.text.html);
    set("status", status_of(version.is_active));
    set("created_date", created);
    set("version", version.version);
    set("branding", version.text.branding);
    return item;
}

Result<TemplateVersion> read_template(const table::ItemView& item) {
    const RowFields row(item);
    TemplateVersion version;
    // The key tells what a program may have left out.
    const auto partition = row.text("PK"), key = row.text("SK");
    version.template_id = partition.substr(std::min(partition.find('#') + 1, partition.size()));
    version.version = number_in_key(key).value_or(row.number("version", 0));
    auto type = reminder_type_named(row.text("template_type"));
    if (!type) type = type_in_name(version.template_id);
    if (!partition.starts_with("TEMPLATE#") || version.version < 1 || !type ||
        !item.text("body_template")) {
        return Error{Errc::corrupt,
                     "a version of template " + version.template_id + " cannot be read"};
    }
    const auto status = row.text("status");
    version.is_active = status.empty() ? row.text("GSI1PK") == "STATUS#active"
                                       : ascii_equal_ignoring_case(status, "active");
    if (const auto created = parse_others_time(row.text("created_date"))) {
        version.created = *created;
    }
    version.text = {.name = row.text("template_name"),
                    .type = *type,
                    .subject = row.text("subject_template"),
                    .body = row.text("body_template"),
                    .html = std::nullopt,
                    .branding = row.text("branding")};
    if (version.text.name.empty()) version.text.name = version.template_id;
    if (version.text.subject.empty()) {
        version.text.subject = usual_subject("{{ company_name }}");
    }
    if (const auto html = item.text("html_template")) version.text.html = *html;
    return version;
}

namespace {

// Other programs write to this table, too: one odd row must not hide all others.
void add_readable(std::vector<TemplateVersion>& found, const table::ItemView& row) {
    auto version = read_template(row);
    if (!version) log::warn("a template is left out", {{"reason", version.error().message}});
    if (version) found.push_back(*std::move(version));
}

}  // namespace

Result<std::optional<Templates::Head>> Templates::head(const std::string& template_id) {
    const auto row = TRY(books_.get(books_.tables.reminders, head_key(template_id)));
    if (!row) return std::optional<Head>();
    return std::optional(
        Head{row->integer("latest").value_or(0), row->integer("active").value_or(0)});
}

void Templates::save_head(schedule::Transaction& transaction, const std::string& template_id,
                          const std::optional<Head>& before, const Head& after) {
    auto row = head_key(template_id);
    row.set("latest", table::Value(after.latest));
    row.set("active", table::Value(after.active));
    auto& put = transaction.put(books_.tables.reminders, std::move(row));
    if (!before) put.if_absent("PK");
    if (before) put.when("latest", before->latest).when("active", before->active);
}

void Templates::set_status(schedule::Transaction& transaction, const std::string& template_id,
                           std::int64_t version, bool is_active) {
    transaction.update(books_.tables.tracking, template_key(template_id, version))
        .set("status", status_of(is_active))
        .set("GSI1PK", "STATUS#" + status_of(is_active))
        .if_present("PK");
}

Answer<TemplateVersion> Templates::create(const std::string& template_id,
                                          const TemplateText& text) {
    TRY(check_template(template_id, text));
    const TemplateVersion made{template_id, 1, true, books_.clock.now(), text};
    schedule::Transaction transaction;
    transaction.put(books_.tables.tracking, template_item(made)).if_absent("PK");
    save_head(transaction, template_id, std::nullopt, {1, 1});
    auto committed = books_.commit(transaction);
    if (committed) return made;
    if (committed.error().kind != Refusal::Kind::lost_race) return std::move(committed).error();
    return Refusal::conflict("template_exists",
                             "there is a template " + template_id + " already: add a version");
}

// Also of those that another program made active beside ours.
void Templates::set_active(schedule::Transaction& transaction,
                           const std::vector<TemplateVersion>& versions, std::int64_t wanted) {
    constexpr int changed_max = 90;  // A transaction has a hundred rows at most.
    int changed = 0;
    for (const auto& one : versions) {
        const bool is_wanted = one.version == wanted;
        if (one.is_active == is_wanted || ++changed > changed_max) continue;
        set_status(transaction, one.template_id, one.version, is_wanted);
    }
}

Answer<TemplateVersion> Templates::add_version(const std::string& template_id,
                                               const TemplateText& text, Activate activate) {
    TRY(check_template(template_id, text));
    return settled([&]() -> Answer<TemplateVersion> {
        const auto before = TRY(head(template_id));
        const auto there = TRY(read_versions(template_id));
        if (!before && there.empty()) return no_such(template_id);
        const auto latest = std::max(before ? before->latest : 0, latest_of(there));
        if (latest >= template_versions_max) {
            return Refusal::conflict("too_many_versions", "a template has 10000 versions at most");
        }
        const bool is_active = activate == Activate::yes;
        const TemplateVersion made{template_id, latest + 1, is_active, books_.clock.now(), text};
        schedule::Transaction transaction;
        transaction.put(books_.tables.tracking, template_item(made)).if_absent("PK");
        if (is_active) set_active(transaction, there, made.version);
        const auto* active = active_of(there);
        save_head(transaction, template_id, before,
                  {made.version, is_active || active == nullptr ? made.version : active->version});
        TRY(books_.commit(transaction));
        return made;
    });
}

Answer<TemplateVersion> Templates::activate(const std::string& template_id, std::int64_t wanted) {
    return settled([&]() -> Answer<TemplateVersion> {
        auto found = TRY(version(template_id, wanted));
        const auto before = TRY(head(template_id));
        const auto there = TRY(read_versions(template_id));
        found.is_active = true;
        schedule::Transaction transaction;
        set_active(transaction, there, wanted);
        if (transaction.empty()) return found;
        save_head(transaction, template_id, before,
                  {std::max(before ? before->latest : 0, latest_of(there)), wanted});
        TRY(books_.commit(transaction));
        return found;
    });
}

Answer<TemplateVersion> Templates::active(const std::string& template_id) {
    if (!is_template_id(template_id)) return no_such(template_id);
    const auto there = TRY(read_versions(template_id));
    const auto* found = active_of(there);
    if (found == nullptr) return no_such(template_id);
    return *found;
}

Answer<TemplateVersion> Templates::version(const std::string& template_id, std::int64_t wanted) {
    if (!is_template_id(template_id)) return no_such(template_id);
    const auto row = TRY(books_.get(books_.tables.tracking, template_key(template_id, wanted)));
    if (!row) {
        return Refusal::not_found("no version " + std::to_string(wanted) + " of template " +
                                  template_id);
    }
    return TRY(read_template(*row));
}

Answer<std::vector<TemplateVersion>> Templates::versions(const std::string& template_id) {
    if (!is_template_id(template_id)) return no_such(template_id);
    auto found = TRY(read_versions(template_id));
    if (found.empty()) return no_such(template_id);
    return found;
}

Result<std::vector<TemplateVersion>> Templates::read_versions(const std::string& template_id) {
    std::vector<TemplateVersion> found;
    std::optional<table::Item> after;
    do {
        auto page = TRY(books_.store.query(table::from(books_.tables.tracking)
                                               .partition("PK", "TEMPLATE#" + template_id)
                                               .begins_with("SK", "VERSION#")
                                               .after(std::move(after))
                                               .consistent()));
        for (const auto& row : page.items) add_readable(found, row);
        after = std::move(page.last_key);
    } while (after);
    std::ranges::sort(found, {}, &TemplateVersion::version);
    return found;
}

Result<std::vector<TemplateVersion>> Templates::list() {
    std::vector<TemplateVersion> found;
    std::optional<table::Item> after;
    do {
        auto page = TRY(books_.store.query(table::from(books_.tables.tracking)
                                               .index("GSI1")
                                               .partition("GSI1PK", "STATUS#active")
                                               .after(std::move(after))));
        for (const auto& row : page.items) add_readable(found, row);
        after = std::move(page.last_key);
    } while (after);
    // Of several that are active, the one that is used.
    std::ranges::sort(found, [](const TemplateVersion& a, const TemplateVersion& b) {
        return a.template_id != b.template_id ? a.template_id < b.template_id
                                              : a.version > b.version;
    });
    const auto same_id = [](const TemplateVersion& a, const TemplateVersion& b) {
        return a.template_id == b.template_id;
    };
    found.erase(std::unique(found.begin(), found.end(), same_id), found.end());
    return found;
}

}  // namespace mailroom::reminders
