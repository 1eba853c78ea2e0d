// Which recipients of a mail may have got it, when the program that was handing it over has ended.
//
// The mail's job tells. Its claim says where offers of the message to somebody are written down,
// durably, before the end of the message leaves (claim_data()). Where no other node may need to
// know, that is the slate of the process that had the claim. Otherwise, and when the slate has no
// room, they are marks of the job:
//   mark := when " " place ("," place)*     milliseconds; recipients by their place in the mail
// So whoever is in neither has certainly not got it, and those that are may have. A claim that says
// nothing is an older program's: all who waited may have got the mail.
#pragma once

#include "base/clock.h"
#include "outbox/mail/mail.h"
#include "outbox/sending/slate.h"
#include "schedule/job.h"
#include "smtp/delivery.h"
#include "table/value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct Offer {
    Time at;
    std::vector<std::size_t> places;  // At least one.

    bool operator==(const Offer&) const = default;
};
std::string mark_of(const Offer& offer);
// None if it is no such mark.
std::optional<Offer> read_offer(std::string_view mark);

// The data of a job that was interrupted before anything was offered, so often in a row; and of its
// next claim, whose holder writes down its offers. Only claims say that: an older program may take
// the job.
enum class OffersIn { marks, slate };
table::Item interrupted_data(std::int64_t interruptions);
table::Item claim_data(std::int64_t interruptions, OffersIn offers);
std::int64_t interruptions_of(const schedule::Job& job);

inline constexpr std::string_view taken_text =
    "the mail was taken; the server stopped before it could write down what was said";
inline constexpr std::string_view not_offered_text =
    "the server stopped before the mail was offered; it is sent again";

// What is known of the recipients that are waiting, after the holder of `job` was interrupted:
// `unknown`; accepted, if the slate has that answer; or, if it was certainly not offered or not
// taken, refused for now. None if that is so of all. Writes to `mail` since when they may have it.
// The slate, if there is one, knows better than marks.
std::optional<smtp::Delivery> doubts_about(const schedule::Job& job, const Slate* slate,
                                           Mail& mail);

// The same for a mail whose answer is there: who is `unknown` may have it since now.
void note_doubts(const smtp::Delivery& delivery, Time now, Mail& mail);

}  // namespace mailroom::outbox
