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

}  // namespace

// What is known against writing to somebody.
struct Suppressions::Objections {
    std::optional<std::string> suppressed, unsubscribed, topic;  // Why, if there is a reason.
};

namespace {

// The first reason that was heard is kept, and any rather than none.
void object(std::optional<std::string>& objection, std::string_view why) {
    if (!objection || objection->empty()) objection = why;
}

template <class Objections>
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

template <class Objections>
void hear_profile(Objections& objections, const table::ItemView& row, const MailKind& kind) {
    if (is_set(row, "suppressed")) object(objections.suppressed, "");
    if (kind.heeds_topic() && refuses_topic(row, kind.topic)) object(objections.topic, "");
    if (kind.stream != Stream::bulk) return;
    if (is_set(row, "unsubscribed")) object(objections.unsubscribed, "");
}

template <class Objections>
void hear(Objections& objections, const table::ItemView& row, const MailKind& kind) {
    if (row.has("Address")) return hear_row(objections, row, kind);
    if (row.text("SK") == "PROFILE") return hear_profile(objections, row, kind);
    object(objections.suppressed, row.text("reason").value_or(""));
}

template <class Objections>
std::optional<std::string> said(const Objections& objections, const MailKind& kind) {
    const auto with = [](std::string word, const std::string& why) {
        return why.empty() ? word : std::move(word) + ": " + why;
    };
    if (objections.unsubscribed) return with("unsubscribed", *objections.unsubscribed);
    if (objections.suppressed) return with("suppressed", *objections.suppressed);
    if (objections.topic) return with("topic " + kind.topic, *objections.topic);
    return std::nullopt;
}

std::vector<Extent> extents_of(const MailKind& kind) {
    std::vector<Extent> extents = {Extent::every(), kind.stream};
    if (kind.heeds_topic()) extents.push_back(Extent::of_topic(kind.topic));
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
        ask_rows(canonical, canonical);
    }
    // What stands in Audience under this spelling of the address.
    void ask_rows(const std::string& spelled, const std::string& canonical) {
        asked_.emplace(spelled, canonical);
        audience_.push_back(profile_key(spelled));
        audience_.push_back(suppression_key(spelled));
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
        for (const auto column :
             {"PK", "SK", "suppressed", "unsubscribed", "reason", "mailroomTopics"}) {
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
        auto address = row.text("Address");
        if (!address) address = person_of_partition(*row.text("PK"));
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
                                    Look look, const Meant& meant) {
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
    for (const auto& [canonical, given] : asked) {
        question.ask_about(canonical, kind);
        for (const auto& spelled : spellings_->of(canonical)) {
            question.ask_rows(spelled, canonical);
        }
    }
    std::map<std::string, Objections> heard;
    for (const auto& row : TRY(table::get_all(books_->store, question.request()))) {
        hear(heard[question.whose(row)], row, kind);
    }
    for (const auto& [canonical, objections] : heard) {
        const auto found = asked.find(canonical);
        const auto refusal = meant(objections);
        if (found == asked.end() || !refusal) continue;
        rows_->note(canonical);
        for (const auto& address : found->second) refusals[address] = *refusal;
    }
    return refusals;
}

Result<Refusals> Suppressions::refusals(const MailKind& kind,
                                        const std::vector<std::string>& addresses) {
    const auto all = [&](const Objections& objections) { return said(objections, kind); };
    return look(kind, addresses, usual_look(), all);
}

Result<Refusals> Suppressions::refusals_of_topic(const std::string& topic,
                                                 const std::vector<std::string>& addresses) {
    const auto of_topic = [](const Objections& objections) { return objections.topic; };
    return look(MailKind(Stream::bulk, topic), addresses, usual_look(), of_topic);
}

Result<Refusals> Suppressions::known_refusals(const MailKind& kind,
                                              const std::vector<std::string>& addresses) {
    const auto all = [&](const Objections& objections) { return said(objections, kind); };
    return look(kind, addresses, Look::at_noted, all);
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

Result<> Suppressions::require_topic(table::write::Transaction& transaction,
                                     const std::string& topic, std::string_view address) {
    const auto canonical = TRY(canonical_of(address));
    for (const auto& name : {canonical, hashed_address(canonical)}) {
        transaction
            .check(books_->tables.suppressions, suppression_row_key(name, Extent::of_topic(topic)))
            .if_absent("Address");
    }
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
