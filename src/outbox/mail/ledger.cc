#include "outbox/mail/ledger.h"

#include "base/time_format.h"
#include "outbox/mail/ledger_counts.h"
#include "outbox/mail/ledger_rows.h"
#include "table/records/ensure_table.h"

#include <cassert>

namespace mailroom::outbox {

namespace {

using table::Kind;

table::CreateTable outbox_table(const std::string& name) {
    table::CreateTable wanted;
    wanted.name = name;
    wanted.attributes = {{attribute::id, Kind::string},
                         {attribute::status, Kind::string},
                         {attribute::latest, Kind::string},
                         {attribute::updated_at, Kind::string}};
    wanted.keys = {attribute::id, attribute::status};
    wanted.global_indexes = {
        {"StatusIndex",
         {attribute::status, attribute::id},
         {table::ProjectionKind::include, {attribute::attributes, "TTL"}},
         {}},
        {"LatestIndex",
         {attribute::latest, attribute::updated_at},
         {table::ProjectionKind::keys_only, {}},
         {}},
    };
    return wanted;
}

table::PutItem insert_of(const std::string& table, table::Item row) {
    table::PutItem request;
    request.table = table;
    request.item = std::move(row);
    request.condition = "attribute_not_exists(Id)";
    return request;
}

// States that a mail has gone through between `to` and `from`, `from` included.
std::span<const State> states_left(State from, State to) {
    static constexpr State to_accepted[] = {State::intaking, State::invalid};
    static constexpr State to_ready[] = {State::processing, State::failed,
                                         State::calling_failed_callback,
                                         State::failed_acknowledged};
    std::size_t count = 1;
    if (from == State::invalid || from == State::failed) count = 2;
    if (from == State::failed_acknowledged) count = 4;
    return std::span(to == State::accepted ? std::span<const State>(to_accepted)
                                           : std::span<const State>(to_ready))
        .first(count);
}

// What a step says when its caller says nothing.
bool clears_reason(State entered) {
    return entered == State::intaking || entered == State::processing || entered == State::sent;
}

void apply(const Change& change, Mail& mail) {
    if (change.reason) mail.reason = storable(*change.reason, reason_bytes_max);
    if (change.eml_path) mail.eml_path = *change.eml_path;
    if (change.message_id) mail.message_id = *change.message_id;
    if (change.sender) mail.sender = *change.sender;
    if (change.recipients) mail.recipients = *change.recipients;
    if (change.attempts) mail.attempts = *change.attempts;
    if (change.first_due) mail.first_due = *change.first_due;
    if (change.job) mail.job = *change.job;
    if (change.follow) mail.follow = *change.follow;
    if (change.settlements) mail.settlements = *change.settlements;
}

// Notes that it is counted as what it is now.
Counted counted_now(Mail& mail) {
    mail.counted = index_name_of(mail);
    mail.counted_expiry_seconds = expiry_of_row(mail);
    return {index_name_of(mail), mail.counted_expiry_seconds};
}

}  // namespace

Ledger::Ledger(table::Store& store, const Clock& clock, TableNames names, std::string node)
    : store_(&store),
      clock_(&clock),
      names_(std::move(names)),
      node_(std::move(node)),
      log_entries_(std::make_unique<std::atomic<std::uint32_t>>(0)),
      waiting_(std::make_unique<OldestWaiting>()) {}

std::vector<table::OwnTable> Ledger::declared(const TableNames& names) {
    using table::own_table;
    const table::AttributeDefinition id{attribute::id, Kind::string},
        shard{attribute::shard, Kind::string};
    return {
        {outbox_table(names.outbox), "TTL", table::Outside::shared},
        own_table(names.log, {id, {attribute::entry, Kind::string}}, "TTL"),
        own_table(names.counts, {shard}, "TTL"),
        own_table(names.expiring, {shard, {attribute::day, Kind::string}}, "TTL"),
    };
}

Result<Ledger> Ledger::open(table::Store& store, const Clock& clock, TableNames names,
                            std::string node) {
    TRY(table::ensure_tables(store, declared(names)));
    Ledger ledger(store, clock, std::move(names), std::move(node));
    TRY(ledger.upgrade());
    return ledger;
}

void Ledger::insert(schedule::Transaction& transaction, Mail& mail,
                    std::span<const State> entered) {
    assert(!entered.empty() && entered.back() == mail.state);
    transaction.also(insert_of(names_.outbox, meta_item(mail, entered.size() > 1)));
    for (const auto state : entered) {
        // Without a condition: that of _META is enough, and it may have expired before these.
        table::PutItem row;
        row.table = names_.outbox;
        row.item = state_item(mail, state, state == mail.state ? mail.reason : "", {});
        transaction.also(std::move(row));
    }
    count(transaction, names_, mail.id, {}, counted_now(mail));
}

void Ledger::move(schedule::Transaction& transaction, Mail& mail, State to, const Change& change) {
    assert(may_follow(mail.state, to));
    assert(!mail.follow || change.settlements || outcome_of(to) == outcome_of(mail.state));
    if (clears_reason(to)) mail.reason.clear();
    update(transaction, mail, to, change);
    transaction.also(
        insert_of(names_.outbox, state_item(mail, to, change.reason.value_or(""), change)));
}

void Ledger::step_back(schedule::Transaction& transaction, Mail& mail, State to,
                       const Change& change) {
    assert(may_step_back(mail.state, to));
    const auto left = states_left(mail.state, to);
    update(transaction, mail, to, change);
    for (const auto state : left) {
        table::DeleteItem row;
        row.table = names_.outbox;
        row.key = row_key(mail.id, name_of(state));
        transaction.also(std::move(row));
    }
}

void Ledger::change(schedule::Transaction& transaction, Mail& mail, const Change& change) {
    update(transaction, mail, mail.state, change);
}

void Ledger::update(schedule::Transaction& transaction, Mail& mail, State to,
                    const Change& change) {
    const StateBefore before{mail.state, mail.counted};
    const Counted old{before.counted, mail.counted_expiry_seconds};
    apply(change, mail);
    mail.state = to;
    mail.held = change.held.value_or(mail.held && to == before.state);
    assert(!mail.held || mail.state == State::processing);
    mail.updated = clock_->now();
    note_waiting(mail);
    count(transaction, names_, mail.id, old, counted_now(mail));
    transaction.also(meta_update(names_.outbox, before, mail, change));
}

void Ledger::follow(schedule::Transaction& transaction, Mail& mail, const Change& change) {
    const auto counted = mail.counted;
    const Counted old{counted, mail.counted_expiry_seconds};
    apply(change, mail);
    count(transaction, names_, mail.id, old, counted_now(mail));
    transaction.also(following_update(names_.outbox, counted, mail, change));
}

void Ledger::log(schedule::Transaction& transaction, const Mail& mail, const LogEntry& entry) {
    // The number keeps those of one millisecond apart, and in order.
    constexpr std::uint32_t numbers = 1'000'000;
    auto number = std::to_string(log_entries_->fetch_add(1) % numbers);
    number.insert(0, 6 - number.size(), '0');
    table::PutItem row;
    row.table = names_.log;
    auto name = format_rfc3339(entry.at) + "#" + number;
    if (!node_.empty()) name += "#" + node_;
    row.item = log_item(mail, entry, name);
    transaction.also(std::move(row));
}

Result<std::optional<Mail>> Ledger::find(const std::string& id) {
    if (!may_be_id(id)) return std::optional<Mail>();
    const auto meta = TRY(read_meta(id));
    if (!meta) return std::optional<Mail>();
    return std::optional(read_mail(*meta));
}

Result<std::optional<table::Item>> Ledger::read_meta(const std::string& id) {
    table::GetItem request;
    request.table = names_.outbox;
    request.key = row_key(id, meta_status);
    request.consistent = true;
    return TRY(store_->get(request)).item;
}

}  // namespace mailroom::outbox
