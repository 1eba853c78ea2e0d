// Accepting one mail.
#include "base/hex.h"
#include "base/ids.h"
#include "json/writer.h"
#include "outbox/accept/outbox.h"
#include "outbox/blobs/blob_paths.h"
#include "outbox/callbacks/webhook.h"

#include <openssl/sha.h>

#include <algorithm>
#include <cassert>

namespace mailroom::outbox {

namespace {

constexpr State states_of_ready[] = {State::accepted, State::intaking, State::ready};
constexpr State states_of_accepted[] = {State::accepted};
// What a mail that leaves at once passes on its way.
constexpr State states_of_departure[] = {State::accepted, State::intaking, State::ready,
                                         State::processing};

Refusal refusal(BadField bad) {
    return {Refusal::Kind::bad_field, std::move(bad.field), std::move(bad.why)};
}

Refusal full() {
    return {Refusal::Kind::full, "", "Too many mails wait to be sent; try again later"};
}

std::string sha256_hex(std::string_view bytes) {
    unsigned char digest[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest);
    return hex_encode({reinterpret_cast<const char*>(digest), sizeof digest});
}

std::string payload_of_raw(const Composed& composed, const std::string& sha256) {
    std::string payload;
    json::Writer writer(payload);
    writer.open_object().key("raw").boolean(true);
    writer.key("sender").text(composed.sender);
    writer.key("recipients").open_list();
    for (const auto& recipient : composed.recipients) writer.text(recipient);
    writer.close_list().key("sha256").text(sha256).close_object();
    return payload;
}

}  // namespace

Outbox::NewMail Outbox::begin(std::string id, Stream stream, std::string_view payload, Time now,
                              std::optional<Time> send_at) const {
    NewMail made;
    made.payload = payload;
    auto& mail = made.mail;
    mail.payload_path = payload_path_of(id, now);
    mail.id = std::move(id);
    mail.created = mail.updated = now;
    mail.stream = stream;
    mail.first_due = std::max(now, send_at.value_or(now));
    mail.expires_seconds = to_unix_seconds(mail.first_due) + options_.keep_for.count();
    mail.callback = !options_.callback_url.empty();
    return made;
}

void Outbox::set_envelope(Mail& mail, Composed& composed) {
    mail.sender = std::move(composed.sender);
    mail.recipients.reserve(composed.recipients.size());
    for (auto& address : composed.recipients) {
        mail.recipients.push_back({.address = std::move(address)});
    }
}

void Outbox::make_ready(NewMail& made, Composed composed) {
    auto& mail = made.mail;
    mail.state = State::ready;
    mail.eml_path = eml_path_of(mail.id, mail.created);
    set_envelope(mail, composed);
    mail.message_id = std::move(composed.message_id);
    made.message = std::move(composed.message);
}

// What is known now is said now, and not after a day of callbacks that nobody gets.
Result<Ok, Refusal> Outbox::check_callback(const Request& request) const {
    if (callback_guard_ == nullptr || request.callback_url.empty()) return Ok{};
    const auto url = net::Url::parse(request.callback_url);
    const auto refused = url ? callback_guard_->refuses_at_sight(*url) : std::nullopt;
    if (!refused) return Ok{};
    return Refusal{
        Refusal::Kind::bad_field, "callback_url",
        "must lead where callbacks may go: " + refused->message + "; " + std::string(allow_hint)};
}

Result<Outbox::NewMail, Refusal> Outbox::prepare(const Request& request, std::string id,
                                                 std::string_view payload) {
    TRY(check_callback(request));
    auto made = begin(std::move(id), request.stream, payload, clock_.now(), request.send_at);
    made.mail.callback = made.mail.callback || !request.callback_url.empty();
    // Without what must be fetched this shows only whether the rest is good, while the caller is
    // there to hear it.
    auto composed =
        compose(request, {}, clock_, random_, time_zones_, made.mail.first_due, &templates_,
                request.engagement ? Fitting{tailor_, made.mail.id} : Fitting());
    if (!composed) return refusal(std::move(composed).error());
    if (request.engagement) {
        made.mail.engagement = request.engagement;
        made.mail.engagement->subject = std::move(composed->subject);
    }
    if (request.needs_fetching()) {
        made.mail.state = State::accepted;
        set_envelope(made.mail, *composed);
    } else {
        make_ready(made, std::move(*composed));
    }
    return made;
}

Result<> Outbox::add(schedule::Transaction& transaction, NewMail& made) {
    TRY(add_blobs(transaction, made));
    ledger_.insert(transaction, made.mail, add_job(transaction, made.mail));
    return Ok{};
}

Result<> Outbox::add_blobs(schedule::Transaction& transaction, const NewMail& made) {
    const auto& mail = made.mail;
    const auto expires = from_unix_ms(mail.expires_seconds * 1000);
    TRY(blobs_.add(transaction, mail.payload_path, made.payload, expires));
    if (mail.state != State::ready) return Ok{};
    return blobs_.add(transaction, mail.eml_path, made.message, expires);
}

// Whoever brings it forward first, and the states that it has entered by then.
std::span<const State> Outbox::add_job(schedule::Transaction& transaction, Mail& mail) {
    const bool is_ready = mail.state == State::ready;
    mail.job = schedule_.add(
        transaction, {.queue = std::string(is_ready ? send_queue(mail.stream) : fetching_queue),
                      .key = mail.id,
                      .due = is_ready ? mail.first_due : mail.created});
    return is_ready ? std::span<const State>(states_of_ready) : states_of_accepted;
}

Refusal Outbox::storage_refusal(const Error& error) {
    if (const auto dropped = storage_failures_.pass(clock_.now())) {
        log::error("a mail could not be stored", {{"reason", error.message}, {"more", *dropped}});
    }
    return {Refusal::Kind::storage, "", "The mail could not be stored; try again later"};
}

std::optional<Result<Accepted, Refusal>> Outbox::answer_existing(const std::string& id,
                                                                 std::string_view payload) {
    using Answer = Result<Accepted, Refusal>;
    const auto found = ledger_.find(id);
    if (!found) return Answer(storage_refusal(found.error()));
    if (!*found) return std::nullopt;
    const auto& mail = **found;
    const auto before = blobs_.read(mail.payload_path);
    if (!before) return Answer(storage_refusal(before.error()));
    if (*before && **before == payload) return Answer(Accepted{id, mail.state, false});
    return Answer(Refusal{Refusal::Kind::duplicate, "", "Email with this ID already exists"});
}

Result<Accepted, Refusal> Outbox::store(NewMail& made) {
    schedule::Transaction transaction;
    if (const auto added = add(transaction, made); !added) return storage_refusal(added.error());
    const auto committed = schedule_.commit(transaction);
    if (committed) {
        ++waiting_;
        return Accepted{made.mail.id, made.mail.state};
    }
    const Error error = committed.error();
    if (error.code == Errc::conflict) {
        if (auto answer = answer_existing(made.mail.id, made.payload)) return std::move(*answer);
    }
    return storage_refusal(error);
}

Result<Accepted, Refusal> Outbox::accept(const Request& request, std::string_view payload) {
    if (is_full()) return full();
    auto made = prepare(request, request.id ? *request.id : make_uuid(clock_, random_), payload);
    if (!made) return std::move(made).error();
    return store(*made);
}

void Outbox::accept(const Request& request, std::string_view payload, AcceptDone done, Also also) {
    if (is_full()) return done(full());
    auto made = prepare(request, request.id ? *request.id : make_uuid(clock_, random_), payload);
    if (!made) return done(std::move(made).error());
    offer(*made, !request.id, done, std::move(also));
}

void Outbox::offer(NewMail& made, bool has_new_id, const AcceptDone& done, Also also) {
    Departure departure;
    departure.has_new_id = has_new_id;
    if (const auto added = add_blobs(departure.together, made); !added) {
        return done(storage_refusal(added.error()));
    }
    departure.mail = std::move(made.mail);
    departure.also = std::move(also);
    if (!may_leave_at_once(departure.mail)) return queue(departure, done);
    departure.message = std::move(made.message);
    departure.stays = [this, done](Departure& staying) { queue(staying, done); };
    departure.write_rows = [this](Departure& leaving, Mail& mail) {
        write_rows(leaving, mail, states_of_departure);
    };
    departure.leaves = [this, done](const Departure& left, const table::Outcome<>& committed) {
        answer({left.mail.id, State::processing}, committed, done);
    };
    departures_->offer(std::make_shared<Departure>(std::move(departure)));
}

// Mails of the bulk stream never leave before transactional ones that wait.
bool Outbox::may_leave_at_once(const Mail& mail) const {
    return departures_ != nullptr && mail.state == State::ready &&
           mail.stream == Stream::transactional && mail.first_due <= mail.created;
}

// Of a mail that has a job: it is accepted when they are durable, and in which state they say.
void Outbox::write_rows(Departure& departure, Mail& mail, std::span<const State> entered) {
    ledger_.insert(departure.together, mail, entered);
    if (departure.has_new_id) departure.together.puts_are_new();
    if (departure.also) departure.also(departure.together, mail);
}

void Outbox::queue(Departure& departure, AcceptDone done) {
    write_rows(departure, departure.mail, add_job(departure.together, departure.mail));
    schedule_.commit(std::move(departure.together),
                     [this, accepted = Accepted{departure.mail.id, departure.mail.state},
                      done = std::move(done)](const table::Outcome<>& committed) {
                         answer(accepted, committed, done);
                     });
}

void Outbox::answer(Accepted accepted, const table::Outcome<>& committed, const AcceptDone& done) {
    if (committed) {
        ++waiting_;
        return done(std::move(accepted));
    }
    const Error error = committed.error();
    if (error.code != Errc::conflict) return done(storage_refusal(error));
    done(
        Refusal{Refusal::Kind::condition, "", "The mail, or what belongs to it, is there already"});
}

Result<Outbox::NewMail, Refusal> Outbox::prepare_raw(RawMail mail, std::string id, Stream stream) {
    const auto sha256 = sha256_hex(mail.message);
    auto composed = adopt(std::move(mail), clock_, random_);
    if (!composed) return refusal(std::move(composed).error());
    auto made =
        begin(std::move(id), stream, payload_of_raw(*composed, sha256), clock_.now(), std::nullopt);
    make_ready(made, std::move(*composed));
    return made;
}

Result<Accepted, Refusal> Outbox::accept_raw(RawMail mail, std::optional<std::string> id,
                                             Stream stream) {
    if (is_full()) return full();
    if (id && !is_mail_id(*id)) return refusal({"id", "must be a UUID in lower case"});
    auto made =
        TRY(prepare_raw(std::move(mail), id ? std::move(*id) : make_uuid(clock_, random_), stream));
    return store(made);
}

void Outbox::accept_raw(RawMail mail, Stream stream, AcceptDone done, Also also) {
    if (is_full()) return done(full());
    auto made = prepare_raw(std::move(mail), make_uuid(clock_, random_), stream);
    if (!made) return done(std::move(made).error());
    offer(*made, true, done, std::move(also));
}

Result<std::string, Refusal> Outbox::add_to(schedule::Transaction& transaction,
                                            const Request& request, const SendKey& key,
                                            const Follow& follow) {
    if (is_full()) return full();
    if (auto bad = fault_of(request, clock_.now())) return refusal(*std::move(bad));
    auto made = TRY(prepare(request, mail_id_for(key), payload_of(request)));
    assert(follow.queue.empty() || may_be_followed(follow));
    if (!follow.queue.empty()) made.mail.follow = follow;
    if (const auto added = add(transaction, made); !added) return storage_refusal(added.error());
    return std::move(made.mail.id);
}

}  // namespace mailroom::outbox
