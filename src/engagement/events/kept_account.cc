#include "engagement/events/kept_account.h"

#include "base/time_format.h"
#include "engagement/events/rows.h"
#include "engagement/numbers/counts.h"
#include "program/commit.h"
#include "table/records/many.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace mailroom::engagement {

namespace {

// How long a happening is known if its event is kept for ever: whoever tells of it again does so
// within days. After that its row tells it from others.
constexpr auto marks_kept_for = std::chrono::days(400);
// That many are on their way to the disk at a time.
constexpr std::size_t window_max = 64;
// Of the tail that tells happenings of one type and moment apart; the second is never needed.
constexpr std::size_t tails[] = {0, 8, 64};

std::optional<people::Deed> deed_of(const Happening& happening) {
    using people::Deed;
    const auto kind = kind_of(happening);
    if (kind == count::sent) return Deed::sent;
    if (kind == count::delivery) return Deed::delivered;
    if (kind == count::open) return Deed::opened;
    if (kind == count::click) return Deed::clicked;
    if (kind == count::bounce) return Deed::bounced;
    if (kind == count::complaint) return Deed::complained;
    if (kind == count::reply) return Deed::replied;
    return std::nullopt;
}

std::string place_of(std::string_view partition, std::string_view sort) {
    return std::string(partition) + "\n" + std::string(sort);
}

table::BatchGet::PerTable asking(const std::string& table) {
    table::BatchGet::PerTable asked;
    asked.table = table;
    asked.consistent = true;
    return asked;
}

}  // namespace

// What the tables say of a happening before it is noted.
struct KeptAccount::Sight {
    bool is_known = false;
    bool is_first = true;  // Of its kind, by this person for this mail.
    std::string sort;      // Where its row has room.
};

// What is to be written of one happening.
struct KeptAccount::Page {
    schedule::Transaction transaction;
    std::string touches;  // No two that say the same can be committed at the same time.
};

// Those that were handed to the store and are not durable yet.
struct KeptAccount::Waiting {
    void begin() {
        const std::lock_guard lock(mutex);
        ++open;
    }
    void end(std::size_t index, bool is_done) {
        // Told under the lock: when the last one is, whoever waits may leave.
        const std::lock_guard lock(mutex);
        --open;
        if (is_done) ++done;
        if (!is_done) refused.push_back(index);
        told.notify_all();
    }
    // How many are durable; those that are not are added to `others`.
    std::size_t wait(std::vector<std::size_t>& others) {
        std::unique_lock lock(mutex);
        told.wait(lock, [&] { return open == 0; });
        others.insert(others.end(), refused.begin(), refused.end());
        return done;
    }

    std::mutex mutex;
    std::condition_variable told;
    std::size_t open = 0, done = 0;
    std::vector<std::size_t> refused;
};

KeptAccount::KeptAccount(const AccountParts& parts)
    : parts_(parts),
      facts_(parts.store, parts.ledger, parts.settings.tables.own),
      numbers_(parts.store, parts.random, parts.ownership, parts.settings.tables.own),
      sequences_(parts.store, parts.clock, parts.random, parts.ownership, parts.audience,
                 parts.settings.tables.own) {}

std::int64_t KeptAccount::kept_until() const {
    const auto days = parts_.settings.data_ttl_days;
    if (days == 0) return 0;
    return to_unix_seconds(parts_.clock.now() + std::chrono::days(days));
}

Answer<Noted> KeptAccount::note(std::span<const Happening> happenings) {
    Noted noted;
    while (!happenings.empty()) {
        const auto window = happenings.first(std::min(happenings.size(), window_max));
        if (window.size() == 1) {
            TRY(note_alone(window.front(), noted));
        } else {
            TRY(note_window(window, noted));
        }
        happenings = happenings.subspan(window.size());
    }
    return noted;
}

Answer<> KeptAccount::note_window(std::span<const Happening> window, Noted& noted) {
    Waiting waiting;
    std::set<std::string> touched;
    std::vector<std::size_t> alone;
    std::optional<Refusal> refusal;
    for (std::size_t i = 0; i < window.size() && !refusal; ++i) {
        auto page = draw_up(window[i]);
        if (!page) {
            refusal = page.error();
        } else if (!*page) {
            ++noted.known;
        } else if (!touched.insert((*page)->touches).second) {
            alone.push_back(i);
        } else {
            waiting.begin();
            parts_.schedule.commit(
                std::move((*page)->transaction),
                [this, &waiting, &happening = window[i], i](const auto& outcome) {
                    if (outcome) count_added(happening);
                    waiting.end(i, static_cast<bool>(outcome));
                });
        }
    }
    noted.added += waiting.wait(alone);
    // Whoever lost a race, or must see what those before it wrote.
    std::ranges::sort(alone);
    for (const auto i : alone) TRY(note_alone(window[i], noted));
    if (refusal) return *refusal;
    return Ok{};
}

Answer<> KeptAccount::note_alone(const Happening& happening, Noted& noted) {
    const bool is_new =
        TRY(settled(parts_.store.pauses(race_pauses), [&] { return note_once(happening); }));
    ++(is_new ? noted.added : noted.known);
    if (is_new) count_added(happening);
    return Ok{};
}

void KeptAccount::count_added(const Happening& happening) {
    ++added_[static_cast<std::size_t>(happening.type)][happening.is_machine ? 1 : 0];
}

Answer<bool> KeptAccount::note_once(const Happening& happening) {
    const auto page = TRY(draw_up(happening));
    if (!page) return false;
    TRY(program::commit(parts_.schedule, page->transaction));
    return true;
}

