// The rows of mails: the only place that knows them.
//
// EmailOutbox   Id S, Status S: "_META" or a state's name.  Attributes M.  TTL N (Unix seconds).
//   _META       Attributes: Latest, CreatedAt, UpdatedAt (RFC 3339, seconds, Z), PayloadFilePath,
//               EMLFilePath, Reason: the names and the meaning of the seed. Beside Attributes, our
//               additions: Latest and UpdatedAt (milliseconds) for LatestIndex ("HELD" for a held
//               mail), Stream, Sender, Recipients, MessageId, Attempts, FirstDue, Callback, Job,
//               Follow (M: Queue, Key, Data) of a mail that somebody follows, Engagement (M, see
//               engagement.h), Settlements of a mail of which somebody was told that,
//               KeepUntil in place of TTL as long as the mail waits; of mails that another program
//               wrote Followed, and Obstacle if nothing can be done about it.
//   a state     Attributes: empty. Beside it, our additions: At, Reason, and what that step tells
//               (Peer, Tls, Transcript).
//   indexes     StatusIndex (Status, Id; Attributes, TTL)
//               LatestIndex (Latest, UpdatedAt; keys only)
// MailroomOutboxLog     Id S, Entry S (time "#" number, and "#" node)   what happened and left no
//                       state row; rows of earlier versions name no node
// MailroomOutboxCounts, MailroomOutboxExpiring            mails by state: see ledger_counts.h
//
// A transition is the seed's transaction: _META updated, with the condition that it is in the state
// it leaves, and the row of the new state inserted, which fails if that state was entered before.
//
// Other programs write these rows, too, and know nothing of our additions: follow() adds them, and
// mends them after a step that such a program made. A row of which nothing can be made is a mail
// that is INVALID, with the reason.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "outbox/mail/accounting.h"
#include "outbox/mail/mail.h"
#include "outbox/sending/oldest_waiting.h"
#include "schedule/transaction.h"
#include "table/own_tables.h"
#include "table/store.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

struct TableNames {
    std::string outbox = "EmailOutbox";
    std::string log = "MailroomOutboxLog";
    std::string counts = "MailroomOutboxCounts";
    std::string expiring = "MailroomOutboxExpiring";
};

// What goes along with a step; what is not set stays as it is.
struct Change {
    // Not set, it becomes empty on the way to INTAKING, PROCESSING and SENT, as in the seed.
    std::optional<std::string> reason = std::nullopt;
    std::optional<std::string> eml_path = std::nullopt;
    std::optional<std::string> message_id = std::nullopt;
    std::optional<std::string> sender = std::nullopt;
    std::optional<std::vector<Recipient>> recipients = std::nullopt;
    std::optional<std::int64_t> attempts = std::nullopt;
    std::optional<Time> first_due = std::nullopt;
    std::optional<bool> held = std::nullopt;  // A mail that changes its state is not held any more.
    // None inside: there is no job any more.
    std::optional<std::optional<schedule::Position>> job = std::nullopt;
    std::optional<Follow> follow = std::nullopt;
    std::optional<std::int64_t> settlements = std::nullopt;  // Followers' own.
    // For the row of the state entered.
    std::string peer = {}, tls = {}, transcript = {};
};

// One line of a mail's history that is no state: an attempt, a callback, a person's decision.
struct LogEntry {
    Time at;
    std::string what;  // "attempt", "callback", "retry", "hold", …
    std::string text;
    int code = 0;  // Of SMTP or HTTP, or 0.
    std::string peer = {}, transcript = {};
};

struct StateEntry {
    State state;
    Time at;
    std::string reason, peer, tls, transcript;
};

struct History {
    Mail mail;
    std::vector<StateEntry> states;  // In the order they were entered.
    std::vector<LogEntry> log;       // Oldest first.
};

struct MailPage {
    std::vector<Mail> mails;
    std::optional<std::string> next;  // `after` of the next page.
};

struct Counts {
    // Of the mails that the table holds: those whose time is over are left out when that hour ends.
    std::array<std::int64_t, all_states.size()> by_state{};
    std::int64_t held = 0;
    std::int64_t waiting() const;  // Not settled.
    // Since the beginning: how often a mail was accepted, became SENT, became FAILED or INVALID.
    std::int64_t accepted_total = 0, sent_total = 0, failed_total = 0;
    std::int64_t steps_total = 0;  // Of all kinds.

    bool operator==(const Counts&) const = default;
};

// Thread-safe. The functions that take a Transaction only add writes to it; its commit is refused
// as `conflict` when the mail is not in the state it was in, or not held as it was. One of insert,
// move, step_back and change for each mail of a transaction.
class Ledger {
public:
    static std::vector<table::OwnTable> declared(const TableNames& names);
    // Makes the tables that are not there. All must outlive the ledger. `node` is a name that no
    // other process on the same tables has (Schedule::node()): what two nodes log of a mail in one
    // millisecond does not meet.
    static Result<Ledger> open(table::Store& store, const Clock& clock, TableNames names = {},
                               std::string node = {});

