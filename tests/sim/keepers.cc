#include "sim/keepers.h"

#include "base/base64.h"
#include "base/time_format.h"
#include "sim/clients.h"
#include "sim/engaged.h"

#include <algorithm>
#include <array>
#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr int tries_max = 200;
constexpr auto look_pause = 1min;
constexpr std::uint64_t tags_max = 120;  // More than a transaction holds.

bool is_ok(const http::Response& answer) { return answer.status >= 200 && answer.status < 300; }

bool is_for_now(const http::Response& answer) {
    return answer.status >= 500 || answer.status == 429 ||
           answer.body.find("in_progress") != std::string::npos;
}

}  // namespace

void Keepers::act() {
    switch (events_.chance.below(7)) {
        case 0:
        case 1:
            return import_file();
        case 2:
            return change_address();
        case 3:
            return merge();
        default:
            return tell();
    }
}

void Keepers::act_again() {
    if (last_) front_.ask(last_->request, [](const std::optional<http::Response>&) {});
}

void Keepers::give(http::Request request, std::function<void(const http::Response&)> heard) {
    request.headers.emplace_back("Idempotency-Key", "errand-" + std::to_string(++requests_));
    last_ = std::make_shared<Errand>(Errand{std::move(request), std::move(heard)});
    ask(last_);
}

void Keepers::ask(const Given& errand) {
    front_.ask(errand->request, [this, errand](const std::optional<http::Response>& answer) {
        if (answer && !is_for_now(*answer)) return errand->heard(*answer);
        if (++errand->tries > tries_max) return;
        events_.after(events_.chance.between(1s, 10min), [this, errand] { ask(errand); });
    });
}

void Keepers::import_file() {
    auto& chance = events_.chance;
    std::string file = "email,tags,unsubscribed,round\n";
    std::vector<std::string> leaving;
    for (std::uint64_t i = 0; i < addresses_max + fans_max; ++i) {
        if (chance.one_in(3)) continue;
        const auto address = i < addresses_max ? address_of(i) : fan_of(i - addresses_max);
        file += address + ",\"";
        const auto tags = chance.one_in(8) ? tags_max : chance.below(6);
        for (std::uint64_t tag = 0; tag < tags; ++tag) file += "t" + std::to_string(tag) + ",";
        const bool leaves = chance.one_in(6);
        if (leaves) leaving.push_back(address);
        file += std::string("\",") + (leaves ? "yes" : "") + "," + std::to_string(requests_) + "\n";
    }
    const auto since = judge_.moment();
    judge_.asked_for_import();
    give(request_of("POST", "/v1/people/import", std::move(file), {{"Content-Type", "text/csv"}}),
         [this, leaving, since](const http::Response& answer) {
             const auto id = fields_of(answer.body).text("id");
             if (answer.status != 202 || id.empty()) {
                 return judge_.complain("a file was refused: " + answer.body);
             }
             events_.note("takes in the file " + id);
             judge_.import_acknowledged(id);
             wait_for(id, leaving, since);
         });
}

void Keepers::wait_for(const std::string& id, const std::vector<std::string>& leaving,
                       std::uint64_t since) {
    front_.ask(request_of("GET", "/v1/people/import/" + id),
               [this, id, leaving, since](const std::optional<http::Response>& answer) {
                   const bool is_done =
                       answer && is_ok(*answer) && fields_of(answer->body).text("state") == "done";
                   if (!is_done) {
                       return events_.after(look_pause, [this, id, leaving, since] {
                           wait_for(id, leaving, since);
                       });
                   }
                   events_.note("the file " + id + " is taken in");
                   for (const auto& address : leaving) {
                       judge_.suppressed_since(address, people::Stream::bulk, since);
                       events_.after(events_.chance.between(1min, 12h),
                                     [this, address] { operators_.want_again(address); });
                   }
               });
}

void Keepers::change_address() {
    auto& chance = events_.chance;
    const auto from = address_of(chance.below(addresses_max));
    // Mostly nobody's: the old address is one that anybody may come with later.
    const auto to = chance.one_in(4) ? address_of(chance.below(addresses_max))
                                     : "new-" + std::to_string(++requests_) + "@peer.example";
    give(request_of("POST", "/v1/people/" + from + "/change-address", R"({"to":")" + to + "\"}"),
         [this, from, to](const http::Response& answer) {
             if (!is_ok(answer) || from == to) return;
             events_.note(from + " is " + to + " from now on");
         });
}

void Keepers::merge() {
    auto& chance = events_.chance;
    const auto to = address_of(chance.below(addresses_max));
    const auto other = address_of(chance.below(addresses_max));
    const auto since = judge_.moment();
    const bool refuses = judge_.surely_refuses(other, people::Stream::bulk);
    give(request_of("POST", "/v1/people/" + to + "/merge", R"({"other":")" + other + "\"}"),
         [this, to, other, since, refuses](const http::Response& answer) {
             if (!is_ok(answer)) return;
             events_.note(other + " is a part of " + to);
             if (refuses) judge_.suppressed_since(to, people::Stream::bulk, since, other);
         });
}

void Keepers::tell() {
    static constexpr std::array<const char*, 5> kinds = {"Open", "Open", "Click", "Bounce",
                                                         "SpamComplaint"};
    auto& chance = events_.chance;
    const auto address = fan_of(chance.below(fans_max));
    const std::string kind = kinds[chance.below(kinds.size())];
    const bool is_about_us = kind == "Bounce" || kind == "SpamComplaint";
    auto body = R"({"RecordType":")" + kind + R"(","MessageID":")" + judge_.some_message(chance) +
                R"(","Recipient":")" + address + R"(","Email":")" + address +
                R"(","Type":"HardBounce","ID":7,"OriginalLink":"https://example.com/",)" +
                R"("ReceivedAt":")" + format_rfc3339(events_.now()) + R"(","BouncedAt":")" +
                format_rfc3339(events_.now()) + "\"}";
    const bool is_known = !told_.empty() && chance.one_in(3);
    if (is_known) body = chance.pick(told_);
    told_.push_back(body);
    const auto since = judge_.moment();
    const auto login =
        "Basic " + base64_encode(std::string(provider_user) + ":" + provider_password);
    give(request_of("POST", "/v1/notifications/postmark", std::move(body),
                    {{"Authorization", login}}),
         [this, address, since, is_new = is_about_us && !is_known](const http::Response& answer) {
             if (!is_ok(answer)) return judge_.complain("the provider was refused: " + answer.body);
             events_.note("the provider told of " + address);
             if (is_new) judge_.suppressed_since(address, std::nullopt, since);
             events_.after(events_.chance.between(1min, 12h),
                           [this, address] { operators_.lift(address); });
         });
}

}  // namespace mailroom::sim
