#include "sim/operators.h"

#include "sim/clients.h"

#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;
using Answer = std::optional<http::Response>;

constexpr auto unheard_max = 10min;

bool is_ok(const Answer& answer) { return answer && answer->status >= 200 && answer->status < 300; }

}  // namespace

void Operators::act() {
    switch (events_.chance.below(8)) {
        case 0:
        case 1:
        case 2:
            return suppress();
        case 3:
            return lift();
        case 4:
            return decide_held();
        case 5:
            return retry_failed();
        case 6:
            return retry_dead();
        default:
            return pause();
    }
}

void Operators::keep_people() {
    // Often several do something about the same person at once.
    if (events_.chance.one_in(2)) kept_ = address_of(events_.chance.below(addresses_max));
    keep_the_same();
}

void Operators::keep_the_same() {
    const auto address = kept_;
    switch (events_.chance.below(7)) {
        case 0:
            return unsubscribe(address);
        case 1:
            return erase(address);
        case 2:
            return suppress(address);
        case 3:
            return want_again(address);
        default:
            return tag(address);
    }
}

void Operators::unsubscribe(const std::string& address) {
    front_.ask(request_of("POST", "/v1/people/" + address + "/unsubscribe", "{}"),
               [this, address](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   events_.note("unsubscribed " + address);
                   judge_.suppressed(address, people::Stream::bulk);
               });
}

void Operators::erase(const std::string& address) {
    front_.ask(request_of("DELETE", "/v1/people/" + address),
               [this, address](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   judge_.somebody_was_erased();
                   events_.note("erased " + address);
                   judge_.suppressed(address, std::nullopt);
                   events_.after(events_.chance.between(1min, 12h), [this, address] {
                       allow(request_of("DELETE", "/v1/suppressions/" + address), address);
                   });
               });
}

// Sometimes more than one transaction holds.
void Operators::tag(const std::string& address) {
    auto& chance = events_.chance;
    const auto tags = chance.one_in(4) ? 120 : chance.below(8);
    std::string body = R"({"firstName":"P","tags":[)";
    for (std::uint64_t i = 0; i < tags; ++i) {
        if (chance.one_in(3)) continue;
        if (body.back() != '[') body += ',';
        body += "\"t" + std::to_string(i) + "\"";
    }
    front_.ask(request_of("PUT", "/v1/people/" + address, body + "]}"), [](const Answer&) {});
}

// Whoever gets no answer may be heard later: by a node that stood still.
void Operators::allow(http::Request request, const std::string& address) {
    events_.note("asks that mail may go to " + address);
    judge_.may_be_lifted(address);
    front_.ask(std::move(request), [this, address](const Answer& answer) {
        events_.after(answer ? 0min : unheard_max,
                      [this, address] { judge_.lifting_is_over(address); });
    });
}

void Operators::suppress() {
    auto& chance = events_.chance;
    auto address = address_of(chance.below(addresses_max));
    if (chance.one_in(5)) address = "debtor-" + std::to_string(chance.below(5)) + "@debtor.example";
    suppress(address);
}

void Operators::suppress(const std::string& address) {
    auto& chance = events_.chance;
    std::optional<people::Stream> stream;
    if (chance.one_in(3)) stream = people::Stream::bulk;
    std::string body = R"({"address":")" + address + "\"";
    if (stream) body += R"(,"stream":"bulk")";
    front_.ask(request_of("POST", "/v1/suppressions", body + "}"),
               [this, address, stream](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   events_.note("suppressed " + address);
                   judge_.suppressed(address, stream);
                   events_.after(events_.chance.between(1min, 12h), [this, address] {
                       allow(request_of("DELETE", "/v1/suppressions/" + address), address);
                   });
               });
}

void Operators::lift() { lift(address_of(events_.chance.below(addresses_max))); }

void Operators::lift(const std::string& address) {
    allow(request_of("DELETE", "/v1/suppressions/" + address), address);
}

void Operators::want_again(const std::string& address) {
    allow(request_of("POST", "/v1/people/" + address + "/resubscribe", "{}"), address);
}

void Operators::decide_held() {
    front_.ask(request_of("GET", "/v1/emails?held=true&limit=100"), [this](const Answer& answer) {
        if (!is_ok(answer)) return;
        for (const auto& mail : items_of(answer->body)) {
            const auto id = mail.text("id");
            if (id.empty()) continue;
            if (events_.chance.one_in(2)) {
                events_.note("to be sent again: held " + id);
                judge_.decided_to_send_again(id);
                front_.ask(request_of("POST", "/v1/emails/" + id + "/retry"), [](const Answer&) {});
            } else {
                events_.note("it did arrive: held " + id);
                judge_.may_be_resolved(id);
                front_.ask(request_of("POST", "/v1/emails/" + id + "/resolve", R"({"as":"sent"})"),
                           [](const Answer&) {});
            }
        }
    });
}

void Operators::retry_failed() {
    const auto* state = events_.chance.one_in(2) ? "FAILED" : "FAILED-ACKNOWLEDGED";
    front_.ask(request_of("GET", std::string("/v1/emails?limit=5&state=") + state),
               [this](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   for (const auto& mail : items_of(answer->body)) {
                       const auto id = mail.text("id");
                       if (id.empty() || events_.chance.one_in(2)) continue;
                       judge_.decided_to_send_again(id);
                       front_.ask(request_of("POST", "/v1/emails/" + id + "/retry"),
                                  [](const Answer&) {});
                   }
               });
}

void Operators::retry_dead() {
    front_.ask(request_of("GET", "/v1/outbox/dead?queue=outbox.callback&limit=5"),
               [this](const Answer& answer) {
                   if (!is_ok(answer)) return;
                   for (const auto& job : items_of(answer->body)) {
                       front_.ask(request_of("POST", "/v1/outbox/dead/retry",
                                             R"({"queue":"outbox.callback","place":")" +
                                                 job.text("place") + "\"}"),
                                  [](const Answer&) {});
                   }
               });
}

void Operators::pause() {
    const auto way = events_.chance.below(3);
    const std::string scope = way == 0 ? "all" : way == 1 ? "stream:bulk" : "domain:debtor.example";
    front_.ask(request_of("POST", "/v1/outbox/pauses",
                          R"({"scope":")" + scope + R"(","reason":"to look at it"})"),
               [](const Answer&) {});
    events_.after(events_.chance.between(1s, 10h), [this, scope] { resume(scope); });
}

void Operators::resume(const std::string& scope) {
    events_.note("goes on: " + scope);
    front_.ask(request_of("DELETE", "/v1/outbox/pauses/" + scope), [](const Answer&) {});
}

void Operators::resume_all() {
    for (const auto* scope : {"all", "stream:bulk", "domain:debtor.example"}) resume(scope);
}

void Operators::clear_up() {
    resume_all();
    decide_held();
}

}  // namespace mailroom::sim
