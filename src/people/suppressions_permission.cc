// The question itself: what is asked for which mail, and what the answers mean.
#include "people/canonical.h"
#include "people/profile.h"
#include "people/suppressions.h"
#include "table/clauses.h"
#include "table/records/many.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

namespace mailroom::people {

namespace {

constexpr std::size_t actions_max = 100;  // Of a transaction: DynamoDB's limit.

// What is known against writing to somebody.
struct Objections {
    std::optional<std::string> suppressed, unsubscribed, topic;  // Why, if there is a reason.

    bool any() const { return suppressed || unsubscribed || topic; }
};

// The first reason that was heard is kept, and any rather than none.
void object(std::optional<std::string>& objection, std::string_view why) {
    if (!objection || objection->empty()) objection = why;
}

void hear_row(Objections& objections, const table::ItemView& row, const MailKind& kind) {
    const auto extent = Extent::parse(row.text("Stream").value_or(""));
    if (!extent || !extent->covers(kind)) return;
    const bool is_topic = extent->topic().has_value();
    const bool is_bulk = extent->stream() == Stream::bulk;
    auto& objection = is_topic  ? objections.topic
                      : is_bulk ? objections.unsubscribed
                                : objections.suppressed;
    object(objection, row.text("Reason").value_or(""));
}

void hear_profile(Objections& objections, const table::ItemView& row, const MailKind& kind) {
    if (is_set(row, "suppressed")) object(objections.suppressed, "");
    if (kind.stream != Stream::bulk) return;
    if (is_set(row, "unsubscribed")) object(objections.unsubscribed, "");
}

void hear(Objections& objections, const table::ItemView& row, const MailKind& kind) {
    if (row.has("Address")) return hear_row(objections, row, kind);
    if (row.text("SK") == "PROFILE") return hear_profile(objections, row, kind);
    object(objections.suppressed, row.text("reason").value_or(""));
}

std::string said(const Objections& objections, const MailKind& kind) {
    const auto with = [](std::string word, const std::string& why) {
        return why.empty() ? word : std::move(word) + ": " + why;
    };
    if (objections.unsubscribed) return with("unsubscribed", *objections.unsubscribed);
    if (objections.suppressed) return with("suppressed", *objections.suppressed);
    return with("topic " + kind.topic, *objections.topic);
}

std::vector<Extent> extents_of(const MailKind& kind) {
    std::vector<Extent> extents = {Extent::every(), kind.stream};
    if (kind.stream == Stream::bulk && !kind.topic.empty()) {
        extents.push_back(Extent::of_topic(kind.topic));
    }
    return extents;
}

// All rows that may say something against such a mail to these.
class Question {
public:
    explicit Question(const TableNames& tables) : tables_(tables) {}

