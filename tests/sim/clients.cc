#include "sim/clients.h"

#include "base/time_format.h"

#include <algorithm>
#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr int tries_max = 12;
// An Idempotency-Key is remembered for a day, an id as long as its mail is kept.
constexpr auto repeats_of_key_within = 20h, repeats_of_id_within = 20 * 24h;

}  // namespace

std::string address_of(std::uint64_t number) {
    const auto name = std::to_string(number);
    return number % 7 == 6 ? "nobody" + name + "@peer.example" : "p" + name + "@peer.example";
}

std::string fan_of(std::uint64_t number) {
    return "fan-" + std::to_string(number) + "@peer.example";
}

Wish Clients::wish() {
    auto& chance = events_.chance;
    Wish wanted;
    wanted.is_engaged = chance.one_in(3);
    const auto count = chance.one_in(4) ? 1 + chance.below(3) : 1;
    while (wanted.recipients.size() < count) {
        auto address = wanted.is_engaged ? fan_of(chance.below(fans_max))
                                         : address_of(chance.below(addresses_max));
        if (std::ranges::find(wanted.recipients, address) == wanted.recipients.end()) {
            wanted.recipients.push_back(std::move(address));
        }
    }
    if (chance.one_in(3)) wanted.stream = people::Stream::bulk;
    wanted.callback = chance.one_in(2);
    return wanted;
}

std::string Clients::mail_text(int wish, const Wish& wanted, const std::string& id) {
    auto& chance = events_.chance;
    std::string text = "{";
    if (!id.empty()) text += R"("id":")" + id + R"(",)";
    text += R"("from":"shop@example.com","to":[)";
    for (const auto& address : wanted.recipients) {
        text += (text.back() == '[' ? "\"" : ",\"") + address + "\"";
    }
    text += R"(],"subject":"wish-)" + std::to_string(wish) + R"(.","text":"x","stream":")" +
            std::string(name_of(wanted.stream)) + "\"";
    if (wanted.callback) {
        text += R"(,"callback_url":"https://hook)" + std::to_string(chance.below(3)) +
                R"(.example/told")";
    }
    if (wanted.is_engaged) {
        text += R"(,"engagement":{"template_key":"hello","sequence_id":"s)" +
                std::to_string(chance.below(2)) + "\"}";
    }
    if (chance.one_in(8)) {
        const auto later = events_.now() + chance.between(1s, 72h);
        text += R"(,"send_at":")" + format_rfc3339(later) + "\"";
    }
    if (chance.one_in(8)) text += R"(,"attachments":[{"url":"https://files.example/a.pdf"}])";
    return text + "}";
}

void Clients::post() {
    auto& chance = events_.chance;
    auto post = std::make_shared<Post>();
    post->first = events_.now();
    const auto number = ++posts_;
    const auto way = chance.below(5);  // 0: neither a key nor an id; 1, 2: an id of its own.
    const bool has_id = way == 1 || way == 2, has_key = way > 2;
    post->is_repeatable = has_id || has_key;
    post->repeats_until = post->first + (has_id ? repeats_of_id_within : repeats_of_key_within);
    const auto count = has_key && chance.one_in(6) ? 2 + chance.below(4) : 1;
    std::string body;
    for (std::uint64_t i = 0; i < count; ++i) {
        auto wanted = wish();
        wanted.is_repeatable = post->is_repeatable;
        const auto wish_number = judge_.wished(wanted);
        post->wishes.push_back(wish_number);
        body += (body.empty() ? "" : ",") +
                mail_text(wish_number, wanted, has_id ? random_uuid(chance) : "");
    }
    if (count > 1) body = "[" + body + "]";
    std::vector<http::Header> headers;
    if (has_key) headers.emplace_back("Idempotency-Key", "key-" + std::to_string(number));
    post->request = request_of("POST", "/v1/emails", std::move(body), std::move(headers));
    if (post->is_repeatable) last_repeatable_ = post;
    ask(post);
}

void Clients::post_again() {
    const auto& post = last_repeatable_;
    if (post && events_.now() < post->repeats_until) ask(post);
}

void Clients::ask(const Posted& post) {
    ++post->tries;
    front_.ask(post->request,
               [this, post](const std::optional<http::Response>& answer) { hear(post, answer); });
}

void Clients::hear(const Posted& post, const std::optional<http::Response>& answer) {
    auto& chance = events_.chance;
    if (!answer) {
        // Whoever cannot ask again does not know what became of it.
        if (post->is_repeatable) ask_again(post, chance.between(100ms, 30s));
        return;
    }
    if (answer->status == 202) return hear_accepted(post, *answer);
    const bool is_for_now = answer->status >= 500 || answer->status == 429 ||
                            answer->body.find("in_progress") != std::string::npos;
    if (is_for_now) return ask_again(post, chance.between(1s, 60s));
    judge_.complain("a post of wish " + std::to_string(post->wishes.front()) +
                    " was refused: " + std::to_string(answer->status) + " " + answer->body);
}

void Clients::hear_accepted(const Posted& post, const http::Response& answer) {
    auto& chance = events_.chance;
    const auto& wishes = post->wishes;
    if (wishes.size() == 1) {
        const auto mail = fields_of(answer.body).text("id");
        events_.note("accepted wish " + std::to_string(wishes.front()) + " as " + mail);
        judge_.acknowledged(wishes.front(), mail);
        if (chance.one_in(20)) {
            events_.after(chance.between(0s, 60s), [this, mail] { cancel(mail); });
        }
    } else {
        const auto results = items_of(answer.body, "results");
        for (std::size_t i = 0; i < results.size() && i < wishes.size(); ++i) {
            const auto mail = results[i].text("id");
            if (!mail.empty()) judge_.acknowledged(wishes[i], mail);
        }
        events_.note("accepted a list of " + std::to_string(results.size()));
    }
    if (!post->is_repeatable || !chance.one_in(5)) return;
    ask_again(post, chance.between(0s, chance.one_in(3) ? 10 * 24h : 2h));
}

void Clients::ask_again(const Posted& post, std::chrono::milliseconds pause) {
    if (post->tries >= tries_max || events_.now() + pause > post->repeats_until) return;
    events_.after(pause, [this, post] { ask(post); });
}

void Clients::cancel(const std::string& mail) {
    judge_.may_be_cancelled(mail);
    front_.ask(request_of("POST", "/v1/emails/" + mail + "/cancel"),
               [](const std::optional<http::Response>&) {});
}

}  // namespace mailroom::sim
