#include "outbox/sending/pauses.h"

#include "base/hex.h"
#include "base/time_format.h"
#include "mime/domain.h"
#include "outbox/mail/ledger_rows.h"
#include "table/query_builder.h"
#include "table/records/ensure_table.h"

#include <openssl/sha.h>

#include <algorithm>

namespace mailroom::outbox {

namespace {

constexpr std::string_view now_part = "now", past_part = "past";
constexpr std::string_view paused_state = "paused", resuming_state = "resuming";
constexpr std::string_view stream_prefix = "stream:", domain_prefix = "domain:";
constexpr std::string_view queue_prefix = "outbox.paused.";
constexpr auto past_kept_for = std::chrono::hours(24 * 366);
constexpr std::size_t past_max = 1000;

table::Item row_of(const PauseScope& scope) { return {{"Part", now_part}, {"Name", scope.text()}}; }

// A queue's name is short and has few characters, and a domain may have others.
std::string hashed(std::string_view domain) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(domain.data()), domain.size(), digest);
    return hex_encode({reinterpret_cast<const char*>(digest), 16});
}

std::string domain_of(const std::string& address) {
    const auto at = address.rfind('@');
    const auto domain = address.substr(at == address.npos ? 0 : at + 1);
    return mime::domain_to_ascii(domain).value_or(domain);
}

std::optional<Pause> read_pause(const table::Item& row) {
    const auto scope = PauseScope::parse(row.text("Name").value_or(""));
    if (!scope) return std::nullopt;
    return Pause{.scope = *scope,
                 .is_resuming = row.text("State") == resuming_state,
                 .since = from_unix_ms(row.integer("Since").value_or(0)),
                 .by = std::string(row.text("By").value_or("")),
                 .reason = std::string(row.text("Reason").value_or(""))};
}

table::Item pause_row(const Pause& pause) {
    auto row = row_of(pause.scope);
    row.set("State", table::Value(pause.is_resuming ? resuming_state : paused_state));
    row.set("Since", table::Value(to_unix_ms(pause.since)));
    row.set("By", table::Value(pause.by));
    row.set("Reason", table::Value(pause.reason));
    return row;
}

PauseEvent event_of(const table::Item& row) {
    return {.what = std::string(row.text("What").value_or("")),
            .scope = std::string(row.text("Scope").value_or("")),
            .at = from_unix_ms(row.integer("At").value_or(0)),
            .by = std::string(row.text("By").value_or("")),
            .reason = std::string(row.text("Reason").value_or(""))};
}

}  // namespace

std::string_view name_of(PauseScope::Kind kind) {
    switch (kind) {
        case PauseScope::Kind::all:
            return "all";
        case PauseScope::Kind::stream:
            return "stream";
        case PauseScope::Kind::domain:
            break;
    }
    return "domain";
}

Result<PauseScope> PauseScope::parse(std::string_view text) {
    if (text == "all") return PauseScope{};
    if (text.starts_with(stream_prefix)) {
        const auto stream = stream_named(text.substr(stream_prefix.size()));
        if (stream) return PauseScope{.kind = Kind::stream, .stream = *stream};
    }
    if (text.starts_with(domain_prefix)) {
        auto domain = mime::domain_to_ascii(text.substr(domain_prefix.size()));
        if (domain) return PauseScope{.kind = Kind::domain, .domain = *std::move(domain)};
    }
    return Error{Errc::invalid, "must be " + std::string(wanted)};
}

std::string PauseScope::text() const {
    switch (kind) {
        case Kind::all:
            return "all";
        case Kind::stream:
            return std::string(stream_prefix) + std::string(name_of(stream));
        case Kind::domain:
            break;
    }
    return std::string(domain_prefix) + domain;
}

bool PauseScope::covers(const Mail& mail) const {
    if (kind == Kind::all) return true;
    if (kind == Kind::stream) return mail.stream == stream;
    return std::ranges::any_of(mail.recipients, [this](const Recipient& recipient) {
        return recipient.state == Recipient::State::waiting &&
               domain_of(recipient.address) == domain;
    });
}

std::string PauseScope::queue() const {
    const std::string prefix(queue_prefix);
    if (kind == Kind::all) return prefix + "all";
    if (kind == Kind::stream) return prefix + "stream." + std::string(name_of(stream));
    return prefix + "domain." + hashed(domain);
}

table::OwnTable Pauses::declared() {
    return table::own_table(table_name,
                            {{"Part", table::Kind::string}, {"Name", table::Kind::string}}, "TTL");
}

