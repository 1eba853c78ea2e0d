#include "sim/judge.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

namespace mailroom::sim {

namespace {

using outbox::State;

constexpr std::string_view wish_mark = "wish-", debtor_mark = "debtor-";
constexpr auto skew_max = std::chrono::minutes(5);  // Of the clocks of nodes.

// Of the templates that a newcomer finds.
std::string_view type_of(std::string_view text) {
    if (text.find("our final notice") != text.npos) return "final";
    return text.find("we hope you are well") != text.npos ? "first" : "second";
}

// Not again within: the rules of specs and docs.
std::chrono::days window_of(std::string_view type) {
    return std::chrono::days(type == "first" ? 7 : type == "second" ? 5 : 3);
}

// The number behind the mark; none if there is none.
std::optional<int> wish_of(std::string_view text) {
    const auto at = text.find(wish_mark);
    if (at == text.npos) return std::nullopt;
    const auto* begin = text.data() + at + wish_mark.size();
    int number = 0;
    const auto read = std::from_chars(begin, text.data() + text.size(), number);
    if (read.ec != std::errc()) return std::nullopt;
    return number;
}

// Of a write of _META that makes a mail PROCESSING: its id.
std::optional<std::string> claimed_by(const table::WriteAction& action) {
    const auto is_processing = [](const table::Value& value) {
        return value.view().kind() == table::Kind::string && value.view().text() == "PROCESSING";
    };
    if (const auto* update = std::get_if<table::UpdateItem>(&action)) {
        if (update->table != "EmailOutbox" || update->key.text("Status") != "_META") return {};
        for (const auto& [name, value] : update->bind.values) {
            if (is_processing(value)) return std::string(*update->key.text("Id"));
        }
    }
    if (const auto* put = std::get_if<table::PutItem>(&action)) {
        if (put->table != "EmailOutbox" || put->item.text("Status") != "PROCESSING") return {};
        return std::string(*put->item.text("Id"));
    }
    return std::nullopt;
}

}  // namespace

void Judge::complain(const std::string& what) {
    complaints_.push_back(what);
    events_.note("JUDGE " + what);
}

int Judge::wished(Wish wish) {
    last_recipient_ = wish.recipients.front();
    wishes_.push_back(std::move(wish));
    return static_cast<int>(wishes_.size()) - 1;
}

void Judge::acknowledged(int wish, const std::string& mail) {
    mails_.try_emplace(mail, Known{.wish = wish, .last = {}});
    auto& all = mails_of_[wish];
    all.insert(mail);
    if (all.size() > 1 && wishes_[static_cast<std::size_t>(wish)].is_repeatable) {
        complain("wish " + std::to_string(wish) + " was made two mails: one is " + mail);
    }
}

void Judge::suppressed(const std::string& address, std::optional<people::Stream> stream) {
    if (lifted_now_[address] > 0) return;
    suppressed_[{address, std::string(stream ? name_of(*stream) : "*")}] = ++moments_;
}

void Judge::may_be_lifted(const std::string& address) {
    ++lifted_now_[address];
    lifted_[address] = ++moments_;
    std::erase_if(suppressed_, [&](const auto& entry) { return entry.first.first == address; });
    // Who may lift that ends every no of the address, the one to reminders, too.
    opted_out_.erase(address.substr(0, address.find('@')));
}

void Judge::lifting_is_over(const std::string& address) {
    --lifted_now_[address];
    lifted_[address] = ++moments_;
}

bool Judge::was_lifted_since(const std::string& address, std::uint64_t since) const {
    const auto found = lifted_.find(address);
    return found != lifted_.end() && (found->second > since || lifted_now_.at(address) > 0);
}

void Judge::suppressed_since(const std::string& address, std::optional<people::Stream> stream,
                             std::uint64_t since, const std::string& other) {
    if (was_lifted_since(address, since) || was_lifted_since(other, since)) return;
    suppressed(address, stream);
}

void Judge::owes_nothing(const std::string& customer) {
    settled_up_.try_emplace(customer, ++moments_);
}

void Judge::opted_out(const std::string& customer) { opted_out_.try_emplace(customer, ++moments_); }

// The answer that came may not have been written down, too.
int Judge::doubts_of(const Recipient& recipient) const {
    const auto found = doubts_.find(recipient);
    return ends_of_processes_ + (found == doubts_.end() ? 0 : found->second);
}

void Judge::look_at(const table::TransactWrite& written) {
    for (const auto& action : written.actions) {
        if (const auto mail = claimed_by(action)) claims_[*mail] = ++moments_;
    }
}

bool Judge::is_suppressed(const std::string& address, people::Stream stream,
                          std::uint64_t moment) const {
    for (const auto& name : {std::string("*"), std::string(name_of(stream))}) {
        const auto found = suppressed_.find({address, name});
        if (found != suppressed_.end() && found->second < moment) return true;
    }
    return false;
}

void Judge::received(const std::string& mail, const std::string& recipient, std::string_view text) {
    auto& copies = copies_[{mail, recipient}];
    copies.push_back(events_.now());
    const int excused = decisions_[mail] + (retries_unknown_ ? doubts_of({mail, recipient}) : 0);
    if (static_cast<int>(copies.size()) > 1 + excused) {
        complain("mail " + mail + " came " + std::to_string(copies.size()) + " times to " +
                 recipient);
    }
    const auto wish = wish_of(text);
    if (!wish) return check_reminder(mail, recipient, text);
    if (*wish < 0 || static_cast<std::size_t>(*wish) >= wishes_.size()) return;
    const auto& wanted = wishes_[static_cast<std::size_t>(*wish)];
    auto& all = mails_of_[*wish];
    all.insert(mail);
    if (all.size() > 1 && wanted.is_repeatable) {
        complain("wish " + std::to_string(*wish) + " became two mails: one is " + mail);
    }
    if (std::ranges::find(wanted.recipients, recipient) == wanted.recipients.end()) {
        complain("mail " + mail + " came to a stranger: " + recipient);
    }
    if (wanted.is_engaged) note_message(text);
    const auto claim = claims_.find(mail);
    if (claim == claims_.end()) return complain("mail " + mail + " came without a claim");
    if (is_suppressed(recipient, wanted.stream, claim->second)) {
        complain("mail " + mail + " came to " + recipient + ", which was suppressed before");
    }
}

void Judge::note_message(std::string_view text) {
    constexpr std::string_view before = "Message-ID: <";
    const auto at = text.find(before);
    if (at == text.npos) return;
    const auto begin = at + before.size();
    messages_.emplace_back(text.substr(begin, text.find('>', begin) - begin));
}

// Who paid everything or wants no mail is not reminded, and nobody too often.
void Judge::check_reminder(const std::string& mail, const std::string& recipient,
                           std::string_view text) {
    const auto customer = recipient.substr(0, recipient.find('@'));
    if (!customer.starts_with(debtor_mark)) return;
    const auto claim = claims_[mail];
    if (is_suppressed(recipient, people::Stream::transactional, claim)) {
        complain("mail " + mail + " came to " + recipient + ", which was suppressed before");
    }
    for (const auto& [since, why] :
         {std::pair{&settled_up_, "paid everything"}, std::pair{&opted_out_, "wants no mail"}}) {
        const auto found = since->find(customer);
        if (found == since->end() || found->second >= claim) continue;
        complain("customer " + customer + " was reminded, but " + why + ": mail " + mail);
    }
    const auto type = type_of(text);
    for (const auto& before : reminders_[customer]) {
        // What may not have arrived may be taken for one that did not.
        if (before.mail == mail || before.type != type || is_doubtful(before.mail)) continue;
        if (before.moment > claim) continue;
        if (events_.now() - before.at >= window_of(type) - skew_max) continue;
        complain("customer " + customer + " was reminded too soon: " + std::string(type) +
                 ", mails " + before.mail + " and " + mail);
    }
    reminders_[customer].push_back({events_.now(), mail, type, claim});
}

void Judge::others_reminded(const std::string& customer, std::string_view type) {
    reminders_[customer].push_back({events_.now(), "of another program", type, ++moments_});
}

bool Judge::is_doubtful(const std::string& mail) const {
    const auto first = doubts_.lower_bound({mail, ""});
    return first != doubts_.end() && first->first.first == mail;
}

void Judge::called_back(const std::string& mail, bool acknowledged) {
    if (acknowledged) ++acknowledged_calls_[mail];
}

}  // namespace mailroom::sim
