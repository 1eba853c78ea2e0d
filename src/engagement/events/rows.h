// The rows of the account: the only place that knows their names.
//
// EmailEvents (the seed's; other programs read it, and may write it)
//   SUB#{canonical address}   EVT#{time}#{type}[#{tail}]
//                    eventType, templateKey, sequenceId, subject, sesMessageId, timestamp S
//                    linkUrl, userAgent (open, click), body (reply) S   ttl N (Unix seconds)
//                    and ours: eventId, mailroomMailId, machineReason, reason, feedbackType,
//                    bounceType, bounceSeverity, bounceSubclass, diagnostic, provider,
//                    notificationId S   machine BOOL
//   The tail tells two happenings of one type and millisecond apart. templateKey and sequenceId are
//   keys of indexes: they are left out where they are empty.
//   indexes          TemplateIndex (templateKey, SK; all)   SequenceIndex (sequenceId, SK; all)
// Audience (the seed's)
//   SUB#{address}    SENT#{time}[#{tail}]   templateKey, sequenceId, subject, sesMessageId S
//                    ttl N; ours: mailroomMailId S
//   STATS#{sequence} COUNTERS   sequenceId, updatedAt S; an N of each count (numbers/counts.h)
// MailroomEngagement (hidden; ttl N in each but for the numbers)
//   MAIL#{mail id}   MAIL          what is kept of a mail (facts.h), and an N of each count
//   MAIL#{mail id}   BY#{address}  Ms N of the first of each type by that person
//   MID#{Message-ID} MAIL          Mail S
//   DONE#{digest}    DONE          a happening that was noted
//   STATS#{shard}    {sequence}    counts that are to come to COUNTERS (numbers/sequence_counts.h)
//   SOFT#{shard}     {address}     mails in a row that did not arrive (streaks.h)
//   FAULTS#{stream}#{hour}  {mail} mails refused because of us (bounces/faults.h)
//   NUMBERS#{day}#{shard}   {what}#{name}   an N of each count, to be summed (numbers/counts.h)
// On disk: never change.
#pragma once

#include "base/clock.h"
#include "engagement/events/happening.h"
#include "table/own_tables.h"
#include "table/value.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace mailroom::engagement::rows {

inline constexpr std::string_view partition_key = "PK", sort_key = "SK", expiry = "ttl";
inline constexpr std::string_view template_index = "TemplateIndex";
inline constexpr std::string_view sequence_index = "SequenceIndex";
inline constexpr std::string_view event_prefix = "EVT#", sent_prefix = "SENT#";

table::OwnTable declared_events(std::string name);
table::OwnTable declared_own(std::string name);

table::Item key(std::string_view partition, std::string_view sort);

std::string person(std::string_view canonical);  // "SUB#ann@example.org"
// "EVT#2026-01-15T10:00:00.000Z#click", or "SENT#2026-01-15T10:00:00.000Z"; behind it the first
// `tail` digits of what tells it from all others, if there are any.
std::string sort_of(EventType type, Time at, std::string_view event_id, std::size_t tail);

table::Item mail(std::string_view mail_id);
table::Item mail_by(std::string_view mail_id, std::string_view canonical);
table::Item message_id(std::string_view text);
table::Item done(std::string_view event_id);
table::Item stats(std::string_view sequence_id);

// Of bytes of any length, in hexadecimal digits.
std::string digest_of(std::string_view bytes);

}  // namespace mailroom::engagement::rows
