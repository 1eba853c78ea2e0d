#include "campaigns/sequences/runner.h"

#include "base/log.h"

#include <algorithm>
#include <utility>

namespace mailroom::campaigns {

namespace {

// Other programs' rows of somebody are looked for once more before they count as gone: an address
// that changes takes them along one after the other.
constexpr auto missed_pause = std::chrono::minutes(10);
constexpr auto broken_pause = std::chrono::hours(1);  // A segment that is not there, perhaps.

people::MailKind kind_of(const Definition& definition) {
    return definition.transactional ? people::Stream::transactional : people::Stream::bulk;
}

// Mails that were given to the outbox and are not in the account of what was sent yet.
void add_given(std::vector<SentMail>& sent, const std::vector<GivenMail>& given) {
    for (const auto& mail : given) {
        const bool is_known = std::ranges::any_of(sent, [&](const SentMail& one) {
            return one.template_key == mail.template_key && one.time >= mail.time;
        });
        if (!is_known) sent.push_back({mail.time, mail.template_key});
    }
}

}  // namespace

// One look at one person, and what follows from it.
class SequenceRunner::Turn {
public:
    Turn(const SequenceRunner& runner, schedule::Job& job, Execution execution)
        : runner_(runner), job_(job), execution_(std::move(execution)) {}

    Result<> take() {
        if (execution_.state == Execution::State::paused) return drop();
        if (!TRY(runner_.executions_.is_known_to_others(execution_))) return missed();
        execution_.missed_since.reset();
        auto version =
            runner_.sequences_.require_version(execution_.sequence, execution_.sequence_version);
        if (!version) return broken(version.error());
        auto plan = runner_.sequences_.plan_of(version->definition);
        if (!plan) return broken(plan.error());
        TRY(look());
        return go_on(*plan);
    }
    // It is of no use any more.
    Result<> drop() {
        schedule::Transaction together;
        job_.finish(together);
        return commit(together);
    }

private:
    Time now() const { return known_.now; }
    Result<> commit(const schedule::Transaction& together) {
        const auto committed = runner_.books_.schedule.commit(together);
        return committed ? Result<>(Ok{}) : Result<>(static_cast<Error>(committed.error()));
    }
    Result<> missed() {
        known_.now = runner_.books_.clock.now();
        if (execution_.missed_since && now() >= *execution_.missed_since + missed_pause) {
            return end("stopped", "its row was taken away by another program");
        }
        if (!execution_.missed_since) execution_.missed_since = now();
        schedule::Transaction together;
        move(together, *execution_.missed_since + missed_pause);
        return commit(together);
    }
    // What cannot be read now may be put right; what is not there cannot.
    Result<> broken(const Refusal& why) {
        known_.now = runner_.books_.clock.now();
        if (why.kind == Refusal::Kind::not_found) return end("failed", why.text());
        if (why.kind != Refusal::Kind::invalid) return static_cast<Error>(why);
        log::warn("a sequence waits", {{"sequence", execution_.sequence}, {"reason", why.text()}});
        return settle(Sleep{now() + broken_pause, now() + broken_pause, Sleep::Why::retry});
    }

    Result<> look() {
        auto facts = TRY(facts_of(runner_.people_.books(), execution_.address));
        known_.now = runner_.books_.clock.now();
        if (facts.profile) known_.profile = TRY(people::read_profile(*facts.profile));
        known_.activity = facts.activity;
        sent_ = std::move(facts.sent);
        add_given(sent_, execution_.given);
        journey_ = {execution_.id, execution_.sequence_version, execution_.address,
                    execution_.data.value};
        return Ok{};
    }
    void answer(const LookUp& wish) {
        if (wish.what == LookUp::What::was_sent) {
            known_.was_sent[wish.template_key] =
                std::ranges::find(sent_, wish.template_key, &SentMail::template_key) != sent_.end();
            return;
        }
        known_.mails.emplace();
        for (const auto& mail : sent_) {
            if (mail.time > wish.since) known_.mails->push_back(mail.time);
        }
    }

