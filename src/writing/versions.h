// Templates as numbered versions that never change, of which one is active.
//
//   TEMPLATE#{template_id}   VERSION#{n}   GSI1PK STATUS#active, or …#inactive; GSI1SK its time;
//       template_id S, version N, status S, created_date S, and what the Text says
//   TEMPLATE#{template_id}   HEAD          latest N, active N: in a table of our own
//
// Other programs write versions, too: of several that are active the highest is. Changes of ours
// are made one after the other by the head, which need not be there.
#pragma once

#include "base/clock.h"
#include "base/refusal.h"
#include "program/commit.h"
#include "program/forms.h"
#include "schedule/schedule.h"
#include "table/query_builder.h"
#include "table/records/rows.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::writing {

inline constexpr std::int64_t template_versions_max = 10'000;

bool is_template_id(std::string_view text);  // 1 to 64 letters, digits, _ or -

namespace versions {

table::Item key(const std::string& template_id, std::int64_t version);
// For a row whose own fields may lack it: the key tells id and number. The id.
std::string complete(table::Item& row);
// Whether the row says that it is active.
bool is_active(const table::ItemView& row);
Refusal no_such(const std::string& template_id);

// The row that makes changes one after the other.
struct Head {
    std::int64_t latest = 0, active = 0;

    static constexpr std::string_view record_name = "TemplateHead";
    static constexpr auto fields =
        std::tuple{table::stored("latest", &Head::latest), table::stored("active", &Head::active)};
    static table::Item key(const std::string& template_id);
};

}  // namespace versions

// A Text has a record, whose name is that of the version's, too; a function check_template(id,
// text) beside it says what is wrong with one. It may have complete(row, id), for rows that another
// program wrote.
template <class Text>
struct TemplateVersion {
    std::string template_id;
    std::int64_t version = 1;
    bool is_active = false;
    Time created;
    Text text;

    std::string status() const { return is_active ? "active" : "inactive"; }
    static constexpr std::string_view record_name = Text::record_name;
    static constexpr auto fields = std::tuple{
        table::kept("template_id", &TemplateVersion::template_id),
        table::kept("version", &TemplateVersion::version),
        table::kept("status", &TemplateVersion::status), table::part(&TemplateVersion::text),
        table::spelled<table::OthersTime>(table::kept("created_date", &TemplateVersion::created))};
    static void derive(const TemplateVersion& version, table::Item& row) {
        const auto key = versions::key(version.template_id, version.version);
        for (const auto& field : key.view()) row.set(field.name, field.value);
        row.set("GSI1PK", table::Value("STATUS#" + version.status()));
        row.set("GSI1SK", table::OthersTime::store(version.created));
    }
    static void complete(table::Item& row) {
        const auto id = versions::complete(row);
        if constexpr (requires { Text::complete(row, id); }) Text::complete(row, id);
    }
    static Result<> settle(TemplateVersion& version, const table::ItemView& row) {
        const bool is_one = row.text("PK").value_or("").starts_with("TEMPLATE#");
        if (!is_one || version.version < 1) {
            return Error{Errc::corrupt,
                         "a version of template " + version.template_id + " cannot be read"};
        }
        version.is_active = versions::is_active(row);
        return Ok{};
    }
};

// Where they are kept. All must outlive those who use them.
struct TemplatePlace {
    table::Store& store;
    schedule::Schedule& schedule;
    const Clock& clock;
    table::CreateTable versions, heads;  // As they are made. GSI1 is (GSI1PK, GSI1SK).
};

// Thread-safe.
template <class Text>
class VersionedTemplates {
public:
    using Version = TemplateVersion<Text>;
    using Versions = std::vector<Version>;

    explicit VersionedTemplates(TemplatePlace place)
        : place_(std::move(place)),
          rows_(place_.store, place_.versions),
          heads_(place_.store, place_.heads) {}

    // Version 1, active. `conflict` if there is a template of that name; `bad_field` for a text
    // that is no template.
    Answer<Version> create(const std::string& template_id, const Text& text) {
        TRY(check_template(template_id, text));
        const Version made{template_id, 1, true, place_.clock.now(), text};
        schedule::Transaction transaction;
        transaction.put(rows_.table(), table::to_item(made)).if_absent("PK");
        save_head(transaction, template_id, std::nullopt, {1, 1});
        auto committed = program::commit(place_.schedule, transaction);
        if (committed) return made;
        if (committed.error().kind != Refusal::Kind::lost_race) return std::move(committed).error();
        return Refusal::conflict("template_exists",
                                 "there is a template " + template_id + " already: add a version");
    }

    enum class Activate { no, yes };
    Answer<Version> add_version(const std::string& template_id, const Text& text,
                                Activate activate) {
        TRY(check_template(template_id, text));
        return settled(place_.store.pauses(race_pauses), [&]() -> Answer<Version> {
            const auto before = TRY(head(template_id));
            const auto there = TRY(read(template_id));
            const auto number = TRY(free_number(template_id, latest_of(before, there)));
            if (!before && number == 1) return versions::no_such(template_id);
            if (number > template_versions_max) {
                return Refusal::conflict("too_many_versions",
                                         "a template has 10000 versions at most");
            }
            const bool is_active = activate == Activate::yes;
            const Version made{template_id, number, is_active, place_.clock.now(), text};
            schedule::Transaction transaction;
            transaction.put(rows_.table(), table::to_item(made)).if_absent("PK");
            if (is_active) set_active(transaction, there, made.version);
            const auto* active = active_of(there);
            const bool is_the_one = is_active || active == nullptr;
            save_head(transaction, template_id, before,
                      {made.version, is_the_one ? made.version : active->version});
            TRY(program::commit(place_.schedule, transaction));
            return made;
        });
    }

