#include "smtp/sink.h"

#include "base/log.h"
#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <functional>

namespace mailroom::smtp {
namespace {

// Neither an SMTP reply nor a whole line.
constexpr std::string_view rubbish_bytes = "\x01 HTTP/1.1 <<<<\xff\xfe 2xx \r\r\n25O OK";

bool matches(const std::string& pattern, std::string_view domain) {
    const auto lower = ascii_lower(domain);
    if (!pattern.starts_with("*.")) return lower == pattern;
    return lower.ends_with(std::string_view(pattern).substr(1));
}

// The code tells the class; the step tells the rest as well as can be guessed.
EnhancedStatus status_for(Step step, int code) {
    const int category = code / 100;
    if (step == Step::rcpt && code == 452) return {4, 2, 2};
    if (step == Step::rcpt && category == 5) return {5, 1, 1};
    if (step == Step::mail && category == 5) return {5, 1, 8};
    if (step == Step::auth) return {category, 7, 8};
    return {category, 7, 1};
}

Decision refusal(Step step, int code) {
    auto decision = Decision::refuse(code, status_for(step, code), "Refused by the rehearsal sink");
    // RFC 5321, 3.8: 421 says that the connection ends.
    if (code == 421) decision.after = Decision::After::close;
    return decision;
}

// SplitMix64's last steps: every bit of the input changes every bit of the output.
std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// The same on every machine, unlike std::hash (FNV-1a).
std::uint64_t hash_text(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

double as_fraction(std::uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-53; }

std::string_view sender_text(const Envelope& envelope) {
    return envelope.recipients.empty() ? std::string_view() : envelope.recipients.front().text;
}

Decision of_kind(Decision::Kind kind) {
    Decision decision;
    decision.kind = kind;
    if (kind == Decision::Kind::raw) decision.raw = rubbish_bytes;
    return decision;
}

std::optional<int> number_after(std::string_view prefix, std::string_view text) {
    if (!text.starts_with(prefix)) return std::nullopt;
    text.remove_prefix(prefix.size());
    int number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool ends = end == text.data() + text.size() || *end == '+';
    if (failure != std::errc() || !ends) return std::nullopt;
    return number;
}

}  // namespace

std::optional<Decision> decision_in_address(std::string_view text) {
    constexpr int delay_ms_max = 600'000;
    const auto local = ascii_lower(text);
    const auto word = std::string_view(local).substr(0, std::min(local.find('+'), local.size()));
    if (word == "drop") return of_kind(Decision::Kind::hang_up);
    if (word == "stall") return of_kind(Decision::Kind::stall);
    if (word == "rubbish") return of_kind(Decision::Kind::raw);
    const auto code = number_after("bounce-", local);
    if (code && *code >= 400 && *code <= 599) return refusal(Step::rcpt, *code);
    const auto delay = number_after("delay-", local);
    if (!delay || *delay < 0 || *delay > delay_ms_max) return std::nullopt;
    Decision decision;
    decision.delay = std::chrono::milliseconds(*delay);
    return decision;
}

ServerSettings sink_settings(const SinkOptions& options) {
    ServerSettings settings;
    if (options.credentials) {
        settings.auth = AuthPolicy::required;
        settings.auth_without_tls = true;
    }
    auto& limits = settings.limits;
    limits.connections_max = limits.connections_per_address_max = 10'000;
    limits.refusals_max = limits.auth_failures_max = limits.commands_max = SIZE_MAX;
    return settings;
}

Sink::Sink(SinkOptions options) : options_(std::move(options)) {}

SinkCounts Sink::counts() const {
    const std::lock_guard lock(mutex_);
    return counts_;
}

double Sink::draw(std::size_t rule, Step step, std::string_view subject,
                  std::uint64_t attempt) const {
    auto bits = mix(options_.seed);
    bits = mix(bits ^ rule);
    bits = mix(bits ^ static_cast<std::uint64_t>(step));
    bits = mix(bits ^ hash_text(subject));
    return as_fraction(mix(bits ^ attempt));
}

bool Sink::fires(const SinkRule& rule, std::size_t index, const Subject& subject,
                 std::uint64_t attempt) const {
    if (rule.domain) {
        const bool any = subject.paths && std::ranges::any_of(*subject.paths, [&](const Path& p) {
                             return matches(*rule.domain, p.domain);
                         });
        if (!any) return false;
    }
    return draw(index, rule.step, subject.text, attempt) < rule.rate;
}

Decision Sink::decide(Step step, const Subject& subject) {
    const auto key = mix(hash_text(subject.text) ^ mix(static_cast<std::uint64_t>(step)));
    const auto attempt = options_.rules.empty() ? 0 : attempts_[key]++;
    Decision decision;
    for (std::size_t i = 0; i < options_.rules.size(); ++i) {
        const auto& rule = options_.rules[i];
        const bool decided = decision.kind != Decision::Kind::accept;
        const bool is_delay = rule.kind == SinkRule::Kind::delay;
        if (rule.step != step || (decided && !is_delay)) continue;
        if (!fires(rule, i, subject, attempt)) continue;
        auto delay = decision.delay;
        switch (rule.kind) {
            case SinkRule::Kind::refuse:
                decision = refusal(step, rule.code);
                break;
            case SinkRule::Kind::drop:
                decision = of_kind(Decision::Kind::hang_up);
                break;
            case SinkRule::Kind::stall:
                decision = of_kind(Decision::Kind::stall);
                break;
            case SinkRule::Kind::rubbish:
                decision = of_kind(Decision::Kind::raw);
                break;
            case SinkRule::Kind::delay: {
                const auto span = static_cast<double>((rule.delay_max - rule.delay_min).count());
                const auto more = draw(~i, step, subject.text, attempt) * span;
                delay += rule.delay_min + std::chrono::milliseconds(static_cast<int>(more));
                break;
            }
        }
        decision.delay = delay;
    }
    return decision;
}

void Sink::note(Step step, const Decision& decision) {
    auto& at = counts_.at(step);
    if (decision.delay.count() > 0) ++at.delayed;
    switch (decision.kind) {
        case Decision::Kind::accept:
            ++at.accepted;
            break;
        case Decision::Kind::refuse:
            ++at.refused[decision.reply->code];
            break;
        case Decision::Kind::hang_up:
            ++at.dropped;
            break;
        case Decision::Kind::stall:
            ++at.stalled;
            break;
        case Decision::Kind::raw:
            ++at.rubbish;
            break;
    }
}

void Sink::connected(const Peer&, Answer answer) {
    std::unique_lock lock(mutex_);
    ++counts_.open;
    // Connections are alike: the dice of the nth are those of the nth.
    const auto number = std::to_string(counts_.connections++);
    auto decision = decide(Step::connect, {number, nullptr});
    note(Step::connect, decision);
    lock.unlock();
    answer(std::move(decision));
}

void Sink::hello(const Peer& peer, Answer answer) {
    std::unique_lock lock(mutex_);
    auto decision = decide(Step::hello, {peer.hello, nullptr});
    note(Step::hello, decision);
    lock.unlock();
    answer(std::move(decision));
}

void Sink::authenticate(const Peer&, const Credentials& credentials, Answer answer) {
    std::unique_lock lock(mutex_);
    auto decision = decide(Step::auth, {credentials.user, nullptr});
    const auto& wanted = options_.credentials;
    const bool known =
        wanted && wanted->user == credentials.user && wanted->password == credentials.password;
    if (decision.kind == Decision::Kind::accept && !known) decision = refusal(Step::auth, 535);
    note(Step::auth, decision);
    lock.unlock();
    answer(std::move(decision));
}

void Sink::sender(const Peer&, const Envelope& envelope, Answer answer) {
    std::unique_lock lock(mutex_);
    std::vector<Path> paths;
    if (envelope.sender) paths.push_back(*envelope.sender);
    const std::string_view text = paths.empty() ? "" : std::string_view(paths.front().text);
    auto decision = decide(Step::mail, {text, &paths});
    note(Step::mail, decision);
    lock.unlock();
    answer(std::move(decision));
}

void Sink::recipient(const Peer&, const Envelope&, const Path& recipient, Answer answer) {
    std::unique_lock lock(mutex_);
    const std::vector<Path> paths{recipient};
    auto decision = decide(Step::rcpt, {recipient.text, &paths});
    if (options_.obey_addresses) {
        if (auto asked = decision_in_address(recipient.local)) decision = *std::move(asked);
    }
    note(Step::rcpt, decision);
    lock.unlock();
    answer(std::move(decision));
}

void Sink::data(const Peer&, const Envelope& envelope, Answer answer) {
    std::unique_lock lock(mutex_);
    auto decision = decide(Step::data, {sender_text(envelope), &envelope.recipients});
    note(Step::data, decision);
    lock.unlock();
    answer(std::move(decision));
}

void Sink::take(Message message, Answer answer) {
    std::unique_lock lock(mutex_);
    auto decision =
        decide(Step::message, {sender_text(message.envelope), &message.envelope.recipients});
    note(Step::message, decision);
    if (decision.kind != Decision::Kind::refuse) {
        seen_.note(message, counts_);
        const bool told = decision.kind == Decision::Kind::accept;
        ++(told ? counts_.mails : counts_.unknown);
        const auto connection = message.peer.address + ' ' + std::to_string(message.peer.port);
        if (told && senders_.insert(connection).second) ++counts_.sessions;
        if (options_.store) store(message);
    }
    lock.unlock();
    answer(std::move(decision));
}

void Sink::ended(const Peer& peer) {
    const std::lock_guard lock(mutex_);
    --counts_.open;
    senders_.erase(peer.address + ' ' + std::to_string(peer.port));
}

// On the I/O thread, and without a sync: a rehearsal's mails are no treasure.
void Sink::store(const Message& message) const {
    const auto path = *options_.store / (message.id + ".eml");
    std::ofstream file(path, std::ios::binary);
    file << "Return-Path: <" << (message.envelope.sender ? message.envelope.sender->text : "")
         << ">\r\n";
    for (const auto& recipient : message.envelope.recipients) {
        file << "Delivered-To: " << recipient.text << "\r\n";
    }
    file << message.received << message.data;
    if (!file.flush()) log::warn("a mail could not be written", {{"file", path.string()}});
}

}  // namespace mailroom::smtp
