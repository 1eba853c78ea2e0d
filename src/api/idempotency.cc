#include "api/idempotency.h"

#include "base/hex.h"
#include "base/log.h"
#include "table/records/ensure_table.h"

#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace mailroom::api {

namespace {

constexpr const char* header_name = "Idempotency-Key";
constexpr std::size_t value_bytes_max = 255;
constexpr std::size_t life_bytes = 16;
constexpr std::string_view running = "running", done = "done";

std::string sha256(std::string_view text) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest;
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
    return hex_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

bool is_good_value(std::string_view value) {
    return !value.empty() && value.size() <= value_bytes_max &&
           std::ranges::all_of(value, [](char c) { return c >= ' ' && c <= '~'; });
}

Response refused(const Refusal& refusal) { return response_of(program::render(refusal)); }

Response in_progress() {
    auto response = refused(Refusal::conflict(
        "in_progress", "a request with this Idempotency-Key is still in progress"));
    response.headers.emplace_back("Retry-After", "1");
    return response;
}

Response other_request() {
    return refused(
        {Refusal::Kind::conflict, "this Idempotency-Key was used for a request with another body"});
}

// What to tell when the row of an earlier request is there.
Response answer_from(const table::Item& row, const std::string& body_hash) {
    if (row.text("BodyHash") != body_hash) return other_request();
    const auto status = row.integer("Status");
    const auto answer = row.text("Answer");
    if (row.text("State") != done || !status || !answer) return in_progress();
    Response response;
    response.status = static_cast<int>(*status);
    response.body = *answer;
    response.headers.emplace_back("Idempotent-Replayed", "true");
    return response;
}

bool is_kept(const Response& response) { return response.status < 500 && response.status != 429; }

}  // namespace

Once::Once(const Call& call, const std::string& value, Time now, std::string life,
           std::string attempt)
    // The parts cannot run into each other: ids and routes hold no line end.
    : key_(sha256(call.key.id + "\n" + std::string(call.route) + "\n" + value)),
      // What a request says is also in its query.
      body_hash_(sha256(call.request().target + "\n" + call.request().body)),
      life_(std::move(life)),
      attempt_(std::move(attempt)),
      started_(now) {}

bool Once::wrote(const table::Item& row) const {
    return row.text("Life") == life_ && row.text("Attempt") == attempt_;
}

table::Item Once::row(std::string_view state) const {
    return {{"Key", key_},
            {"BodyHash", body_hash_},
            {"State", state},
            {"StartedAt", to_unix_ms(started_)},
            {"Life", life_},
            {"Attempt", attempt_},
            {"TTL", to_unix_seconds(started_ + Idempotency::kept_for)}};
}

table::Item Once::done_row(const Response& answer) const {
    return row(done)
        .set("Status", table::Value(answer.status))
        .set("Answer", table::Value(answer.body));
}

void Once::keep_with(table::write::Transaction& together, const Response& answer) const {
    // A row whose time is over may still be there: whoever is refused asks again.
    together.put(Idempotency::table_name, done_row(answer)).if_absent("Key");
}

Idempotency::Idempotency(table::Store& store, const Clock& clock, std::string life, Writers writers)
    : store_(&store),
      clock_(&clock),
      life_(std::move(life)),
      writers_(writers),
      attempts_(std::make_unique<std::atomic<std::uint64_t>>(0)) {}

Once Idempotency::attempt(const Call& call, const std::string& value) const {
    return {call, value, clock_->now(), life_, std::to_string(attempts_->fetch_add(1))};
}

table::OwnTable Idempotency::declared() {
    return table::own_table(table_name, {{"Key", table::Kind::string}}, "TTL");
}

Result<Idempotency> Idempotency::open(table::Store& store, const Clock& clock, Random& random,
                                      Writers writers) {
    TRY(table::ensure_table(store, declared()));
    return Idempotency(store, clock, hex_encode(random_bytes(random, life_bytes)), writers);
}

bool Idempotency::is_asked_for(const Call& call) { return call.request().header(header_name); }

std::optional<Once> Idempotency::once(const Call& call) const {
    const auto* value = call.request().header(header_name);
    if (!value || !is_good_value(*value)) return std::nullopt;
    return attempt(call, *value);
}

Response Idempotency::run(const Call& call, const Act& act) {
    const auto* value = call.request().header(header_name);
    if (!value) return act(std::nullopt);
    if (!is_good_value(*value)) {
        return refused(
            Refusal::bad_field(header_name, "must be 1 to 255 printable ASCII characters"));
    }
    const auto once = attempt(call, *value);
    if (auto answer = begin(once)) return *std::move(answer);
    const auto response = act(*value);
    end(once, response);
    return response;
}

std::optional<Response> Idempotency::begin(const Once& attempt) {
    table::PutItem put;
    put.table = table_name;
    put.item = attempt.row(running);
    // Rows whose time is over may still be there.
    put.condition =
        "attribute_not_exists(#key) OR #ttl <= :seconds OR "
        "(#state = :running AND BodyHash = :body AND ";
    put.condition += writers_ == Writers::only_this
                         ? "(Life <> :life OR attribute_not_exists(Life) OR StartedAt <= :crashed))"
                         : "StartedAt <= :crashed)";
    put.bind.names = {{"#key", "Key"}, {"#state", "State"}, {"#ttl", "TTL"}};
    put.bind.values = {{":seconds", to_unix_seconds(attempt.started_)},
                       {":running", running},
                       {":body", attempt.body_hash_},
                       {":crashed", to_unix_ms(attempt.started_ - running_max)}};
    if (writers_ == Writers::only_this) put.bind.values.emplace_back(":life", life_);
    put.on_failure = table::OnConditionFailure::all_old;
    const auto written = store_->put(put);
    if (written) return std::nullopt;
    const auto& failure = written.error();
    if (failure.fault != table::Fault::conditional_check_failed) return refused(failure);
    if (failure.item && attempt.wrote(*failure.item)) return std::nullopt;
    return failure.item ? answer_from(*failure.item, attempt.body_hash_) : in_progress();
}

void Idempotency::end(const Once& attempt, const Response& response) {
    // Whoever took a request over that seemed to have crashed has another attempt.
    const std::string condition = "Life = :life AND Attempt = :attempt";
    const table::Bindings bind{{}, {{":life", attempt.life_}, {":attempt", attempt.attempt_}}};
    std::optional<table::Failure> failure;
    if (is_kept(response)) {
        table::PutItem put;
        put.table = table_name;
        put.item = attempt.done_row(response);
        put.condition = condition;
        put.bind = bind;
        if (auto kept = store_->put(put); !kept) failure = kept.error();
    } else {
        table::DeleteItem erase;
        erase.table = table_name;
        erase.key = {{"Key", attempt.key_}};
        erase.condition = condition;
        erase.bind = bind;
        auto erased = store_->erase(erase);
        // It is gone, which was wanted: perhaps by the same write, whose answer was lost.
        const bool is_gone =
            !erased && erased.error().fault == table::Fault::conditional_check_failed;
        if (!erased && !is_gone) failure = erased.error();
    }
    // The answer is true all the same; without the row the request would run again, to no harm.
    if (failure) log::warn("an answer was not kept", {{"reason", failure->message}});
}

}  // namespace mailroom::api