    void ask_about(const std::string& canonical, const MailKind& kind) {
        for (const auto& address : {canonical, hashed_address(canonical)}) {
            asked_.emplace(address, canonical);
            for (const auto& extent : extents_of(kind)) {
                list_.push_back(suppression_row_key(address, extent));
            }
        }
        audience_.push_back(profile_key(canonical));
        audience_.push_back(suppression_key(canonical));
    }
    table::BatchGet request() const {
        table::BatchGet request;
        request.tables.push_back({.table = tables_.suppressions,
                                  .keys = list_,
                                  .projection = {},
                                  .bind = {},
                                  .consistent = true});
        table::Clauses clauses;
        std::string columns;
        for (const auto column : {"PK", "SK", "suppressed", "unsubscribed", "reason"}) {
            table::append_comma(columns, clauses.name(column));
        }
        request.tables.push_back({.table = tables_.audience,
                                  .keys = audience_,
                                  .projection = std::move(columns),
                                  .bind = std::move(clauses).bindings(),
                                  .consistent = true});
        return request;
    }
    // In canonical form; empty if nobody was asked about.
    std::string whose(const table::ItemView& row) const {
        const auto address = row.text("Address");
        if (!address) return std::string(*person_of_partition(*row.text("PK")));
        const auto found = asked_.find(*address);
        return found == asked_.end() ? "" : found->second;
    }

private:
    const TableNames& tables_;
    std::map<std::string, std::string, std::less<>> asked_;  // The canonical address, by the row's.
    std::vector<table::Item> list_, audience_;
};

}  // namespace

Result<Refusals> Suppressions::look(const MailKind& kind, const std::vector<std::string>& addresses,
                                    Look look) {
    Refusals refusals;
    std::map<std::string, std::vector<std::string>, std::less<>> asked;  // As given, by canonical.
    for (const auto& address : addresses) {
        auto canonical = canonical_of(address);
        if (!canonical) {
            refusals.emplace(address,
                             "not an address that mail can go to: " + canonical.error().message);
        } else if (look == Look::at_all || rows_->may_be_listed(*canonical)) {
            asked[*std::move(canonical)].push_back(address);
        }
    }
    if (asked.empty()) return refusals;
    Question question(books_->tables);
    for (const auto& [canonical, given] : asked) question.ask_about(canonical, kind);
    std::map<std::string, Objections> heard;
    for (const auto& row : TRY(table::get_all(books_->store, question.request()))) {
        hear(heard[question.whose(row)], row, kind);
    }
    for (const auto& [canonical, objections] : heard) {
        const auto found = asked.find(canonical);
        if (found == asked.end() || !objections.any()) continue;
        rows_->note(canonical);
        for (const auto& address : found->second) refusals[address] = said(objections, kind);
    }
    return refusals;
}

Result<Refusals> Suppressions::refusals(const MailKind& kind,
                                        const std::vector<std::string>& addresses) {
    return look(kind, addresses, writers_ == Writers::only_this ? Look::at_noted : Look::at_all);
}

Result<Refusals> Suppressions::known_refusals(const MailKind& kind,
                                              const std::vector<std::string>& addresses) {
    return look(kind, addresses, Look::at_noted);
}

Result<std::optional<std::string>> Suppressions::refusal(const MailKind& kind,
                                                         std::string_view address) {
    auto found = TRY(refusals(kind, {std::string(address)}));
    if (found.empty()) return std::optional<std::string>();
    return std::optional(std::move(found.begin()->second));
}

void Suppressions::rest_on_none(table::write::Transaction& transaction, const MailKind& kind,
                                const std::string& canonical) const {
    for (const auto& address : {canonical, hashed_address(canonical)}) {
        for (const auto& extent : extents_of(kind)) {
            transaction.check(books_->tables.suppressions, suppression_row_key(address, extent))
                .if_absent("Address");
        }
    }
    transaction.check(books_->tables.audience, suppression_key(canonical)).if_absent("PK");
    auto& profile = transaction.check(books_->tables.audience, profile_key(canonical));
    profile.unless("suppressed", true);
    if (kind.stream == Stream::bulk) profile.unless("unsubscribed", true);
}

Result<> Suppressions::require_none(table::write::Transaction& transaction, const MailKind& kind,
                                    std::string_view address) {
    rest_on_none(transaction, kind, TRY(canonical_of(address)));
    return Ok{};
}

Sure Suppressions::require(table::write::Transaction& transaction, const MailKind& kind,
                           const std::vector<std::string>& addresses) {
    if (writers_ == Writers::only_this) return Sure::by_another_look;
    std::set<std::string> canonical;  // A transaction may name a row once.
    for (const auto& address : addresses) {
        if (auto text = canonical_of(address)) canonical.insert(*std::move(text));
    }
    const auto each = 2 * extents_of(kind).size() + 2;
    if (transaction.size() + each * canonical.size() > actions_max) return Sure::by_another_look;
    for (const auto& address : canonical) rest_on_none(transaction, kind, address);
    return Sure::by_condition;
}

}  // namespace mailroom::people