    // A new mail that has entered these states, in this order: its last is `mail.state`. The commit
    // is a `conflict` if there is a mail with that id.
    void insert(schedule::Transaction& transaction, Mail& mail, std::span<const State> entered);
    // may_follow(mail.state, to) must hold. `mail` becomes what is written, whether or not it is
    // committed. A mail that somebody follows is settled through Followers only.
    void move(schedule::Transaction& transaction, Mail& mail, State to, const Change& change);
    // may_step_back(mail.state, to) must hold. The rows of the states that are left are deleted, so
    // that they can be entered again.
    void step_back(schedule::Transaction& transaction, Mail& mail, State to, const Change& change);
    // The state stays.
    void change(schedule::Transaction& transaction, Mail& mail, const Change& change);
    // What another program wrote stays as it is, and is found by list() and counted from now on.
    // With `change.job` or so, it is ours to bring forward.
    void follow(schedule::Transaction& transaction, Mail& mail, const Change& change);
    // The rows of a mail's states and of its log are kept until then: what it has gone through
    // stays to be seen. Written at once, in pieces, so that there may be any number. `conflict` if
    // the mail moved meanwhile.
    Result<> extend(const std::string& id, std::int64_t seconds);
    // A mail that waits, with all its rows, is kept until then. As extend().
    Result<> keep_until(schedule::Transaction& transaction, Mail& mail, std::int64_t seconds);
    void log(schedule::Transaction& transaction, const Mail& mail, const LogEntry& entry);
    // Takes the place of those that it had; of all rows of the mail, what servers said goes, and so
    // does the subject. `conflict` if the mail moved meanwhile.
    Result<> rename_recipients(const Mail& mail, const std::vector<Recipient>& recipients);

    Result<std::optional<Mail>> find(const std::string& id);
    Result<std::optional<History>> history(const std::string& id);
    // By state, or all; the last changed first. `held` asks for the held ones, which are also among
    // those in PROCESSING, after the others. Mails that other programs wrote or moved are found by
    // id at once, and here as soon as they are followed.
    struct Filter {
        std::optional<State> state = std::nullopt;
        bool held = false;
    };
    // `invalid` if `after` is not what a page said. Without a filter the states are read one after
    // the other, settled ones last. A page may be short, though more follow.
    Result<MailPage> list(const Filter& filter, std::size_t limit,
                          const std::optional<std::string>& after);
    Result<Counts> counts();
    // Counts all rows, and mends what was counted. False if mails moved meanwhile: nothing was
    // mended then. Reads the whole table.
    Result<bool> recount();
    // All mails, by id, in pages, as an index tells: a fresh one may be missing.
    struct AllPage {
        std::vector<Mail> mails;
        std::optional<table::Item> next;
    };
    Result<AllPage> all(std::size_t limit, std::optional<table::Item> after);
    // What is to be remembered about the tables as a whole, by name; none if nothing was written.
    Result<std::optional<std::string>> mark(std::string_view name);
    void set_mark(table::write::Transaction& transaction, std::string_view name,
                  std::string_view value);
    // Who keeps account of settled mails, from now on (see Followers); must outlive it.
    void account_with(Accounting& accounting) { accounting_ = &accounting; }
    Accounting* accounting() const { return accounting_; }
    // When the mail that is longest in this state, and not held, came into it or was last changed;
    // none if there is none.
    Result<std::optional<Time>> oldest(State state);
    // Since when the mail waits that waits longest: from its acceptance, or when it was due first.
    // None if no mail that is due waits, as far as this process knows: a mail counts once it was
    // tried or put off here, or was listed. Reads a row or two.
    Result<std::optional<Time>> oldest_waiting();

private:
    Ledger(table::Store& store, const Clock& clock, TableNames names, std::string node);
    void update(schedule::Transaction& transaction, Mail& mail, State to, const Change& change);
    void note_waiting(const Mail& mail);
    // Mends the rows of earlier versions.
    Result<> upgrade();
    Result<> upgrade_row(const table::Item& row);
    Result<std::vector<Mail>> read_mails(std::span<const table::Item> entries);
    // Of one mail, the states in the order they were entered.
    struct Rows {
        std::optional<table::Item> meta;
        std::vector<std::pair<State, table::Item>> states;
    };
    Result<Rows> read_rows(const std::string& id);
    // Of one mail, all but _META.
    struct RowName {
        std::string table;
        table::Item key;
    };
    Result<std::vector<RowName>> rows_beside(const std::string& id);
    Result<> forget_told(const std::string& id);
    Result<std::optional<table::Item>> read_meta(const std::string& id);
    static History history_of(const Rows& rows);
    Result<std::vector<LogEntry>> read_log(const std::string& id);
    Result<> add_expiring(Counts& counts);

    table::Store* store_;
    const Clock* clock_;
    TableNames names_;
    std::string node_;
    std::unique_ptr<std::atomic<std::uint32_t>> log_entries_;  // Of this process: numbers them.
    std::unique_ptr<OldestWaiting> waiting_;
    Accounting* accounting_ = nullptr;
};

}  // namespace mailroom::outbox
