#include "engagement/tracking/hit_digest.h"

#include "base/log.h"
#include "base/text.h"
#include "engagement/tracking/hit_journal.h"
#include "engagement/tracking/machines.h"

#include <utility>

namespace mailroom::engagement {

namespace {

using namespace std::chrono_literals;

constexpr auto unknown_mail_pause = 20s;
// For rows of a process that is gone: all of them are seen once before any is judged.
constexpr auto neighbours_pause = 1s;

std::string readable(const std::string& agent) {
    if (is_utf8(agent)) return agent;
    auto text = agent;
    for (auto& c : text) {
        if (static_cast<unsigned char>(c) >= 0x80) c = '?';
    }
    return text;
}

Happening happening_of(const Hit& hit, std::string id, std::string_view machine) {
    Happening happening;
    happening.id = std::move(id);
    happening.type = hit.kind == Hit::Kind::open ? EventType::open : EventType::click;
    happening.at = hit.at;
    happening.mail_id = hit.mail_id;
    happening.is_machine = !machine.empty();
    happening.machine_reason = machine;
    happening.link_url = hit.url;
    happening.user_agent = readable(hit.user_agent);
    return happening;
}

}  // namespace

HitDigest::HitDigest(table::Store& store, schedule::Schedule& schedule, const Clock& clock,
                     Account& account, RecentHits& recent, std::string table, MayTrack may_track)
    : store_(store),
      schedule_(schedule),
      clock_(clock),
      account_(account),
      recent_(recent),
      table_(std::move(table)),
      may_track_(std::move(may_track)) {}

void HitDigest::run(schedule::JobInHand job) {
    const auto done = digest(*job);
    if (done || done.error().code == Errc::conflict) return;  // Another node was faster.
    // The job is found again after a pause.
    log::error("opens and clicks could not be noted yet",
               {{"hits", job->key()}, {"why", done.error().message}});
}

Result<> HitDigest::digest(schedule::Job& job) {
    table::GetItem wanted;
    wanted.table = table_;
    wanted.key = hits_key(job.key());
    wanted.consistent = true;
    const auto found = TRY(store_.get(wanted));
    if (!found.item) return end(job, {}, true);
    const auto value = found.item->find("hits");
    const bool has_bytes = value && value->kind() == table::Kind::binary;
    const auto hits = decode_hits(has_bytes ? value->bytes() : std::string_view());
    if (!hits) {
        schedule::Transaction transaction;
        job.bury(transaction, hits.error().message);
        TRY(schedule_.commit(transaction));
        return Ok{};
    }
    if (!recent_.has_row(job.key())) return show_to_neighbours(job, *hits);
    schedule::Transaction claim;
    job.claim(claim);
    TRY(schedule_.commit(claim));
    const auto digested = TRY(happenings_of(job.key(), *hits));
    TRY(note(digested.happenings));
    return end(job, *hits, digested.is_whole);
}

Result<> HitDigest::show_to_neighbours(schedule::Job& job, const std::vector<Hit>& hits) {
    for (const auto& hit : hits) recent_.note(hit, clock_.now());
    recent_.note_row(job.key());
    schedule::Transaction transaction;
    job.move(transaction, clock_.now() + neighbours_pause);
    TRY(schedule_.commit(transaction));
    return Ok{};
}

Result<const std::optional<FollowedMail>*> HitDigest::mail_of(Mails& mails, const std::string& id) {
    const auto known = mails.find(id);
    if (known != mails.end()) return &known->second;
    auto mail = TRY(account_.find_mail(id));
    if (mail && !mail->email.empty() && !TRY(may_track_(mail->email))) mail->email.clear();
    return &mails.emplace(id, std::move(mail)).first->second;
}

Result<HitDigest::Digested> HitDigest::happenings_of(std::string_view name,
                                                     const std::vector<Hit>& hits) {
    Digested digested;
    Mails mails;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        const auto& hit = hits[i];
        const auto& mail = *TRY(mail_of(mails, hit.mail_id));
        if (!mail) {
            const bool may_come = clock_.now() < hit.at + unknown_mail_patience;
            digested.is_whole = digested.is_whole && !may_come;
            if (!may_come) ++unknown_;
            continue;
        }
        if (mail->email.empty()) {
            ++unwanted_;
            continue;
        }
        const auto machine = machine_reason(hit, recent_.of(hit.mail_id), mail->sent);
        auto id = "hit:" + std::string(name) + ":" + std::to_string(i);
        digested.happenings.push_back(happening_of(hit, std::move(id), machine));
    }
    return digested;
}

// One that cannot be an event must not keep the others from being some.
Result<> HitDigest::note(const std::vector<Happening>& happenings) {
    if (happenings.empty()) return Ok{};
    const auto together = account_.note(happenings);
    if (together) {
        noted_ += together->added;
        return Ok{};
    }
    if (together.error().kind != Refusal::Kind::invalid) return Error(together.error());
    for (const auto& happening : happenings) {
        const auto noted = account_.note({&happening, 1});
        if (noted) noted_ += noted->added;
        if (!noted && noted.error().kind != Refusal::Kind::invalid) return Error(noted.error());
    }
    return Ok{};
}

Result<> HitDigest::end(schedule::Job& job, const std::vector<Hit>& hits, bool is_whole) {
    schedule::Transaction transaction;
    if (is_whole) {
        transaction.erase(table_, hits_key(job.key()));
        job.finish(transaction);
    } else {
        job.move(transaction, clock_.now() + unknown_mail_pause);
    }
    TRY(schedule_.commit(transaction));
    if (!is_whole || hits.empty()) return Ok{};
    ended_ += hits.size();
    using std::chrono::milliseconds;
    delay_ms_ = std::chrono::duration_cast<milliseconds>(clock_.now() - hits.front().at).count();
    return Ok{};
}

}  // namespace mailroom::engagement
