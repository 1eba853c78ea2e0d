// What the judge reads in the tables about files of people, and about what became of mails.
#include "sim/judge.h"
#include "sim/visit.h"

#include <array>
#include <string>
#include <utility>

namespace mailroom::sim {

namespace {

std::string text_of(const table::Item& row, std::string_view name) {
    return std::string(row.text(name).value_or(""));
}

constexpr std::array<std::pair<std::string_view, const char*>, 6> counters{
    {{"delivery", "deliveryCount"},
     {"open", "openCount"},
     {"click", "clickCount"},
     {"bounce", "bounceCount"},
     {"complaint", "complaintCount"},
     {"skipped", "skippedCount"}}};

// The counter of an event; empty of what is not counted.
std::string counter_of(const table::Item& row) {
    if (row.boolean("machine").value_or(false)) return "";
    for (const auto& [type, counter] : counters) {
        if (row.text("eventType") == type) return counter;
    }
    return "";
}

}  // namespace

// A file is finished, and each of its rows became something, once.
void Judge::check_import(const table::Item& row) {
    const auto id = text_of(row, "id");
    std::int64_t counted = 0;
    for (const auto* kind : {"created", "updated", "unchanged", "erased", "failed"}) {
        counted += row.integer(kind).value_or(0);
    }
    if (row.text("state") != "done") return complain("the file " + id + " is not finished");
    if (counted == row.integer("rows")) return;
    complain("of the file " + id + " " + std::to_string(counted) + " rows were counted");
}

void Judge::check_imports(table::Store& store) {
    int there = 0;
    auto missing = imports_;
    const bool is_read = visit_all(store, "MailroomPeople", [&](const table::Item& row) {
        if (row.text("SK") != "IMPORT") return;
        ++there;
        missing.erase(text_of(row, "id"));
        check_import(row);
    });
    if (!is_read) return complain("files cannot be read");
    for (const auto& id : missing) complain("the file " + id + " is not there");
    if (there <= imports_asked_) return;
    complain(std::to_string(imports_asked_) + " files were given, and " + std::to_string(there) +
             " were taken");
}

// Counters equal the rows; each thing is there once; and each mail that a server took is one
// delivery and one row of the send log.
void Judge::check_events(table::Store& store, outbox::Ledger& ledger) {
    std::map<std::pair<std::string, std::string>, std::int64_t> there, counted;
    std::map<std::string, int> ids;
    std::map<Recipient, int> delivered, logged;
    const auto mail_in = [](const table::Item& row) {
        const auto partition = text_of(row, "PK");
        return Recipient(text_of(row, "mailroomMailId"), partition.substr(partition.find('#') + 1));
    };
    const auto hear_event = [&](const table::Item& row) {
        ++ids[text_of(row, "eventId")];
        if (row.text("eventType") == "delivery") ++delivered[mail_in(row)];
        const auto counter = counter_of(row), sequence = text_of(row, "sequenceId");
        if (!counter.empty() && !sequence.empty()) ++there[{sequence, counter}];
    };
    const auto hear_audience = [&](const table::Item& row) {
        if (text_of(row, "SK").starts_with("SENT#")) ++logged[mail_in(row)];
        if (row.text("SK") != "COUNTERS") return;
        for (const auto& [type, counter] : counters) {
            const auto count = row.integer(counter).value_or(0);
            if (count != 0) counted[{text_of(row, "sequenceId"), counter}] = count;
        }
    };
    if (!visit_all(store, "EmailEvents", hear_event) ||
        !visit_all(store, "Audience", hear_audience)) {
        return complain("events cannot be read");
    }
    // A merge into somebody who is erased meanwhile may leave a row on both sides.
    for (const auto& [id, count] : ids) {
        if (count > 1 && !is_anybody_erased_)
            complain("the event " + id + " is there " + std::to_string(count) + " times");
    }
    auto all = counted;
    all.insert(there.begin(), there.end());
    for (const auto& [key, ignored] : all) {
        // Events of mails to those who are forgotten go with them, and stay counted.
        const bool may_be_forgotten = key.first == "fire_and_forget";
        if (counted[key] == there[key]) continue;
        if (may_be_forgotten && (is_anybody_erased_ || counted[key] > there[key])) continue;
        complain(key.first + " " + key.second + " is " + std::to_string(counted[key]) +
                 ", and there are " + std::to_string(there[key]));
    }
    complain_of_mails(ledger, delivered, logged);
}

void Judge::complain_of_mails(outbox::Ledger& ledger, const std::map<Recipient, int>& delivered,
                              const std::map<Recipient, int>& logged) {
    const auto count_in = [](const std::map<Recipient, int>& counts, const Recipient& of) {
        const auto found = counts.find(of);
        return found == counts.end() ? 0 : found->second;
    };
    for (const auto& [id, known] : mails_) {
        if (known.is_gone || !wishes_[static_cast<std::size_t>(known.wish)].is_engaged) continue;
        // What people decide about may be taken back, and told anew.
        if (decisions_.contains(id) || resolved_.contains(id)) continue;
        const auto mail = ledger.find(id);
        if (!mail || !*mail) continue;
        for (const auto& recipient : (*mail)->recipients) {
            const Recipient key(id, recipient.address);
            const int expected = recipient.state == outbox::Recipient::State::delivered ? 1 : 0;
            if (count_in(delivered, key) != expected || count_in(logged, key) != expected) {
                complain("mail " + id + " to " + recipient.address + " came " +
                         std::to_string(expected) + " times, but is told " +
                         std::to_string(count_in(delivered, key)) + " times and logged " +
                         std::to_string(count_in(logged, key)) + " times");
            }
        }
    }
}

}  // namespace mailroom::sim
