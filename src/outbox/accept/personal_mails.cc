#include "outbox/accept/personal_mails.h"

#include "base/log.h"
#include "base/text.h"
#include "base/time_format.h"
#include "net/sigv4.h"
#include "outbox/blobs/blob_paths.h"
#include "people/canonical.h"
#include "people/suppression_rows.h"
#include "table/records/form.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace mailroom::outbox {

namespace {

constexpr std::size_t mails_at_once = 100;
// For what an index did not tell yet, and for what is in motion.
constexpr std::chrono::minutes look_again_after{10};
// Of a message that is given out whole.
constexpr std::size_t message_bytes_max = 512 * 1024;

bool is_theirs(const Recipient& recipient, const std::string& person) {
    const auto canonical = people::canonical_of(recipient.address);
    return canonical && *canonical == person;
}

bool concerns(const Mail& mail, const std::string& person) {
    return std::ranges::any_of(mail.recipients,
                               [&](const auto& one) { return is_theirs(one, person); });
}

bool is_to_nobody_else(const Mail& mail, const std::string& person) {
    return std::ranges::all_of(mail.recipients,
                               [&](const auto& one) { return is_theirs(one, person); });
}

}  // namespace

template <class Visit>
Result<> PersonalMails::each_mail(const std::string& person, const Visit& visit) {
    std::optional<table::Item> after;
    do {
        auto page = TRY(ledger_.all(mails_at_once, std::move(after)));
        for (auto& mail : page.mails) {
            if (concerns(mail, person)) TRY(visit(std::move(mail)));
        }
        after = std::move(page.next);
    } while (after);
    return Ok{};
}

Result<> PersonalMails::show(const std::string& person, json::Writer& writer) {
    writer.open_list();
    const auto show_one = [&](const Mail& mail) { return show_mail(mail, person, writer); };
    TRY(each_mail(person, show_one));
    writer.close_list();
    return Ok{};
}

Result<> PersonalMails::show_mail(const Mail& mail, const std::string& person,
                                  json::Writer& writer) {
    writer.open_object().key("id");
    table::show_text(writer, mail.id);
    writer.key("state").text(name_of(mail.state));
    writer.key("created_at").text(format_rfc3339(mail.created));
    writer.key("sender");
    table::show_text(writer, mail.sender);
    for (const auto& recipient : mail.recipients) {
        if (!is_theirs(recipient, person)) continue;
        writer.key("recipient_state").text(name_of(recipient.state)).key("answer");
        table::show_text(writer, recipient.text);
        break;
    }
    if (is_to_nobody_else(mail, person)) {
        const auto message = TRY(outbox_.message(mail));
        writer.key("message");
        table::show_text(writer, message ? message->substr(0, message_bytes_max) : "");
    }
    writer.close_object();
    return Ok{};
}

Result<> PersonalMails::erase(const std::string& person) {
    return erase_until(person, clock_.now());
}

Result<> PersonalMails::erase_until(const std::string& person, Time until) {
    const auto at = std::min(until, clock_.now());
    schedule::Transaction transaction;
    schedule_.add(transaction, {.queue = std::string(forgetting_queue),
                                .key = net::sha256_hex(person + " " + format_rfc3339(at)),
                                .due = at,
                                .data = {{"person", person}, {"until", to_unix_ms(at)}}});
    const auto added = schedule_.commit(transaction);
    if (added) return Ok{};
    const Error error = added.error();
    // It is asked again, and was written down before.
    return error.code == Errc::conflict ? Result<>(Ok{}) : Result<>(error);
}

void PersonalMails::run(schedule::JobInHand job) {
    const auto done = settle(*job);
    if (done) return;
    // The job is found again after a pause.
    log::warn("mails to somebody who was erased are looked at again",
              {{"why", done.error().message}});
}

Result<> PersonalMails::settle(schedule::Job& job) {
    const auto person = std::string(job.data().text("person").value_or(""));
    const auto until = from_unix_ms(job.data().integer("until").value_or(0));
    schedule::Transaction claim;
    job.claim(claim);
    TRY(schedule_.commit(claim));
    bool is_whole = true;
    const auto forget_one = [&](Mail mail) -> Result<> {
        if (mail.created > until) return Ok{};
        is_whole = TRY(forget(std::move(mail), person)) && is_whole;
        return Ok{};
    };
    TRY(each_mail(person, forget_one));
    // The index may have lacked the newest.
    is_whole = is_whole && clock_.now() >= until + look_again_after;
    schedule::Transaction transaction;
    if (is_whole) {
        job.finish(transaction);
    } else {
        job.move(transaction, clock_.now() + look_again_after);
    }
    TRY(schedule_.commit(transaction));
    return Ok{};
}

Result<bool> PersonalMails::forget(Mail mail, const std::string& person) {
    const bool waits = may_follow(mail.state, State::cancelled);
    // Of a mail to others, too, the recipient is refused when it leaves.
    if (waits && !is_to_nobody_else(mail, person)) return false;
    if (waits) {
        auto cancelled = outbox_.withdraw(mail.id);
        if (!cancelled && cancelled.error().code == Errc::conflict) return false;
        if (!cancelled) return cancelled.error();
        mail = *std::move(cancelled);
    }
    // One that has a job goes on by itself.
    if (!may_expire(mail.state) || (mail.job && !waits)) return false;
    return rename(mail, person);
}

// The blobs first: the recipients say that there is something to be done.
Result<bool> PersonalMails::rename(const Mail& mail, const std::string& person) {
    if (is_to_nobody_else(mail, person)) TRY(erase_blobs(mail));
    auto recipients = mail.recipients;
    for (auto& recipient : recipients) {
        if (is_theirs(recipient, person)) recipient.address = people::hashed_address(person);
        recipient.text.clear();
    }
    const auto renamed = ledger_.rename_recipients(mail, recipients);
    if (renamed) return true;
    if (renamed.error().code == Errc::conflict) return false;
    return renamed.error();
}

// Files that other programs wrote are theirs.
Result<> PersonalMails::erase_blobs(const Mail& mail) {
    const auto expires = std::chrono::time_point_cast<Time::duration>(
        Time(std::chrono::seconds(mail.expires_seconds)));
    schedule::Transaction transaction;
    if (mail.payload_path == payload_path_of(mail.id, mail.created)) {
        TRY(blobs_.add(transaction, mail.payload_path, "{}", expires));
    }
    if (mail.eml_path == eml_path_of(mail.id, mail.created)) {
        TRY(blobs_.add(transaction, mail.eml_path, "", expires));
    }
    if (!transaction.empty()) TRY(schedule_.commit(transaction));
    return Ok{};
}

}  // namespace mailroom::outbox