    Result<> go_on(const Plan& plan) {
        known_.clock = clock_of(known_.profile, plan.definition(), *runner_.zones_);
        for (;;) {
            const auto before = execution_.standing;
            auto progress = next(plan, journey_, before, known_);
            execution_.standing = std::move(progress.standing);
            if (const auto* wish = std::get_if<LookUp>(&progress.todo)) {
                answer(*wish);
                continue;
            }
            if (const auto* mail = std::get_if<SendMail>(&progress.todo)) {
                const auto kind = kind_of(plan.definition());
                const auto refused =
                    TRY(runner_.people_.suppressions().refusal(kind, execution_.address));
                if (refused) continue;  // Nothing is sent to them, and they go on.
                return send(plan.definition(), *mail, before);
            }
            return settle(progress.todo);
        }
    }
    Result<> settle(const decltype(Progress::todo)& todo) {
        if (const auto* const finish = std::get_if<Finish>(&todo)) {
            return end(name_of(finish->ending), finish->reason);
        }
        const auto& sleep = std::get<Sleep>(todo);
        execution_.until = sleep.target;
        schedule::Transaction together;
        runner_.executions_.rest_on(together, execution_);
        move(together, std::max(sleep.until, now()));
        return commit(together);
    }
    void move(schedule::Transaction& together, Time due) {
        // A job at the same moment would be the same job.
        if (due <= job_.due()) due = job_.due() + std::chrono::milliseconds(1);
        execution_.job_due = due;
        runner_.executions_.save(together, execution_);
        job_.move(together, due);
    }
    Result<> end(std::string_view ending, std::string_view reason) {
        schedule::Transaction together;
        TRY(runner_.executions_.add_end(together, execution_, ending, reason, ""));
        job_.finish(together);
        return commit(together);
    }

    Result<> send(const Definition& definition, const SendMail& mail, const Standing& before) {
        schedule::Transaction together;
        if (!TRY(runner_.mails_.has(mail.send_key))) {
            const auto added =
                runner_.mails_.add_to(together, {definition, mail, journey_, known_});
            if (!added) return failed(before, added.error().text());
            note(mail);
        }
        runner_.executions_.rest_on(together, execution_);
        execution_.until.reset();
        move(together, now());
        TRY(runner_.people_.suppressions().require_none(together, kind_of(definition),
                                                        execution_.address));
        return commit(together);
    }
    void note(const SendMail& mail) {
        auto& given = execution_.given;
        given.push_back({mail.template_key, now()});
        if (given.size() > Execution::given_max) given.erase(given.begin());
    }
    Result<> failed(const Standing& before, std::string_view reason) {
        auto progress = after_failure(before, now(), reason);
        execution_.standing = std::move(progress.standing);
        return settle(progress.todo);
    }

    const SequenceRunner& runner_;
    schedule::Job& job_;
    Execution execution_;
    Known known_;
    Journey journey_{"", 0, "", table::Value::null()};
    std::vector<SentMail> sent_;
};

SequenceRunner::SequenceRunner(const Books& books, const Sequences& sequences,
                               const Executions& executions, people::People& people,
                               SequenceMails& mails)
    : books_(books),
      sequences_(sequences),
      executions_(executions),
      people_(people),
      mails_(mails) {}

void SequenceRunner::run(schedule::Job& job) const {
    const auto address = job.data().text("address").value_or("");
    const auto sequence = job.data().text("sequence").value_or("");
    const auto done = [&]() -> Result<> {
        auto execution = TRY(executions_.find(address, sequence));
        const bool is_its_job =
            execution && execution->id == job.key() && execution->job_due == job.due();
        Turn turn(*this, job, is_its_job ? *std::move(execution) : Execution());
        if (!is_its_job) return turn.drop();
        return turn.take();
    }();
    if (done || done.error().code == Errc::conflict) return;  // Somebody else was faster.
    log::warn("a sequence waits", {{"sequence", sequence}, {"reason", done.error().message}});
}

}  // namespace mailroom::campaigns