    Answer<Version> activate(const std::string& template_id, std::int64_t wanted) {
        return settled(place_.store.pauses(race_pauses), [&]() -> Answer<Version> {
            auto found = TRY(version(template_id, wanted));
            const auto before = TRY(head(template_id));
            const auto there = TRY(read(template_id));
            found.is_active = true;
            schedule::Transaction transaction;
            set_active(transaction, there, wanted);
            if (transaction.empty()) return found;
            save_head(transaction, template_id, before, {latest_of(before, there), wanted});
            TRY(program::commit(place_.schedule, transaction));
            return found;
        });
    }

    // `not_found`, as those that follow.
    Answer<Version> active(const std::string& template_id) const {
        const auto there = TRY(versions(template_id));
        const auto* found = active_of(there);
        if (found == nullptr) return versions::no_such(template_id);
        return *found;
    }
    Answer<Version> version(const std::string& template_id, std::int64_t wanted) const {
        if (!is_template_id(template_id)) return versions::no_such(template_id);
        auto found = rows_.find(versions::key(template_id, wanted));
        if (!found && found.error().code == Errc::corrupt) {
            return Refusal::conflict("unreadable", found.error().message);
        }
        if (!found) return found.error();
        if (*found) return **std::move(found);
        return Refusal::not_found("no version " + std::to_string(wanted) + " of template " +
                                  template_id);
    }
    // In order.
    Answer<Versions> versions(const std::string& template_id) const {
        if (!is_template_id(template_id)) return versions::no_such(template_id);
        auto found = TRY(read(template_id));
        if (found.empty()) return versions::no_such(template_id);
        return found;
    }
    // The active version of each.
    Result<Versions> list() const {
        auto found = TRY(rows_.whole(rows_.query("GSI1").partition("GSI1PK", "STATUS#active")));
        // Of several that are active, the one that is used.
        std::ranges::sort(found, [](const Version& a, const Version& b) {
            return a.template_id != b.template_id ? a.template_id < b.template_id
                                                  : a.version > b.version;
        });
        const auto rest = std::ranges::unique(found, {}, &Version::template_id);
        found.erase(rest.begin(), rest.end());
        return found;
    }

private:
    using Head = versions::Head;

    static std::int64_t latest_of(const std::optional<Head>& head, const Versions& there) {
        return std::max(head ? head->latest : 0, there.empty() ? 0 : there.back().version);
    }
    static const Version* active_of(const Versions& there) {
        const auto found = std::find_if(there.rbegin(), there.rend(),
                                        [](const Version& one) { return one.is_active; });
        return found == there.rend() ? nullptr : &*found;
    }

    Result<std::optional<Head>> head(const std::string& template_id) const {
        return heads_.find(Head::key(template_id));
    }
    // Behind `latest`. A row that cannot be read has its number all the same.
    Result<std::int64_t> free_number(const std::string& template_id, std::int64_t latest) const {
        auto number = latest + 1;
        while (number <= template_versions_max) {
            const auto found = rows_.find(versions::key(template_id, number));
            if (!found && found.error().code != Errc::corrupt) return found.error();
            if (found && !*found) break;
            ++number;
        }
        return number;
    }
    // Those that can be read, whoever wrote them, in order.
    Result<Versions> read(const std::string& template_id) const {
        auto found = TRY(rows_.whole(rows_.query()
                                         .partition("PK", "TEMPLATE#" + template_id)
                                         .begins_with("SK", "VERSION#")
                                         .consistent()));
        std::ranges::sort(found, {}, &Version::version);
        return found;
    }
    // Also of those that another program made active beside ours.
    void set_active(schedule::Transaction& transaction, const Versions& there,
                    std::int64_t wanted) const {
        constexpr int changed_max = 90;  // A transaction has a hundred rows at most.
        int changed = 0;
        for (auto one : there) {
            const bool is_wanted = one.version == wanted;
            if (one.is_active == is_wanted || ++changed > changed_max) continue;
            one.is_active = is_wanted;
            transaction.update(rows_.table(), versions::key(one.template_id, one.version))
                .set("status", one.status())
                .set("GSI1PK", "STATUS#" + one.status())
                .if_present("PK");
        }
    }
    void save_head(schedule::Transaction& transaction, const std::string& template_id,
                   const std::optional<Head>& before, const Head& after) const {
        auto row = table::to_item(after);
        const auto key = Head::key(template_id);
        for (const auto& field : key.view()) row.set(field.name, field.value);
        auto& put = transaction.put(heads_.table(), std::move(row));
        if (!before) put.if_absent("PK");
        if (before) put.when("latest", before->latest).when("active", before->active);
    }

    const TemplatePlace place_;
    const table::Rows<Version> rows_;
    const table::Rows<Head> heads_;
};

}  // namespace mailroom::writing
