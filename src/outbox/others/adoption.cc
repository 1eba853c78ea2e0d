#include "outbox/others/adoption.h"

#include "outbox/accept/compose.h"
#include "outbox/blobs/blob_paths.h"
#include "outbox/blobs/shared_files.h"

#include <utility>

namespace mailroom::outbox {

namespace {

// Of a job's data: when the message was first missed, Unix milliseconds.
constexpr std::string_view missed_name = "MissedSince";

}  // namespace

Result<bool> read_envelope(Blobs& blobs, schedule::Transaction& together, const Mail& mail,
                           const Clock& clock, Random& random, Change& change) {
    auto read = TRY(blobs.read(mail.eml_path));
    if (!read) return false;
    RawMail raw;
    raw.message = *std::move(read);
    auto composed = adopt(std::move(raw), clock, random);
    if (!composed) return Error{Errc::invalid, Error(composed.error()).message};
    // Whoever is sending it now has the message as it was.
    if (mail.state != State::processing) {
        auto path = eml_path_of(mail.id, mail.created);
        TRY(blobs.add(together, path, composed->message,
                      from_unix_ms(mail.expires_seconds * 1000)));
        change.eml_path = std::move(path);
    }
    change.sender = std::move(composed->sender);
    change.recipients.emplace();
    for (auto& address : composed->recipients) {
        change.recipients->push_back({.address = std::move(address)});
    }
    change.message_id = std::move(composed->message_id);
    return true;
}

Adoption::Step Adoption::next(schedule::Job& job, Mail& mail) const {
    const auto now = clock_.now();
    Step step;
    Change change;
    const auto read = read_envelope(blobs_, step.together, mail, clock_, random_, change);
    auto data = job.data();
    if (read && *read) {
        data.erase(missed_name);
        come_again(step, job, mail, now, std::move(data), std::move(change));
        return step;
    }
    const auto why = read ? "there is no file " + mail.eml_path
                          : "its message cannot be read: " + read.error().message;
    if (mail.state == State::processing) {
        hold(step, job, mail, why);
        return step;
    }
    const bool may_pass =
        read ? is_shared_path(mail.eml_path)
             : read.error().code != Errc::invalid && read.error().code != Errc::corrupt;
    const auto missed = from_unix_ms(job.data().integer(missed_name).value_or(to_unix_ms(now)));
    if (!may_pass || (read && now >= missed + options_.shared_file_after)) {
        step.refusal = why;
        return step;
    }
    if (read) data.set(missed_name, to_unix_ms(missed));
    const auto pause = read ? options_.file_pause : options_.pause;
    come_again(step, job, mail, now + pause, std::move(data), {.reason = why});
    return step;
}

void Adoption::come_again(Step& step, schedule::Job& job, Mail& mail, Time due, table::Item data,
                          Change change) const {
    change.job = job.move(
        step.together,
        {.queue = std::string(job.queue()), .key = mail.id, .due = due, .data = std::move(data)});
    if (!change.reason) change.reason = "";
    ledger_.change(step.together, mail, change);
}

void Adoption::hold(Step& step, schedule::Job& job, Mail& mail, const std::string& why) const {
    job.finish(step.together);
    ledger_.change(step.together, mail,
                   {.reason = "unknown: another program began to send the mail and never said what "
                              "became of it; it may have arrived. " +
                              why,
                    .held = true,
                    .job = std::optional<schedule::Position>()});
    ledger_.log(step.together, mail, {.at = clock_.now(), .what = "hold", .text = why});
}

}  // namespace mailroom::outbox
