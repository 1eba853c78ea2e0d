// What people did with the mails of one template, sequence or broadcast, as the account has it: for
// filters of segments.
#pragma once

#include "people/segments/mail_deeds.h"
#include "table/store.h"

#include <optional>
#include <string>

namespace mailroom::engagement {

// Thread-safe. Reads all events of those mails, since that time: what machines did, and complaints
// that were taken back, are none of people's.
class PeoplesDeeds final : public people::MailDeeds {
public:
    // The store must outlive this object; `table` is EmailEvents.
    PeoplesDeeds(table::Store& store, std::string table)
        : store_(store), table_(std::move(table)) {}

    Result<people::DeedsByPerson> of(const people::Mails& mails, people::Deed deed,
                                     std::optional<Time> since) const override;

private:
    table::Store& store_;
    const std::string table_;
};

}  // namespace mailroom::engagement
