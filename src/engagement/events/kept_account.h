// The account as it is kept: in EmailEvents, Audience and a table of its own (rows.h).
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "engagement/events/account.h"
#include "engagement/events/entry.h"
#include "engagement/events/facts.h"
#include "engagement/numbers/numbers.h"
#include "engagement/numbers/sequence_counts.h"
#include "engagement/settings.h"
#include "people/activity.h"
#include "people/suppressions.h"
#include "schedule/schedule.h"
#include "table/store.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::engagement {

struct AccountParts {
    table::Store& store;
    schedule::Schedule& schedule;
    schedule::Ownership ownership;
    const Clock& clock;
    Random& random;
    outbox::Ledger& ledger;
    const people::Activities& activities;
    people::Suppressions& suppressions;
    std::string audience;  // The table.
    const Settings& settings;
};

// Thread-safe.
class KeptAccount final : public Account {
public:
    // All parts must outlive this object.
    explicit KeptAccount(const AccountParts& parts);

    Answer<Noted> note(std::span<const Happening> happenings) override;
    Result<std::optional<FollowedMail>> find_mail(const std::string& mail_id) override {
        return facts_.find(mail_id);
    }
    Result<std::optional<FollowedMail>> find_by_message_id(std::string_view message_id) override {
        return facts_.find_by_message_id(message_id);
    }
    void tell(Witness& witness) override { witnesses_.push_back(&witness); }

    // How many were added by this process since it started.
    std::uint64_t added(EventType type, bool is_machine) const {
        return added_[static_cast<std::size_t>(type)][is_machine ? 1 : 0];
    }

    // What is noted today is kept until then, Unix seconds; 0: for ever.
    std::int64_t kept_until() const;
    MailFacts& facts() { return facts_; }
    Numbers& numbers() { return numbers_; }
    const SequenceCounts& sequences() const { return sequences_; }

private:
    struct Sight;
    struct Page;
    struct Waiting;
    // Those that do not touch the same rows are committed at the same time.
    Answer<> note_window(std::span<const Happening> window, Noted& noted);
    Answer<> note_alone(const Happening& happening, Noted& noted);
    Answer<bool> note_once(const Happening& happening);
    void count_added(const Happening& happening);
    // What is to be written of it; nothing if it is known, or if its person was erased.
    Answer<std::optional<Page>> draw_up(const Happening& happening);
    Result<Sight> look(const Entry& entry) const;
    Result<> write(schedule::Transaction& transaction, const Entry& entry, const Sight& sight,
                   const std::optional<FollowedMail>& mail);
    void write_row(schedule::Transaction& transaction, const Entry& entry,
                   const Sight& sight) const;
    void write_counts(schedule::Transaction& transaction, const Entry& entry, const Sight& sight,
                      const std::optional<FollowedMail>& mail) const;
    void write_mark(schedule::Transaction& transaction, const Entry& entry) const;

    const AccountParts parts_;
    MailFacts facts_;
    Numbers numbers_;
    SequenceCounts sequences_;
    std::vector<Witness*> witnesses_;
    std::atomic<std::uint64_t> added_[names_of(EventType()).size()][2] = {};
};

}  // namespace mailroom::engagement
