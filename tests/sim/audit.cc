// What the judge reads in the tables.
#include "outbox/accept/outbox.h"
#include "people/profile.h"
#include "people/suppression_rows.h"
#include "sim/judge.h"
#include "sim/visit.h"
#include "table/query_builder.h"

#include <algorithm>
#include <set>
#include <string>

namespace mailroom::sim {

namespace {

using outbox::State;

bool has_dead_callback(schedule::Schedule& schedule, const std::string& mail) {
    std::optional<std::string> after;
    do {
        const auto page = schedule.dead(outbox::callback_queue, 100, after);
        if (!page) return false;
        for (const auto& job : page->jobs) {
            if (job.key == mail) return true;
        }
        after = page->next;
    } while (after);
    return false;
}

}  // namespace

void Judge::audit(outbox::Ledger& ledger, schedule::Schedule& schedule) {
    for (auto& [id, known] : mails_) {
        if (known.is_gone) continue;
        const auto found = ledger.find(id);
        if (!found) continue;
        if (*found) {
            look_at(id, known, **found, schedule);
        } else {
            gone(id, known);
        }
    }
}

void Judge::look_at(const std::string& id, Known& known, const outbox::Mail& mail,
                    schedule::Schedule& schedule) {
    known.last = mail.state;
    known.expires_seconds = mail.expires_seconds;
    if (may_expire(mail.state) || mail.held) return;
    const auto has = mail.job ? schedule.has(*mail.job) : Result<bool>(false);
    if (!has || *has) return;
    complain("mail " + id + " is " + std::string(name_of(mail.state)) + " and has no job");
}

// A day more than it says: the clocks of nodes differ.
void Judge::gone(const std::string& id, Known& known) {
    known.is_gone = true;
    if (!known.last) return complain("mail " + id + " was acknowledged and is not there");
    const auto now = to_unix_seconds(events_.now()) + 60;
    if (known.expires_seconds == 0 || known.expires_seconds > now) {
        return complain("mail " + id + " is gone before its time");
    }
    if (!may_expire(*known.last)) complain("mail " + id + " is gone, and was not settled");
}

void Judge::close(table::Store& store, outbox::Ledger& ledger, schedule::Schedule& schedule) {
    audit(ledger, schedule);
    for (const auto& [id, known] : mails_) {
        if (known.is_gone) continue;
        const auto found = ledger.find(id);
        if (!found || !*found) {
            complain("mail " + id + " cannot be read at the end");
            continue;
        }
        check_fate(id, **found, wishes_[static_cast<std::size_t>(known.wish)]);
        check_called_back(**found, schedule);
    }
    check_counts(ledger);
    check_jobs(store);
    check_drafts(store);
    check_people(store);
    check_imports(store);
    check_events(store, ledger);
}

// One fate each, and the one that it had outside.
void Judge::check_fate(const std::string& id, const outbox::Mail& mail, const Wish& wish) {
    const auto state = std::string(name_of(mail.state));
    if (!is_settled(mail.state) && mail.state != State::calling_sent_callback &&
        mail.state != State::calling_failed_callback) {
        return complain("mail " + id + " has no fate: " + state + (mail.held ? ", held" : ""));
    }
    if (mail.state == State::cancelled && !cancelled_.contains(id)) {
        complain("mail " + id + " is CANCELLED, which nobody asked for");
    }
    for (const auto& recipient : mail.recipients) {
        const auto copies = copies_.find({id, recipient.address});
        const auto came = copies == copies_.end() ? 0 : copies->second.size();
        const bool is_delivered = recipient.state == outbox::Recipient::State::delivered;
        const bool is_certain =
            !recipient.doubtful_since && !decisions_.contains(id) && !resolved_.contains(id);
        if (is_delivered && came == 0 && is_certain) {
            complain("mail " + id + " never came to " + recipient.address + ", but is delivered");
        }
        if (!is_delivered && came > 0 && is_certain) {
            complain("mail " + id + " came to " + recipient.address + ", but is " + state);
        }
        if (is_settled(mail.state) && mail.state != State::cancelled &&
            mail.state != State::invalid && recipient.state == outbox::Recipient::State::waiting) {
            complain("mail " + id + " is " + state + ", but " + recipient.address + " waits");
        }
    }
    if (mail.recipients.size() != wish.recipients.size() && mail.state != State::invalid) {
        complain("mail " + id + " lost a recipient");
    }
}

void Judge::check_called_back(const outbox::Mail& mail, schedule::Schedule& schedule) {
    const bool is_told = mail.state == State::sent_acknowledged ||
                         mail.state == State::failed_acknowledged ||
                         (mail.state == State::invalid && !mail.job);
    if (!mail.callback || mail.state == State::cancelled) return;
    if (is_told && acknowledged_calls_.contains(mail.id)) return;
    if (has_dead_callback(schedule, mail.id)) return;
    complain("mail " + mail.id + " is " + std::string(name_of(mail.state)) +
             ", and nobody was told");
}

void Judge::check_counts(outbox::Ledger& ledger) {
    const auto before = ledger.counts();
    const auto done = ledger.recount();
    const auto after = ledger.counts();
    if (!before || !done || !*done || !after) return complain("mails cannot be counted");
    for (std::size_t i = 0; i < outbox::all_states.size(); ++i) {
        if (before->by_state[i] == after->by_state[i]) continue;
        complain("there are " + std::to_string(after->by_state[i]) + " mails " +
                 std::string(name_of(outbox::all_states[i])) + ", but " +
                 std::to_string(before->by_state[i]) + " were counted");
    }
    if (before->held != after->held) complain("held mails are counted wrong");
}

// No job for nothing.
void Judge::check_jobs(table::Store& store) {
    table::Scan scan;
    scan.table = "MailroomSchedule";
    do {
        const auto page = store.scan(scan);
        if (!page) return complain("jobs cannot be read");
        for (const auto& row : page->items) {
            const std::string queue(row.text("Queue").value_or(""));
            const std::string place(row.text("Position").value_or(""));
            if (queue.find("#dead") != queue.npos) continue;
            complain("a job is left: " + queue + " " + place);
        }
        scan.start_key = page->last_key;
    } while (scan.start_key);
}

// No tag row without a profile that has the tag, nor the reverse; and what a profile says of mail
// is what sending asks.
void Judge::check_people(table::Store& store) {
    std::set<std::string> rows, tags, flags, listed, suppressed, noted, people, kept;
    const auto hear_audience = [&](const table::Item& row) {
        const std::string key(row.text("PK").value_or("")), sort(row.text("SK").value_or(""));
        if (key.starts_with("TAG#")) rows.insert(key.substr(4) + " " + sort.substr(4));
        if (sort == "SUPPRESSION") noted.insert(key.substr(4));
        const auto profile = people::read_profile(row);
        if (!profile) return;
        people.insert(profile->canonical);
        for (const auto& tag : profile->tags) tags.insert(tag + " " + profile->canonical);
        if (profile->tags_to_come) complain("tags are still to come to " + profile->canonical);
        if (profile->suppressed) flags.insert("* " + profile->canonical);
        if (profile->suppressed) suppressed.insert(profile->canonical);
        if (profile->unsubscribed) flags.insert("bulk " + profile->canonical);
    };
    // Who was erased has a hash there, and no profile.
    const auto hear_list = [&](const table::Item& row) {
        const std::string address(row.text("Address").value_or(""));
        kept.insert(std::string(row.text("Stream").value_or("")) + " " + address);
        if (address.starts_with("sha256:")) return;
        listed.insert(std::string(row.text("Stream").value_or("")) + " " + address);
    };
    if (!visit_all(store, "Audience", hear_audience) ||
        !visit_all(store, "MailroomSuppressions", hear_list)) {
        return complain("people cannot be read");
    }
    check_kept(kept);
    const auto address_in = [](const std::string& one) { return one.substr(one.find(' ') + 1); };
    // Who has another address by now is nobody there, and still refused. A no to a topic alone
    // makes nobody a person, and is not in the profile of who becomes one later.
    std::erase_if(listed, [&](const std::string& one) {
        return one.starts_with("topic:") || !people.contains(address_in(one));
    });
    // Sending asks the list. Where another program's no met somebody's wish that it ends, the
    // profile may keep a flag that the list does not have.
    std::erase_if(flags, [&](const std::string& one) {
        return lifted_.contains(address_in(one)) && !listed.contains(one);
    });
    check_same("a tag", "in a row", rows, "in a profile", tags);
    check_same("a suppression", "in a profile", suppressed, "in a row of its own", noted);
    check_same("a refusal", "in a profile", flags, "on the list", listed);
}

// What nobody took back is on the list, though its person may have gone, come back, or moved.
void Judge::check_kept(const std::set<std::string>& kept) {
    for (const auto& [refused, since] : suppressed_) {
        const auto& [address, stream] = refused;
        const auto hashed = people::hashed_address(address);
        const bool is_kept = kept.contains("* " + address) || kept.contains("* " + hashed) ||
                             kept.contains(stream + " " + address) ||
                             kept.contains(stream + " " + hashed);
        if (!is_kept) complain("a refusal is forgotten: " + stream + " " + address);
    }
}

void Judge::check_same(const std::string& what, const std::string& here,
                       const std::set<std::string>& those_here, const std::string& there,
                       const std::set<std::string>& those_there) {
    for (const auto& one : those_here) {
        if (!those_there.contains(one)) complain(what + " is only " + here + ": " + one);
    }
    for (const auto& one : those_there) {
        if (!those_here.contains(one)) complain(what + " is only " + there + ": " + one);
    }
}

// What became of a reminder's mail came back to its draft, once.
void Judge::check_drafts(table::Store& store) {
    std::map<std::string, int> records;  // Of what was sent, by mail.
    table::Scan scan;
    scan.table = "EmailTrackingTable";
    do {
        const auto page = store.scan(scan);
        if (!page) return complain("drafts cannot be read");
        for (const auto& row : page->items) {
            const auto key = row.text("SK").value_or("");
            if (key.starts_with("SENT#")) ++records[std::string(row.text("mail_id").value_or(""))];
            if (!key.starts_with("DRAFT#") || row.text("status") != "approved") continue;
            complain("a draft is approved, and its mail is settled: " + std::string(key));
        }
        scan.start_key = page->last_key;
    } while (scan.start_key);
    for (const auto& [mail, count] : records) {
        // Those of other programs name none.
        if (count > 1 && !mail.empty())
            complain("mail " + mail + " is recorded as sent more than once");
    }
    for (const auto& [customer, reminders] : reminders_) {
        for (const auto& reminder : reminders) {
            if (!claims_.contains(reminder.mail) || is_doubtful(reminder.mail)) continue;
            if (decisions_.contains(reminder.mail)) continue;
            if (records.contains(reminder.mail)) continue;
            complain("customer " + customer + " was reminded, but there is no record of mail " +
                     reminder.mail);
        }
    }
}

}  // namespace mailroom::sim
