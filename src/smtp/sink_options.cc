#include "smtp/sink_options.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>

namespace mailroom::smtp {
namespace {

// Longer than any client waits.
constexpr auto delay_max = std::chrono::hours(1);

struct StepName {
    std::string_view name;
    Step step;
};
constexpr StepName step_names[] = {
    {"connect", Step::connect}, {"helo", Step::hello}, {"auth", Step::auth},   {"mail", Step::mail},
    {"rcpt", Step::rcpt},       {"data", Step::data},  {"end", Step::message},
};
constexpr std::string_view steps_to_choose = "connect, helo, auth, mail, rcpt, data or end";

std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

Error invalid(std::string message) { return Error{Errc::invalid, std::move(message)}; }

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
    Number number{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

Result<double> parse_rate(std::string_view text) {
    const auto wrong = invalid("the rate " + quoted(text) + " is not like 5% or 0.5%");
    if (!text.ends_with('%')) return wrong;
    const auto percent = parse_whole<double>(text.substr(0, text.size() - 1));
    if (!percent || !(*percent >= 0) || *percent > 100) return wrong;
    return *percent / 100;
}

Result<std::chrono::milliseconds> parse_time(std::string_view text) {
    const auto wrong = invalid("the time " + quoted(text) + " is not like 250ms or 2s");
    const auto unit = text.ends_with("ms") ? 2u : 1u;
    if (!text.ends_with('s') || text.size() <= unit) return wrong;
    const auto number = parse_whole<std::uint32_t>(text.substr(0, text.size() - unit));
    if (!number) return wrong;
    const std::chrono::milliseconds time(std::uint64_t{*number} * (unit == 2 ? 1 : 1000));
    if (time > delay_max) return invalid("the time " + quoted(text) + " is over an hour");
    return time;
}

// Splits at the first `separator`; the second part is none if there is no separator.
std::pair<std::string_view, std::optional<std::string_view>> split(std::string_view text,
                                                                   char separator) {
    const auto at = text.find(separator);
    if (at == text.npos) return {text, std::nullopt};
    return {text.substr(0, at), text.substr(at + 1)};
}

Result<> parse_where(SinkRule& rule, std::string_view text) {
    const auto [name, domain] = split(text, '@');
    const auto* found = std::ranges::find(step_names, name, &StepName::name);
    if (found == std::end(step_names)) {
        return invalid("there is no step " + quoted(name) + ": it is " +
                       std::string(steps_to_choose));
    }
    rule.step = found->step;
    if (!domain) return Ok{};
    const bool has_domain = rule.step == Step::mail || rule.step == Step::rcpt ||
                            rule.step == Step::data || rule.step == Step::message;
    if (!has_domain) return invalid("the step " + std::string(name) + " knows no domain");
    if (!is_domain(domain->starts_with("*.") ? domain->substr(2) : *domain)) {
        return invalid(quoted(*domain) + " is not a domain");
    }
    rule.domain = ascii_lower(*domain);
    return Ok{};
}

Result<> parse_refusal(SinkRule& rule, std::optional<std::string_view> what) {
    if (!what) return invalid("a refusal needs a code, as in rcpt=450:5%");
    const auto [code, rate] = split(*what, ':');
    const auto number = parse_whole<int>(code);
    if (!number || *number < 400 || *number > 599) {
        return invalid("the code " + quoted(code) + " is not between 400 and 599");
    }
    rule.code = *number;
    if (rate) rule.rate = TRY(parse_rate(*rate));
    return Ok{};
}

Result<> parse_delay(SinkRule& rule, std::optional<std::string_view> what) {
    if (!what) return invalid("a delay needs a time, as in rcpt=200ms");
    const auto [times, rate] = split(*what, ':');
    const auto [least, most] = split(times, '-');
    rule.delay_min = TRY(parse_time(least));
    rule.delay_max = rule.delay_min;
    if (most) rule.delay_max = TRY(parse_time(*most));
    if (rule.delay_max < rule.delay_min) {
        return invalid("the times " + quoted(times) + " are in the wrong order");
    }
    if (rate) rule.rate = TRY(parse_rate(*rate));
    return Ok{};
}

}  // namespace

std::string_view name_of(SinkRule::Kind kind) {
    switch (kind) {
        case SinkRule::Kind::refuse:
            return "refuse";
        case SinkRule::Kind::drop:
            return "drop";
        case SinkRule::Kind::stall:
            return "stall";
        case SinkRule::Kind::rubbish:
            return "rubbish";
        case SinkRule::Kind::delay:
            return "delay";
    }
    return "";
}

std::string_view name_of(Step step) {
    return std::ranges::find(step_names, step, &StepName::step)->name;
}

Result<SinkRule> parse_sink_rule(SinkRule::Kind kind, std::string_view text) {
    SinkRule rule;
    rule.kind = kind;
    const auto [where, what] = split(text, '=');
    TRY(parse_where(rule, where));
    switch (kind) {
        case SinkRule::Kind::refuse:
            TRY(parse_refusal(rule, what));
            break;
        case SinkRule::Kind::delay:
            TRY(parse_delay(rule, what));
            break;
        case SinkRule::Kind::drop:
        case SinkRule::Kind::stall:
        case SinkRule::Kind::rubbish:
            if (what) rule.rate = TRY(parse_rate(*what));
            break;
    }
    return rule;
}

}  // namespace mailroom::smtp
