#include "sim/peer.h"

#include <algorithm>
#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;
using smtp::Outcome;
using smtp::Stage;
using smtp::Verdict;

constexpr auto answer_time_max = 10min;  // Of the sender's patience after the final dot.
constexpr auto greeting_time_max = 5min;

Verdict verdict(Outcome outcome, Stage stage, int code, const std::string& text) {
    return {.outcome = outcome, .stage = stage, .code = code, .text = text};
}

// Who never has an account.
bool is_nobody(const std::string& address) { return address.starts_with("nobody"); }

}  // namespace

void Peer::after(std::chrono::milliseconds pause, const Open& session, void (Peer::*step)(Open)) {
    events_.after(pause, [this, watch = Watch(session), step] {
        // A session that is open keeps its peer.
        auto open = watch.lock();
        if (!open) return;
        const auto awake = awake_at_();
        if (awake <= events_.now()) return (this->*step)(std::move(open));
        after(awake - events_.now(), open, step);
    });
}

void Peer::send(outbox::Outgoing mail, Done done) {
    events_.note("peer meets " + mail.id);
    auto session = std::make_shared<Session>(Session{std::move(mail), std::move(done), {}, {}});
    session->verdicts.resize(session->mail.recipients.size());
    sessions_.push_back(session);
    if (ends_early(session)) return;
    after(events_.chance.between(1ms, 300ms), session, &Peer::hear_recipients);
}

bool Peer::ends_early(const Open& session) {
    auto& chance = events_.chance;
    if (chance.of_thousand(manners_.unreachable)) {
        refuse_all(session, Stage::connect, 0, "no connection");
        after(chance.between(1ms, 30s), session, &Peer::finish);
        return true;
    }
    if (chance.of_thousand(manners_.silent)) {
        refuse_all(session, Stage::greeting, 0, "nothing was said");
        after(greeting_time_max, session, &Peer::finish);
        return true;
    }
    if (chance.of_thousand(manners_.turns_away)) {
        refuse_all(session, Stage::greeting, 421, "too busy");
        after(chance.between(1ms, 2s), session, &Peer::finish);
        return true;
    }
    return false;
}

void Peer::refuse_all(const Open& session, Stage stage, int code, const std::string& text) {
    for (auto& one : session->verdicts) {
        one = verdict(Outcome::refused_for_now, stage, code, text);
    }
}

void Peer::hear_recipients(Open session) {
    auto& chance = events_.chance;
    session->offered.clear();
    for (std::size_t i = 0; i < session->verdicts.size(); ++i) {
        if (is_nobody(session->mail.recipients[i])) {
            session->verdicts[i] =
                verdict(Outcome::refused_for_good, Stage::recipient, 550, "no such user");
        } else if (chance.of_thousand(manners_.greylists)) {
            session->verdicts[i] =
                verdict(Outcome::refused_for_now, Stage::recipient, 450, "greylisted");
        } else {
            session->offered.push_back(i);
        }
    }
    if (session->offered.empty()) return finish(std::move(session));
    if (chance.of_thousand(manners_.drops_before_dot)) {
        settle(session, session->offered,
               verdict(Outcome::refused_for_now, Stage::message, 0, "the connection ended"));
        return finish(std::move(session));
    }
    offer(std::move(session));
}

void Peer::offer(Open session) {
    if (!session->mail.before_end) return end_message(std::move(session));
    // What the asked one keeps must not keep the session.
    session->mail.before_end(
        session->offered, [this, watch = Watch(session)](const smtp::Leave& leave) {
            auto open = watch.lock();
            if (!open) return;
            if (!leave) {
                settle(open, open->offered,
                       verdict(Outcome::refused_for_now, Stage::check, 0, "not to leave"));
                return after(1ms, open, &Peer::finish);
            }
            open->leave = leave;
            after(events_.chance.between(0ms, 40ms), open, &Peer::ask_to_leave);
        });
}

void Peer::ask_to_leave(Open session) {
    if (session->leave()) return end_message(std::move(session));
    settle(session, session->offered,
           verdict(Outcome::refused_for_now, Stage::check, 0, "not to leave"));
    finish(std::move(session));
}

// The dot is on its way. If the process is killed now, it may still arrive.
void Peer::end_message(Open session) {
    session->has_ended = true;
    auto& chance = events_.chance;
    auto answer = Answer::taken;
    if (chance.of_thousand(manners_.refuses_message)) answer = Answer::refused;
    if (chance.of_thousand(manners_.defers_message)) answer = Answer::deferred;
    if (chance.of_thousand(manners_.drops_after_dot)) answer = Answer::lost;
    if (chance.of_thousand(manners_.never_answers)) answer = Answer::none;
    arrive(session, answer);
}

void Peer::arrive(const Open& session, Answer answer) {
    auto& chance = events_.chance;
    const auto& mail = session->mail;
    const bool is_unheard = answer == Answer::lost || answer == Answer::none;
    const bool is_taken = answer == Answer::taken || (is_unheard && chance.one_in(2));
    events_.note("peer hears the end of " + mail.id + (is_taken ? ", and takes it" : ""));
    for (const auto i : session->offered) {
        if (is_taken) judge_.received(mail.id, mail.recipients[i], mail.message);
        if (is_unheard) judge_.doubtful(mail.id, mail.recipients[i]);
    }
    auto pause = chance.between(1ms, 500ms);
    if (chance.of_thousand(manners_.slow)) pause = chance.between(1s, answer_time_max);
    if (answer == Answer::none) pause = answer_time_max;
    const auto said = answer == Answer::taken
                          ? verdict(Outcome::accepted, Stage::message, 250, "ok")
                      : answer == Answer::refused
                          ? verdict(Outcome::refused_for_good, Stage::message, 554, "spam")
                      : answer == Answer::deferred
                          ? verdict(Outcome::refused_for_now, Stage::message, 451, "later")
                          : verdict(Outcome::unknown, Stage::message, 0, "no answer came");
    settle(session, session->offered, said);
    after(pause, session, &Peer::finish);
}

void Peer::settle(const Open& session, const std::vector<std::size_t>& of, const Verdict& said) {
    for (const auto i : of) session->verdicts[i] = said;
}

void Peer::finish(Open session) {
    sessions_.remove(session);
    smtp::Delivery delivery{.recipients = {}, .peer = "192.0.2.1:25"};
    for (std::size_t i = 0; i < session->verdicts.size(); ++i) {
        delivery.recipients.push_back({session->mail.recipients[i], session->verdicts[i]});
    }
    session->mail.before_end = {};
    session->leave = {};
    auto done = std::exchange(session->done, nullptr);
    session.reset();
    done(std::move(delivery));
}

void Peer::forget_all() {
    for (const auto& session : sessions_) {
        if (!session->has_ended) continue;
        for (const auto i : session->offered) {
            judge_.doubtful(session->mail.id, session->mail.recipients[i]);
        }
    }
    std::list<Open> dropped;
    dropped.swap(sessions_);
}

}  // namespace mailroom::sim
