#include "outbox/sending/doubt.h"

#include <algorithm>
#include <charconv>

namespace mailroom::outbox {
namespace {

constexpr std::string_view marks_name = "Marks";
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

// When each recipient was offered the mail, if it was. None: nobody said.
std::optional<std::vector<std::optional<Time>>> offers_in(const schedule::Job& job,
                                                          const Slate* slate,
                                                          std::size_t recipients) {
    if (!job.data().boolean(marks_name).value_or(false)) return std::nullopt;
    std::vector<std::optional<Time>> offered(recipients);
    for (const auto& mark : job.marks()) {
        const auto offer = read_offer(mark);
        if (!offer) return std::nullopt;
        const bool has_left =
            slate == nullptr || slate->has_left(job.lease(), offer->places.front()).value_or(true);
        if (!has_left) continue;
        for (const auto place : offer->places) {
            if (place < recipients) offered[place] = offer->at;
        }
    }
    return offered;
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

table::Item claim_data(std::int64_t interruptions) {
    auto data = interrupted_data(interruptions);
    data.set(marks_name, true);
    return data;
}

std::int64_t interruptions_of(const schedule::Job& job) {
    return job.data().integer(interruptions_name).value_or(0);
}

std::optional<smtp::Delivery> doubts_about(const schedule::Job& job, const Slate* slate,
                                           Mail& mail) {
    const auto offered = offers_in(job, slate, mail.recipients.size());
    const auto text = job.interrupted() ? interrupted_text : abandoned_text;
    smtp::Delivery delivery;
    bool any = false;
    for (std::size_t i = 0; i < mail.recipients.size(); ++i) {
        auto& recipient = mail.recipients[i];
        if (recipient.state != Recipient::State::waiting) continue;
        smtp::Verdict verdict{.text = std::string(not_offered_text)};
        if (!offered || (*offered)[i]) {
            any = true;
            verdict = {.outcome = smtp::Outcome::unknown,
                       .stage = smtp::Stage::message,
                       .text = std::string(text)};
            if (!recipient.doubtful_since) {
                recipient.doubtful_since = offered ? *(*offered)[i] : mail.updated;
            }
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
