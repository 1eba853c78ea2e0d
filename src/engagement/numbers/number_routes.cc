#include "engagement/numbers/number_routes.h"

#include "base/text.h"
#include "engagement/scopes.h"
#include "program/forms.h"

#include <optional>
#include <utility>

namespace mailroom::engagement {

namespace {

using namespace table::fields;
using program::Actor;

constexpr auto days_usual = std::chrono::days(29);  // With today: thirty.
constexpr std::size_t named_max = 1000;

struct Period {
    std::optional<Time> from, to;

    static constexpr auto fields = std::tuple{
        spelled<table::FromDayOrTime>(asked(
            "from", &Period::from, "A day or a time; the last thirty days, if it is not said.")),
        spelled<table::DayOrTime>(asked("to", &Period::to, "Today, if it is not said."))};
};

// Both ends, once it is known what time it is.
struct Span {
    Time from, to;
};
Answer<Span> span_of(const Period& period, Time now, std::size_t days_max) {
    const auto to = period.to.value_or(now);
    const auto from = period.from.value_or(to - days_usual);
    if (from > to) return Refusal::bad_field("from", "must not be later than to");
    if (to - from > std::chrono::days(days_max)) {
        return Refusal::bad_field(
            "from", "must be at most " + std::to_string(days_max) + " days before to");
    }
    return Span{from, to};
}

struct NumbersAsk {
    std::string template_key, sequence, domain;
    Period period;

    static constexpr auto fields = std::tuple{
        asked("template", &NumbersAsk::template_key, "Of mails made of this template."),
        asked("sequence", &NumbersAsk::sequence, "Of this sequence or broadcast."),
        asked("domain", &NumbersAsk::domain, "To people at this domain; not with the others."),
        part(&NumbersAsk::period)};
    static void check(const NumbersAsk& ask, table::Reading& reading) {
        if (!ask.domain.empty() && !(ask.template_key + ask.sequence).empty()) {
            reading.wrong_member("domain", "cannot be asked for with template or sequence");
        }
    }
};
struct Report {
    Figures total;
    std::vector<DayFigures> days;

    static constexpr std::string_view record_name = "EngagementReport";
    static constexpr auto fields =
        std::tuple{shown("total", &Report::total), shown("days", &Report::days, "Each of them.")};
};

struct NamedReport {
    std::vector<NamedFigures> items;

    static constexpr std::string_view record_name = "EngagementByName";
    static constexpr auto fields = std::tuple{
        shown("items", &NamedReport::items, "Those of which most was sent first, at most 1000.")};
};

struct MailAsk {
    std::string id;
    static constexpr auto fields = std::tuple{required("id", &MailAsk::id, "Of the mail.")};
};
struct MailReport {
    std::string id, email, template_key, sequence_id, subject, message_id;
    std::optional<Time> sent_at;
    Figures figures;

    static constexpr std::string_view record_name = "EngagementOfMail";
    static constexpr auto fields =
        std::tuple{shown("id", &MailReport::id),
                   shown_if_any("email", &MailReport::email, "Who got it, if it was one person."),
                   shown_if_any("templateKey", &MailReport::template_key),
                   shown_if_any("sequenceId", &MailReport::sequence_id),
                   shown_if_any("subject", &MailReport::subject),
                   shown_if_any("messageId", &MailReport::message_id),
                   shown_if_any("sentAt", &MailReport::sent_at),
                   part(&MailReport::figures)};
};

Answer<MailReport> report_on(MailFacts& facts, const std::string& id) {
    auto mail = TRY(facts.find(id));
    if (!mail) return Refusal::not_found("nothing is known of the mail " + id);
    return MailReport{.id = mail->id,
                      .email = std::move(mail->email),
                      .template_key = std::move(mail->template_key),
                      .sequence_id = std::move(mail->sequence_id),
                      .subject = std::move(mail->subject),
                      .message_id = std::move(mail->message_id),
                      .sent_at = mail->sent,
                      .figures = TRY(facts.figures(id))};
}

void add_named(program::Api& api, const Numbers& numbers, const Clock& clock, NumbersBy by,
               const program::About& about) {
    api.get("/v1/engagement/" + std::string(name_of(by)), about,
            [&numbers, &clock, by](const Period& in, const Actor&) -> Answer<NamedReport> {
                const auto span = TRY(span_of(in, clock.now(), Numbers::named_days_max));
                auto found = TRY(numbers.by_name(by, span.from, span.to));
                if (found.size() > named_max) found.resize(named_max);
                return NamedReport{std::move(found)};
            });
}

}  // namespace

void add_number_routes(program::Api& api, const Numbers& numbers, MailFacts& facts,
                       const Clock& clock) {
    api.group("Engagement", "What became of mails, and what people did with them.");
    api.get("/v1/engagement",
            {.name = "engagement",
             .scope = scope::events,
             .summary = "How many mails were sent, opened, clicked …, by day",
             .agents = program::Agents::may},
            [&](const NumbersAsk& in, const Actor&) -> Answer<Report> {
                const auto span = TRY(span_of(in.period, clock.now(), Numbers::days_max));
                Report report;
                report.days = TRY(numbers.by_day({.template_key = in.template_key,
                                                  .sequence_id = in.sequence,
                                                  .domain = ascii_lower(in.domain)},
                                                 span.from, span.to));
                for (const auto& day : report.days) report.total += day.figures;
                return report;
            });
    add_named(api, numbers, clock, NumbersBy::templates,
              {.name = "engagement_by_template",
               .scope = scope::events,
               .summary = "The same for each template",
               .agents = program::Agents::may});
    add_named(api, numbers, clock, NumbersBy::sequences,
              {.name = "engagement_by_sequence",
               .scope = scope::events,
               .summary = "The same for each sequence and broadcast",
               .agents = program::Agents::may});
    add_named(api, numbers, clock, NumbersBy::domains,
              {.name = "engagement_by_domain",
               .scope = scope::events,
               .summary = "The same for each domain that was written to",
               .agents = program::Agents::may});
    api.get("/v1/engagement/mails/{id}",
            {.name = "engagement_of_mail",
             .scope = scope::events,
             .summary = "The same of one mail",
             .agents = program::Agents::may,
             .refuses = {Refusal::Kind::not_found}},
            [&](const MailAsk& in, const Actor&) { return report_on(facts, in.id); });
}

}  // namespace mailroom::engagement
