// Knows what was promised to whom, sees what happens outside, and says what must not be.
#pragma once

#include "outbox/mail/ledger.h"
#include "schedule/schedule.h"
#include "sim/events.h"
#include "table/store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::sim {

// What a client wants, once, however often it asks.
struct Wish {
    std::vector<std::string> recipients;
    people::Stream stream = people::Stream::transactional;
    bool callback = false;
    // The same request again is the same mail: it has an Idempotency-Key, or an id of its own.
    bool is_repeatable = false;
    bool is_engaged = false;  // What becomes of it is an event.
};

class Judge {
public:
    Judge(Events& events, bool retries_unknown)
        : events_(events), retries_unknown_(retries_unknown) {}

    // What clients say. A wish has a number, which stands in the subject of its mail: "wish-7.".
    int wished(Wish wish);
    void acknowledged(int wish, const std::string& mail);
    // From the moment that somebody asks for it, it may be lifted; while it is not known whether
    // that came before or after, nothing is certain.
    void suppressed(const std::string& address, std::optional<people::Stream> stream);
    // To whom somebody wanted to write last.
    const std::string& last_recipient() const { return last_recipient_; }
    void may_be_lifted(const std::string& address);
    void lifting_is_over(const std::string& address);
    void somebody_was_erased() { is_anybody_erased_ = true; }
    // Orders what is told: what came before that was not told later.
    std::uint64_t moment() { return ++moments_; }
    // At some time since that moment, by something that took its time. Nothing is certain if
    // anybody asked meanwhile that mail may go there again, or to the address that it came from.
    void suppressed_since(const std::string& address, std::optional<people::Stream> stream,
                          std::uint64_t since, const std::string& other = "");
    bool surely_refuses(const std::string& address, people::Stream stream) const {
        return suppressed_.contains({address, std::string(name_of(stream))});
    }
    void asked_for_import() { ++imports_asked_; }
    void import_acknowledged(const std::string& id) { imports_.insert(id); }
    // What a mail was called that came; "nothing" if none did.
    std::string some_message(Chance& chance) const {
        return messages_.empty() ? "nothing" : chance.pick(messages_);
    }
    // A person wants a mail to be sent again that may have arrived, or failed.
    void decided_to_send_again(const std::string& mail) { ++decisions_[mail]; }
    // A person says that it arrived.
    void may_be_resolved(const std::string& mail) { resolved_.insert(mail); }
    void may_be_cancelled(const std::string& mail) { cancelled_.insert(mail); }

    // What customers say: nothing is owed any more, or may be again; no mail is wanted.
    void owes(const std::string& customer) { settled_up_.erase(customer); }
    void owes_nothing(const std::string& customer);
    void opted_out(const std::string& customer);
    // Another program wrote down that it reminded the customer now.
    void others_reminded(const std::string& customer, std::string_view type);

    // What the tables say: a mail is being handed over from now on.
    void look_at(const table::TransactWrite& written);

    // What servers outside see. `text` is the message.
    void received(const std::string& mail, const std::string& recipient, std::string_view text);
    // Nobody told the sender whether it arrived.
    void doubtful(const std::string& mail, const std::string& recipient) {
        ++doubts_[{mail, recipient}];
    }
    // A process ended, or stood still: what it was about to write down is lost, or somebody else's.
    void process_ended() { ++ends_of_processes_; }
    void called_back(const std::string& mail, bool acknowledged);

    // What must be so at any time. The rows are read as they are.
    void audit(outbox::Ledger& ledger, schedule::Schedule& schedule);
    // What must be so when all is quiet, and everything was given its time.
    void close(table::Store& store, outbox::Ledger& ledger, schedule::Schedule& schedule);

    void complain(const std::string& what);
    const std::vector<std::string>& complaints() const { return complaints_; }
    std::size_t mails() const { return mails_.size(); }
    std::size_t copies() const { return copies_.size(); }

private:
    using Recipient = std::pair<std::string, std::string>;  // Mail and address.
    struct Known {
        int wish = 0;
        std::optional<outbox::State> last;
        std::int64_t expires_seconds = 0;
        bool is_gone = false;  // In its time.
    };
    struct Reminder {
        Time at;
        std::string mail;
        std::string_view type;
        std::uint64_t moment;  // Of its claim.
    };

    void check_reminder(const std::string& mail, const std::string& recipient,
                        std::string_view text);
    void note_message(std::string_view text);
    bool is_doubtful(const std::string& mail) const;
    int doubts_of(const Recipient& recipient) const;
    bool is_suppressed(const std::string& address, people::Stream stream,
                       std::uint64_t moment) const;
    void look_at(const std::string& id, Known& known, const outbox::Mail& mail,
                 schedule::Schedule& schedule);
    void gone(const std::string& id, Known& known);
    void check_fate(const std::string& id, const outbox::Mail& mail, const Wish& wish);
    void check_called_back(const outbox::Mail& mail, schedule::Schedule& schedule);
    void check_counts(outbox::Ledger& ledger);
    void check_jobs(table::Store& store);
    void check_drafts(table::Store& store);
    void check_people(table::Store& store);
    void check_imports(table::Store& store);
    void check_import(const table::Item& row);
    void check_events(table::Store& store, outbox::Ledger& ledger);
    bool was_lifted_since(const std::string& address, std::uint64_t since) const;
    void complain_of_mails(outbox::Ledger& ledger, const std::map<Recipient, int>& delivered,
                           const std::map<Recipient, int>& logged);
    void check_kept(const std::set<std::string>& kept);
    void check_same(const std::string& what, const std::string& here,
                    const std::set<std::string>& those_here, const std::string& there,
                    const std::set<std::string>& those_there);

    Events& events_;
    const bool retries_unknown_;
    std::string last_recipient_ = "p0@peer.example";
    std::uint64_t moments_ = 0;  // Orders what is told.
    std::vector<Wish> wishes_;
    std::map<std::string, Known> mails_;             // Acknowledged, by id.
    std::map<int, std::set<std::string>> mails_of_;  // By wish: those that arrived or were told.
    std::map<Recipient, std::vector<Time>> copies_;  // When they came.
    std::map<Recipient, int> doubts_;
    std::map<std::string, int> decisions_, acknowledged_calls_;
    std::set<std::string> cancelled_, resolved_;
    int ends_of_processes_ = 0;
    std::map<std::string, std::uint64_t> claims_;  // When last.
    // By address and stream ("*": all): since when for certain.
    std::map<std::pair<std::string, std::string>, std::uint64_t> suppressed_;
    std::map<std::string, int> lifted_now_;        // By address: how many ask for that.
    std::map<std::string, std::uint64_t> lifted_;  // By address: when it was last asked, or over.
    int imports_asked_ = 0;
    std::set<std::string> imports_;      // Acknowledged.
    std::vector<std::string> messages_;  // Of engaged mails.
    bool is_anybody_erased_ = false;
    std::map<std::string, std::uint64_t> settled_up_, opted_out_;  // By customer: since when.
    std::map<std::string, std::vector<Reminder>> reminders_;       // By customer.
    std::vector<std::string> complaints_;
};

}  // namespace mailroom::sim
