#include "outbox/sending/doubt.h"

#include <algorithm>
#include <charconv>

namespace mailroom::outbox {
namespace {

constexpr std::string_view marks_name = "Marks";
constexpr std::string_view slate_name = "Slate";
constexpr std::string_view interruptions_name = "Interruptions";

constexpr std::string_view interrupted_text =
    "the server stopped while the mail was being handed over; it may have arrived";
constexpr std::string_view abandoned_text =
    "another program began to send the mail and never said what became of it; it may have arrived";

template <class Number>
bool read_number(std::string_view& rest, Number& number) {
    const auto* end = rest.data() + rest.size();
    const auto [stop, problem] = std::from_chars(rest.data(), end, number);
    if (problem != std::errc()) return false;
    rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
    return true;
}

// What is known of a recipient: nothing was offered, unless it says otherwise.
struct Known {
    bool is_offered = false;
    std::optional<Time> since;      // None: it is not known exactly.
    std::optional<int> taken_with;  // The reply's code: the server has answered for the mail.
};

// The slate may know better. False if a mark cannot be read.
bool add_marks(const schedule::Job& job, const Slate* slate, std::vector<Known>& recipients) {
    for (const auto& mark : job.marks()) {
        const auto offer = read_offer(mark);
        if (!offer) return false;
        const bool has_left =
            slate == nullptr || slate->has_left(job.lease(), offer->places.front()).value_or(true);
        if (!has_left) continue;
        for (const auto place : offer->places) {
            if (place >= recipients.size()) continue;
            recipients[place].is_offered = true;
            recipients[place].since = offer->at;
        }
    }
    return true;
}

// False if the slate of that claim is gone.
bool add_slate(const schedule::Job& job, const Slate* slate, std::vector<Known>& recipients) {
    for (std::size_t place = 0; place < recipients.size(); ++place) {
        const auto end = slate == nullptr ? std::nullopt : slate->end_of(job.lease(), place);
        if (!end) return false;
        if (end->fate == Slate::End::Fate::may_have_left) recipients[place].is_offered = true;
        if (end->fate == Slate::End::Fate::taken) recipients[place].taken_with = end->code;
    }
    return true;
}

// By place. None: nobody said.
std::optional<std::vector<Known>> known_of(const schedule::Job& job, const Slate* slate,
                                           std::size_t recipients) {
    const bool on_slate = job.data().boolean(slate_name).value_or(false);
    if (!on_slate && !job.data().boolean(marks_name).value_or(false)) return std::nullopt;
    std::vector<Known> known(recipients);
    if (!add_marks(job, on_slate ? nullptr : slate, known)) return std::nullopt;
    if (on_slate && !add_slate(job, slate, known)) return std::nullopt;
    return known;
}

smtp::Verdict verdict_on(const std::optional<Known>& known, const schedule::Job& job) {
    if (known && known->taken_with) {
        return {.outcome = smtp::Outcome::accepted,
                .stage = smtp::Stage::message,
                .code = *known->taken_with,
                .text = std::string(taken_text)};
    }
    if (known && !known->is_offered) return {.text = std::string(not_offered_text)};
    return {.outcome = smtp::Outcome::unknown,
            .stage = smtp::Stage::message,
            .text = std::string(job.interrupted() ? interrupted_text : abandoned_text)};
}

}  // namespace

std::string mark_of(const Offer& offer) {
    auto mark = std::to_string(to_unix_ms(offer.at));
    char separator = ' ';
    for (const auto place : offer.places) {
        mark += separator + std::to_string(place);
        separator = ',';
    }
    return mark;
}

std::optional<Offer> read_offer(std::string_view mark) {
    std::int64_t at_ms = 0;
    if (!read_number(mark, at_ms)) return std::nullopt;
    Offer offer{from_unix_ms(at_ms), {}};
    for (char separator = ' '; !mark.empty(); separator = ',') {
        std::size_t place = 0;
        if (mark.front() != separator) return std::nullopt;
        mark.remove_prefix(1);
        if (!read_number(mark, place)) return std::nullopt;
        offer.places.push_back(place);
    }
    if (offer.places.empty()) return std::nullopt;
    return offer;
}

table::Item interrupted_data(std::int64_t interruptions) {
    table::Item data;
    if (interruptions > 0) data.set(interruptions_name, interruptions);
    return data;
}

table::Item claim_data(std::int64_t interruptions, OffersIn offers) {
    auto data = interrupted_data(interruptions);
    // An older program does not know the slate, and must not read that nothing is marked.
    data.set(offers == OffersIn::slate ? slate_name : marks_name, true);
    return data;
}

std::int64_t interruptions_of(const schedule::Job& job) {
    return job.data().integer(interruptions_name).value_or(0);
}

std::optional<smtp::Delivery> doubts_about(const schedule::Job& job, const Slate* slate,
                                           Mail& mail) {
    const auto known = known_of(job, slate, mail.recipients.size());
    smtp::Delivery delivery;
    bool any = false;
    for (std::size_t i = 0; i < mail.recipients.size(); ++i) {
        auto& recipient = mail.recipients[i];
        if (recipient.state != Recipient::State::waiting) continue;
        const auto mine = known ? std::optional((*known)[i]) : std::nullopt;
        auto verdict = verdict_on(mine, job);
        if (verdict.outcome != smtp::Outcome::refused_for_now) any = true;
        if (verdict.outcome == smtp::Outcome::unknown && !recipient.doubtful_since) {
            recipient.doubtful_since = mine ? mine->since.value_or(mail.updated) : mail.updated;
        }
        delivery.recipients.push_back({recipient.address, std::move(verdict)});
    }
    if (!any) return std::nullopt;
    return delivery;
}

void note_doubts(const smtp::Delivery& delivery, Time now, Mail& mail) {
    auto answer = delivery.recipients.begin();
    for (auto& recipient : mail.recipients) {
        if (recipient.state != Recipient::State::waiting) continue;
        if (answer == delivery.recipients.end()) return;
        const auto outcome = (answer++)->verdict.outcome;
        if (outcome == smtp::Outcome::unknown && !recipient.doubtful_since) {
            recipient.doubtful_since = now;
        }
    }
}

}  // namespace mailroom::outbox
