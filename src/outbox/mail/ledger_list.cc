#include "base/base64.h"
#include "base/time_format.h"
#include "outbox/mail/ledger_rows.h"
#include "table/query_builder.h"
#include "table/records/many.h"

#include <algorithm>
#include <map>

namespace mailroom::outbox {

namespace {

// Queries for one page: it ends short when so many found nothing that is still as it was.
constexpr std::size_t list_rounds_max = 32;
// Of those that others moved: the rest is left for the next look.
constexpr int stale_entries_max = 200;

// The partitions of LatestIndex that a list goes through, in order.
std::vector<std::string_view> partitions_of(const Ledger::Filter& filter) {
    if (filter.held) {
        if (filter.state && filter.state != State::processing) return {};
        return {held_name};
    }
    if (filter.state == State::processing) return {name_of(State::processing), held_name};
    if (filter.state) return {name_of(*filter.state)};
    std::vector<std::string_view> names;
    for (const auto state : all_states) {
        if (!is_settled(state)) names.push_back(name_of(state));
        if (state == State::processing) names.push_back(held_name);
    }
    for (const auto state : all_states) {
        if (is_settled(state)) names.push_back(name_of(state));
    }
    return names;
}

bool matches(const Ledger::Filter& filter, const Mail& mail) {
    if (filter.held) return mail.held;
    return !filter.state || *filter.state == mail.state;
}

// Where a list goes on: after a row of a partition, or at the beginning of one.
//   text := base64url( partition | partition " " UpdatedAt " " Id )
struct Place {
    std::size_t partition = 0;
    std::string updated_at, id;

    std::optional<table::Item> last_key(std::string_view name) const {
        if (id.empty()) return std::nullopt;
        return table::Item{{attribute::id, id},
                           {attribute::status, meta_status},
                           {attribute::latest, name},
                           {attribute::updated_at, updated_at}};
    }
};

std::string text_of(const Place& place, std::string_view partition) {
    std::string text(partition);
    if (!place.id.empty()) text += " " + place.updated_at + " " + place.id;
    return base64url_encode(text);
}

Result<Place> parse_place(std::string_view cursor,
                          const std::vector<std::string_view>& partitions) {
    const Error wrong{Errc::invalid, "`after` is not what a page of this list said"};
    const auto text = base64url_decode(cursor);
    if (!text || !may_be_id(*text)) return wrong;
    const auto first = text->find(' ');
    const auto partition = std::ranges::find(partitions, std::string_view(*text).substr(0, first));
    if (partition == partitions.end()) return wrong;
    Place place;
    place.partition = static_cast<std::size_t>(partition - partitions.begin());
    if (first == text->npos) return place;
    const auto second = text->find(' ', first + 1);
    if (second == text->npos) return wrong;
    place.updated_at = text->substr(first + 1, second - first - 1);
    place.id = text->substr(second + 1);
    if (!parse_rfc3339(place.updated_at) || place.id.empty()) return wrong;
    return place;
}

}  // namespace

Result<MailPage> Ledger::list(const Filter& filter, std::size_t limit,
                              const std::optional<std::string>& after) {
    const auto partitions = partitions_of(filter);
    Place place;
    if (after) place = TRY(parse_place(*after, partitions));
    MailPage page;
    for (std::size_t round = 0; place.partition < partitions.size(); ++round) {
        const auto partition = partitions[place.partition];
        const auto wanted = limit - page.mails.size();
        if (round == list_rounds_max) {
            page.next = text_of(place, partition);
            break;
        }
        // One more than wanted tells whether there are more.
        const auto found = TRY(store_->query(table::from(names_.outbox)
                                                 .index("LatestIndex")
                                                 .partition(attribute::latest, partition)
                                                 .newest_first()
                                                 .limit(static_cast<std::int64_t>(wanted + 1))
                                                 .after(place.last_key(partition))));
        if (wanted == 0 && !found.items.empty()) {
            page.next = text_of(place, partition);
            break;
        }
        const auto taken = std::span(found.items).first(std::min(wanted, found.items.size()));
        for (auto& mail : TRY(read_mails(taken))) {
            if (matches(filter, mail)) page.mails.push_back(std::move(mail));
        }
        if (taken.size() < found.items.size() || found.last_key) {
            if (taken.empty()) continue;
            place.updated_at = taken.back().text(attribute::updated_at).value_or("");
            place.id = taken.back().text(attribute::id).value_or("");
        } else {
            place = {.partition = place.partition + 1, .updated_at = {}, .id = {}};
        }
    }
    return page;
}

Result<std::vector<Mail>> Ledger::read_mails(std::span<const table::Item> entries) {
    // DynamoDB's limit on one request.
    constexpr std::size_t batch_keys_max = 100;
    std::map<std::string, Mail, std::less<>> mails;
    for (std::size_t from = 0; from < entries.size(); from += batch_keys_max) {
        table::BatchGet request;
        auto& asked = request.tables.emplace_back();
        asked.table = names_.outbox;
        asked.consistent = true;
        for (const auto& entry :
             entries.subspan(from).first(std::min(batch_keys_max, entries.size() - from))) {
            asked.keys.push_back(row_key(entry.text(attribute::id).value_or(""), meta_status));
        }
        for (const auto& row : TRY(table::get_all(*store_, std::move(request)))) {
            auto mail = read_mail(row);
            note_waiting(mail);
            auto id = mail.id;
            mails.emplace(std::move(id), std::move(mail));
        }
    }
    std::vector<Mail> in_order;
    for (const auto& entry : entries) {
        const auto found = mails.find(entry.text(attribute::id).value_or(""));
        if (found != mails.end()) in_order.push_back(std::move(found->second));
    }
    return in_order;
}

Result<Ledger::AllPage> Ledger::all(std::size_t limit, std::optional<table::Item> after) {
    auto found = TRY(store_->query(table::from(names_.outbox)
                                       .index("StatusIndex")
                                       .partition(attribute::status, meta_status)
                                       .limit(static_cast<std::int64_t>(limit))
                                       .after(std::move(after))));
    AllPage page;
    page.mails = TRY(read_mails(found.items));
    page.next = std::move(found.last_key);
    return page;
}

// One that is being worked on stays noted if it was: it has not arrived yet.
void Ledger::note_waiting(const Mail& mail) {
    const bool waits = mail.state == State::ready || mail.state == State::accepted;
    if (mail.held || may_expire(mail.state)) return waiting_->forget(mail.id);
    if (waits && mail.first_due <= clock_->now()) waiting_->note(mail.id, mail.first_due);
}

Result<std::optional<Time>> Ledger::oldest_waiting() {
    for (int look = 0; look < stale_entries_max; ++look) {
        const auto first = waiting_->first();
        if (!first) break;
        const auto mail = TRY(find(first->id));
        const bool waits = mail && !mail->held && !may_expire(mail->state);
        if (waits && mail->first_due == first->since) return std::optional(first->since);
        waiting_->forget(first->id);
        if (waits) note_waiting(*mail);
    }
    return std::optional<Time>();
}

Result<std::optional<Time>> Ledger::oldest(State state) {
    const auto page = TRY(store_->query(table::from(names_.outbox)
                                            .index("LatestIndex")
                                            .partition(attribute::latest, name_of(state))
                                            .limit(1)));
    if (page.items.empty()) return std::optional<Time>();
    const auto time = TRY(parse_rfc3339(page.items[0].text(attribute::updated_at).value_or("")));
    return std::optional(time);
}

}  // namespace mailroom::outbox
