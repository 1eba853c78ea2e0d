// What is kept of mails: where their events belong, who got them, and how many events of each kind
// there are. A mail of which nothing is kept yet is looked up where it waits.
#pragma once

#include "engagement/events/account.h"
#include "engagement/numbers/figures.h"
#include "outbox/mail/ledger.h"
#include "schedule/transaction.h"
#include "table/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

// Of an address that is one; else empty.
std::string domain_of(std::string_view email);
// A Message-ID without brackets and blanks.
std::string bare_message_id(std::string_view text);
FollowedMail followed(const outbox::Mail& mail);

// Thread-safe.
class MailFacts {
public:
    // Both must outlive this object; `table` is MailroomEngagement.
    MailFacts(table::Store& store, outbox::Ledger& ledger, std::string table)
        : store_(store), ledger_(ledger), table_(std::move(table)) {}

    Result<std::optional<FollowedMail>> find(const std::string& mail_id);
    Result<std::optional<FollowedMail>> find_by_message_id(std::string_view message_id);

    // How many events of the mail there are.
    Result<Figures> figures(const std::string& mail_id);

    // Keeps the mail until then (Unix seconds; 0: for ever), and counts these of it. Once for each
    // mail of a transaction.
    void keep(schedule::Transaction& transaction, const FollowedMail& mail,
              const std::vector<std::string_view>& counts, std::int64_t until) const;
    // From now on that Message-ID is this mail's, too: a provider's own.
    void name(schedule::Transaction& transaction, const std::string& mail_id,
              std::string_view message_id, std::int64_t until) const;

private:
    Result<std::optional<table::Item>> row_of(table::Item key) const;

    table::Store& store_;
    outbox::Ledger& ledger_;
    const std::string table_;
};

}  // namespace mailroom::engagement
