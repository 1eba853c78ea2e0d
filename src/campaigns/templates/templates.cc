#include "campaigns/templates/templates.h"

#include "campaigns/templates/key.h"
#include "campaigns/templates/markup.h"
#include "campaigns/templates/uses.h"
#include "json/json.h"
#include "net/sigv4.h"
#include "table/records/many.h"

#include <utility>

namespace mailroom::campaigns {

namespace {

constexpr std::size_t templates_max = 10'000;
constexpr std::int64_t versions_max = 10'000;
// Of what a version says, as JSON: a transaction holds 4 MB.
constexpr std::size_t kept_bytes_max = 3 * 1024 * 1024;

Refusal no_template(const std::string& key) {
    return Refusal::not_found("there is no template " + key);
}

Refusal other_version(const std::string& key, std::int64_t latest) {
    auto refusal = Refusal::conflict(
        "version_conflict",
        latest == 0 ? "there is no template " + key
                    : "the latest version of template " + key + " is " + std::to_string(latest));
    refusal.details = R"({"version":)" + std::to_string(latest) + "}";
    return refusal;
}

std::vector<std::string> languages_of(const Content& content) {
    std::vector<std::string> languages;
    for (const auto& [language, texts] : content.translations) languages.push_back(language);
    return languages;
}

}  // namespace

// What a new version is to say.
struct Templates::Draft {
    KeptContent kept;
    std::string text;  // As it is kept.
    std::int64_t restored = 0;
    std::vector<std::string> uses = kept.content.uses();
    std::string hash = net::sha256_hex(text);
};

void TemplateBody::check(const TemplateBody& body, table::Reading& reading) {
    if (body.restore) {
        const bool is_alone = body.content.is_empty() && body.content.translations.empty() &&
                              body.content.variables.empty() && body.content.about.empty() &&
                              body.attachments.empty();
        if (!is_alone) reading.wrong_member("restore", "must stand alone, or beside version");
        return;
    }
    if (body.content.is_empty()) {
        return reading.wrong("it says nothing: give subject, html or text, or display_names");
    }
    Content::check(body.content, reading);
}

Templates::Templates(const Books& books)
    : books_(books),
      heads_(books.rows<TemplateHead>()),
      entries_(books.rows<VersionEntry>()),
      files_(books) {}

Answer<StoredTemplate> Templates::save(const std::string& key, const TemplateBody& body,
                                       const program::Actor& who) const {
    if (auto fault = key_fault(key)) return Refusal::bad_field("key", *std::move(fault));
    const auto made = TRY(draft(key, body));
    return settled(books_.store.pauses(race_pauses),
                   [&] { return save_once(key, made, body.follows, who); });
}

Answer<Templates::Draft> Templates::draft(const std::string& key, const TemplateBody& body) const {
    if (body.restore) {
        auto old = TRY(require(key, *body.restore));
        auto text = table::to_json(old.kept);
        return Draft{std::move(old.kept), std::move(text), *body.restore};
    }
    auto html =
        TRY(made_html(body.content));  // Not between the braces: g++ 12 would leak the rest.
    KeptContent kept{body.content, {}, std::move(html)};
    if (table::to_json(kept).size() > kept_bytes_max) {
        return Refusal::bad_field("html",
                                  "is too long, with all translations and what is made of "
                                  "them");
    }
    kept.files = TRY(files_.keep(body.attachments));
    auto text = table::to_json(kept);
    return Draft{std::move(kept), std::move(text)};
}

Answer<StoredTemplate> Templates::save_once(const std::string& key, const Draft& draft,
                                            std::optional<std::int64_t> follows,
                                            const program::Actor& who) const {
    auto head = TRY(heads_.find(rows::template_head(key))).value_or(TemplateHead());
    const auto latest = head.is_there() ? head.latest : 0;
    if (follows && *follows != latest) return other_version(key, latest);
    if (head.is_there() && head.hash == draft.hash) return require(key, latest);
    if (!head.is_there() && TRY(all_heads()).size() >= templates_max) {
        return Refusal(Refusal::Kind::too_many, "there are 10000 templates already");
    }
    if (head.latest >= versions_max) {
        return Refusal::conflict("too_many_versions", "a template has 10000 versions at most");
    }
    const auto now = books_.clock.now();
    StoredTemplate made{
        {key, head.latest + 1, draft.hash, draft.uses, draft.restored, who.name, now},
        head.latest + 1,
        draft.kept};
    schedule::Transaction together;
    TRY(Uses(heads_, key).add_to(together, draft.uses));

    const auto pieces = rows::pieces_of_version(key, made.latest, draft.text);
    made.entry.parts = pieces.count();
    for (const auto& row : pieces.rows) together.put(heads_.table(), row);
    together.put(entries_.table(), table::to_item(made.entry)).if_absent("PK");
    const auto& content = draft.kept.content;
    if (head.version == 0) head.created = now;
    head = {key,
            made.latest,
            false,
            content.about,
            content.texts.subject.value_or(""),
            content.format,
            languages_of(content),
            draft.uses,
            draft.hash,
            who.name,
            head.created,
            now,
            head.version};
    heads_.save(together, head);
    TRY(books_.commit(together));
    return made;
}

Result<std::vector<TemplateHead>> Templates::all_heads() const {
    return heads_.whole(heads_.query().partition("PK", rows::templates_partition).consistent());
}

Answer<VersionEntry> Templates::entry(const std::string& key, std::int64_t number) const {
    if (number >= 1 && number <= versions_max && !key_fault(key)) {
        auto found = TRY(entries_.find(rows::template_version(key, number)));
        if (found) return *std::move(found);
    }
    return Refusal::not_found("template " + key + " has no version " + std::to_string(number));
}

Answer<StoredTemplate> Templates::require(const std::string& key,
                                          std::optional<std::int64_t> number) const {
    if (key_fault(key)) return no_template(key);
    const auto head = TRY(heads_.find(rows::template_head(key)));
    if (!head || (!number && head->is_deleted)) return no_template(key);
    StoredTemplate found{TRY(entry(key, number.value_or(head->latest))), head->latest, {}};
    found.kept = TRY(content(found.entry));
    return found;
}

Result<KeptContent> Templates::content(const VersionEntry& version) const {
    auto rows =
        TRY(table::get_all(books_.store, books_.tables.campaigns, rows::keys_of_version(version)));
    const auto text = TRY(rows::joined(std::move(rows), version.parts));
    json::Parser parser;
    const auto view = parser.parse(text);
    auto read = view ? table::read_json<KeptContent>(*view) : Refusal::not_found("no JSON");
    if (read) return *std::move(read);
    return Error{Errc::corrupt, "version " + std::to_string(version.number) + " of template " +
                                    version.key + " cannot be read: " + read.error().text()};
}

Answer<KeptContent> Templates::content(const UsedVersion& version) const {
    const auto found = TRY(entry(version.key, version.number));
    return TRY(content(found));
}

Answer<> Templates::remove(const std::string& key) const {
    if (key_fault(key)) return no_template(key);
    return settled(books_.store.pauses(race_pauses), [&] { return remove_once(key); });
}

// Who names it meanwhile changes its row.
Answer<> Templates::remove_once(const std::string& key) const {
    auto head = TRY(heads_.find(rows::template_head(key)));
    if (!head || !head->is_there()) return no_template(key);
    for (const auto& other : TRY(all_heads())) {
        if (!other.is_there() || other.key == key) continue;
        if (std::ranges::find(other.uses, key) == other.uses.end()) continue;
        return Refusal::conflict("template_in_use", "template " + other.key + " names it");
    }
    head->is_deleted = true;
    head->updated = books_.clock.now();
    schedule::Transaction together;
    heads_.save(together, *head);
    return books_.commit(together);
}

Answer<table::Slice<TemplateHead>> Templates::page(const std::string& prefix,
                                                   const table::PageWish& wish) const {
    auto query = heads_.query().partition("PK", rows::templates_partition).consistent();
    if (!prefix.empty()) query.begins_with("SK", prefix);
    auto page = TRY(heads_.page(query, wish));
    std::erase_if(page.items, [](const auto& head) { return !head.is_there(); });
    return page;
}

Answer<table::Slice<VersionEntry>> Templates::versions(const std::string& key,
                                                       const table::PageWish& wish) const {
    if (key_fault(key)) return no_template(key);
    if (!TRY(heads_.find(rows::template_head(key)))) return no_template(key);
    const auto query = entries_.query().partition("PK", rows::versions_partition(key));
    return TRY(entries_.page(table::QueryBuilder(query).newest_first().consistent(), wish));
}

Answer<Edition> Templates::edition(const std::string& key,
                                   std::optional<std::int64_t> number) const {
    if (key_fault(key)) return no_template(key);
    const auto head = TRY(heads_.find(rows::template_head(key)));
    if (!head || !head->is_there()) return no_template(key);
    UsedVersion self{key, head->latest, head->hash};
    auto uses = head->uses;
    if (number && *number != head->latest) {
        auto old = TRY(entry(key, *number));
        self = {key, old.number, old.hash};
        uses = std::move(old.uses);
    }
    Edition edition{{std::move(self)}};
    for (const auto& used : TRY(Uses(heads_, key).all(uses))) {
        edition.versions.push_back({used.key, used.latest, used.hash});
    }
    if (key == common_names_key) return edition;
    const auto names = TRY(heads_.find(rows::template_head(std::string(common_names_key))));
    if (names && names->is_there()) {
        edition.versions.push_back({names->key, names->latest, names->hash});
    }
    return edition;
}

}  // namespace mailroom::campaigns