Answer<std::optional<KeptAccount::Page>> KeptAccount::draw_up(const Happening& happening) {
    const auto mail = TRY(facts_.find(happening.mail_id));
    const auto entry = TRY(make_entry(happening, mail));
    // What is told late of somebody who was erased is kept nowhere, and counted nowhere.
    if (TRY(parts_.suppressions.is_forgotten(entry.email))) return std::optional<Page>();
    const auto sight = TRY(look(entry));
    if (sight.is_known) return std::optional<Page>();
    Page page{.transaction = {},
              .touches = entry.email + "\n" + std::string(kind_of(entry.happening))};
    TRY(write(page.transaction, entry, sight, mail));
    return std::optional(std::move(page));
}

// All in one question: what was noted of it, of its mail by this person, and in its place.
Result<KeptAccount::Sight> KeptAccount::look(const Entry& entry) const {
    const auto& happening = entry.happening;
    const bool is_sent = happening.type == EventType::sent;
    const auto partition = rows::person(entry.email);
    auto own = asking(parts_.settings.tables.own);
    auto placed = asking(is_sent ? parts_.audience : parts_.settings.tables.events);
    own.keys.push_back(rows::done(happening.id));
    if (!entry.mail.empty()) own.keys.push_back(rows::mail_by(entry.mail, entry.email));
    std::vector<std::string> sorts;
    for (const auto tail : tails) {
        sorts.push_back(rows::sort_of(happening.type, happening.at, happening.id, tail));
        placed.keys.push_back(rows::key(partition, sorts.back()));
    }
    std::map<std::string, table::Item, std::less<>> found;
    for (auto& row : TRY(table::get_all(parts_.store, {{std::move(own), std::move(placed)}}))) {
        auto place = place_of(row.text("PK").value_or(""), row.text("SK").value_or(""));
        found.emplace(std::move(place), std::move(row));
    }
    const auto at = [&](const table::Item& key) {
        return found.find(place_of(*key.text("PK"), *key.text("SK")));
    };
    Sight sight;
    sight.is_known = at(rows::done(happening.id)) != found.end();
    const auto by = at(rows::mail_by(entry.mail, entry.email));
    sight.is_first = by == found.end() || !by->second.has(kind_of(happening));
    // A mail is delivered to a person once, whoever says so.
    sight.is_known |= happening.type == EventType::delivery && !sight.is_first;
    for (const auto& sort : sorts) {
        const auto row = found.find(place_of(partition, sort));
        if (row == found.end() && sight.sort.empty()) sight.sort = sort;
        if (row == found.end()) continue;
        const auto id = row->second.text(is_sent ? "mailroomEventId" : "eventId");
        sight.is_known |= id == happening.id;
    }
    if (sight.sort.empty()) sight.is_known = true;
    return sight;
}

Result<> KeptAccount::write(schedule::Transaction& transaction, const Entry& entry,
                            const Sight& sight, const std::optional<FollowedMail>& mail) {
    const auto& happening = entry.happening;
    write_mark(transaction, entry);
    write_row(transaction, entry, sight);
    write_counts(transaction, entry, sight, mail);
    if (const auto deed = deed_of(happening)) {
        TRY(parts_.activities.add_to(transaction, entry.email, *deed, happening.at));
    }
    const Event event{.happening = happening,
                      .email = entry.email,
                      .partition = rows::person(entry.email),
                      .sort = sight.sort,
                      .is_unique = sight.is_first && !happening.is_machine,
                      .mail = mail ? &*mail : nullptr};
    for (auto* witness : witnesses_) TRY(witness->add_to(transaction, event));
    return Ok{};
}

void KeptAccount::write_mark(schedule::Transaction& transaction, const Entry& entry) const {
    const auto now = parts_.clock.now();
    auto mark = rows::done(entry.happening.id);
    mark.set("At", table::Value(to_unix_ms(entry.happening.at)));
    mark.set(rows::expiry,
             table::Value(std::max(kept_until(), to_unix_seconds(now + marks_kept_for))));
    transaction.put(parts_.settings.tables.own, std::move(mark)).if_absent(rows::partition_key);
}

void KeptAccount::write_row(schedule::Transaction& transaction, const Entry& entry,
                            const Sight& sight) const {
    const bool is_sent = entry.happening.type == EventType::sent;
    const auto& table = is_sent ? parts_.audience : parts_.settings.tables.events;
    transaction.put(table, row_of(entry, sight.sort, kept_until())).if_absent(rows::partition_key);
}

void KeptAccount::write_counts(schedule::Transaction& transaction, const Entry& entry,
                               const Sight& sight, const std::optional<FollowedMail>& mail) const {
    const auto& happening = entry.happening;
    const auto counts = counts_of(happening, sight.is_first);
    const auto& own = parts_.settings.tables.own;
    sequences_.add_to(transaction, happening.sequence_id, counts);
    if (mail) facts_.keep(transaction, *mail, counts, kept_until());
    if (mail && (happening.type == EventType::sent || happening.type == EventType::bounce)) {
        facts_.name(transaction, mail->id, mail->message_id, kept_until());
    }
    if (sight.is_first && !entry.mail.empty()) {
        const auto kind = kind_of(happening);
        auto& by = transaction.update(own, rows::mail_by(entry.mail, entry.email));
        by.set(kind, to_unix_ms(happening.at)).if_absent(kind);
        if (kept_until() > 0) by.set(rows::expiry, kept_until());
    }
    numbers_.add_to(transaction, entry, counts);
}

}  // namespace mailroom::engagement
