#include "reminders/templates.h"

#include "base/log.h"
#include "base/time_format.h"
#include "reminders/row_fields.h"
#include "reminders/template_rows.h"
#include "table/query_builder.h"

#include <algorithm>

namespace mailroom::reminders {

namespace {

table::Item head_key(const std::string& template_id) {
    return {{"PK", "TEMPLATE#" + template_id}, {"SK", "HEAD"}};
}

std::string status_of(bool is_active) { return is_active ? "active" : "inactive"; }

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
    version.template_id = row.text("template_id");
    const auto type = reminder_type_named(row.text("template_type"));
    const auto created = parse_rfc3339(row.text("created_date"));
    if (version.template_id.empty() || !type || !item.text("body_template")) {
        return Error{Errc::corrupt,
                     "a version of template " + version.template_id + " cannot be read"};
    }
    version.version = row.number("version", 1);
    version.is_active = row.text("status") == "active";
    if (created) version.created = *created;
    version.text = {.name = row.text("template_name"),
                    .type = *type,
                    .subject = row.text("subject_template"),
                    .body = row.text("body_template"),
                    .html = std::nullopt,
                    .branding = row.text("branding")};
    if (const auto html = item.text("html_template")) version.text.html = *html;
    return version;
}

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

Answer<TemplateVersion> Templates::add_version(const std::string& template_id,
                                               const TemplateText& text, Activate activate) {
    TRY(check_template(template_id, text));
    return settled([&]() -> Answer<TemplateVersion> {
        const auto before = TRY(head(template_id));
        if (!before) return no_such(template_id);
        if (before->latest >= template_versions_max) {
            return Refusal::conflict("too_many_versions", "a template has 10000 versions at most");
        }
        auto after = *before;
        after.latest += 1;
        const bool is_active = activate == Activate::yes;
        const TemplateVersion made{template_id, after.latest, is_active, books_.clock.now(), text};
        schedule::Transaction transaction;
        transaction.put(books_.tables.tracking, template_item(made)).if_absent("PK");
        if (is_active) {
            set_status(transaction, template_id, before->active, false);
            after.active = after.latest;
        }
        save_head(transaction, template_id, before, after);
        TRY(books_.commit(transaction));
        return made;
    });
}

Answer<TemplateVersion> Templates::activate(const std::string& template_id, std::int64_t wanted) {
    return settled([&]() -> Answer<TemplateVersion> {
        auto found = TRY(version(template_id, wanted));
        const auto before = TRY(head(template_id));
        if (!before) return no_such(template_id);
        found.is_active = true;
        if (before->active == wanted) return found;
        schedule::Transaction transaction;
        set_status(transaction, template_id, before->active, false);
        set_status(transaction, template_id, wanted, true);
        save_head(transaction, template_id, before, {before->latest, wanted});
        TRY(books_.commit(transaction));
        return found;
    });
}

Answer<TemplateVersion> Templates::active(const std::string& template_id) {
    if (!is_template_id(template_id)) return no_such(template_id);
    const auto found = TRY(head(template_id));
    if (!found) return no_such(template_id);
    return version(template_id, found->active);
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
    std::vector<TemplateVersion> found;
    std::optional<table::Item> after;
    do {
        auto page = TRY(books_.store.query(table::from(books_.tables.tracking)
                                               .partition("PK", "TEMPLATE#" + template_id)
                                               .begins_with("SK", "VERSION#")
                                               .after(std::move(after))
                                               .consistent()));
        for (const auto& row : page.items) found.push_back(TRY(read_template(row)));
        after = std::move(page.last_key);
    } while (after);
    if (found.empty()) return no_such(template_id);
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
        for (const auto& row : page.items) {
            auto version = read_template(row);
            if (version) found.push_back(*std::move(version));
            // Other programs write to this table, too: one odd row must not hide all others.
            if (!version)
                log::warn("a template is left out", {{"reason", version.error().message}});
        }
        after = std::move(page.last_key);
    } while (after);
    std::ranges::sort(found, {}, &TemplateVersion::template_id);
    return found;
}

}  // namespace mailroom::reminders