Result<std::unique_ptr<Pauses>> Pauses::open(table::Store& store, const Clock& clock,
                                             Random& random) {
    TRY(table::ensure_table(store, declared()));
    std::unique_ptr<Pauses> pauses(new Pauses(store, clock, random));
    TRY(pauses->refresh());
    return pauses;
}

Result<std::vector<Pause>> Pauses::read() {
    std::vector<Pause> found;
    std::optional<table::Item> after;
    do {
        const auto page = TRY(store_.query(table::from(table_name)
                                               .partition("Part", now_part)
                                               .after(std::move(after))
                                               .consistent()));
        for (const auto& row : page.items) {
            if (auto pause = read_pause(row)) found.push_back(*std::move(pause));
        }
        after = page.last_key;
    } while (after);
    return found;
}

Result<> Pauses::refresh() {
    auto found = TRY(read());
    const std::lock_guard lock(mutex_);
    pauses_ = std::move(found);
    any_ = !pauses_.empty();
    return Ok{};
}

std::vector<Pause> Pauses::now() const {
    const std::lock_guard lock(mutex_);
    return pauses_;
}

std::optional<Pause> Pauses::covering(const Mail& mail) const {
    if (!any_) return std::nullopt;
    const std::lock_guard lock(mutex_);
    for (const auto& pause : pauses_) {
        if (!pause.is_resuming && pause.scope.covers(mail)) return pause;
    }
    return std::nullopt;
}

void Pauses::require(table::write::Transaction& transaction, const PauseScope& scope) {
    transaction.check(table_name, row_of(scope)).when("State", paused_state);
}

bool Pauses::waits(const Mail& mail) {
    return mail.job && mail.job->queue().starts_with(queue_prefix);
}

void Pauses::note(table::write::Transaction& transaction, std::string_view what,
                  const Pause& pause) {
    const auto at = clock_.now();
    transaction.put(table_name,
                    {{"Part", past_part},
                     {"Name", format_rfc3339(at) + "#" + hex_encode(random_bytes(random_, 8))},
                     {"What", what},
                     {"Scope", pause.scope.text()},
                     {"At", to_unix_ms(at)},
                     {"By", pause.by},
                     {"Reason", pause.reason},
                     {"TTL", to_unix_seconds(at + past_kept_for)}});
}

Result<> Pauses::commit(const table::write::Transaction& transaction) {
    const auto done = store_.transact(transaction);
    if (!done) return Error(done.error());
    return refresh();
}

Result<Pause> Pauses::pause(const PauseScope& scope, std::string_view by, std::string_view reason) {
    const Pause pause{.scope = scope,
                      .since = clock_.now(),
                      .by = storable(by, peer_bytes_max),
                      .reason = storable(reason, reason_bytes_max)};
    table::write::Transaction together;
    together.put(table_name, pause_row(pause)).unless("State", paused_state);
    note(together, "paused", pause);
    const auto done = commit(together);
    if (done) return pause;
    if (done.error().code != Errc::conflict) return done.error();
    return Error{Errc::conflict, scope.text() + " is paused already"};
}

Result<Pause> Pauses::resume(const PauseScope& scope, std::string_view by,
                             std::string_view reason) {
    const Pause resumed{.scope = scope,
                        .is_resuming = true,
                        .since = clock_.now(),
                        .by = storable(by, peer_bytes_max),
                        .reason = storable(reason, reason_bytes_max)};
    table::write::Transaction together;
    together.put(table_name, pause_row(resumed)).when("State", paused_state);
    note(together, "resumed", resumed);
    const auto done = commit(together);
    if (done) return resumed;
    if (done.error().code != Errc::conflict) return done.error();
    return Error{Errc::not_found, scope.text() + " is not paused"};
}

Result<std::vector<PauseEvent>> Pauses::past(std::size_t limit) {
    const auto wanted = std::min(limit, past_max);
    std::vector<PauseEvent> events;
    std::optional<table::Item> after;
    do {
        auto page = TRY(store_.query(table::from(table_name)
                                         .partition("Part", past_part)
                                         .newest_first()
                                         .consistent()
                                         .limit(static_cast<std::int64_t>(wanted - events.size()))
                                         .after(std::move(after))));
        for (const auto& row : page.items) events.push_back(event_of(row));
        after = std::move(page.last_key);
    } while (after && events.size() < wanted);
    return events;
}

}  // namespace mailroom::outbox
