#include "schedule/held_job.h"

#include "base/text.h"

#include <cassert>
#include <utility>

namespace mailroom::schedule {

namespace {

// For people; what a remote server said may be longer.
constexpr std::size_t reason_bytes_max = 4 * 1024;

}  // namespace

HeldJob::HeldJob(Core& core, std::shared_ptr<Board> board, Row row, std::chrono::milliseconds lease)
    : core_(core), board_(std::move(board)), row_(std::move(row)), lease_(lease) {}

HeldJob::~HeldJob() {
    if (!ended_) board_->job_dropped(row_.position);
}

std::int64_t HeldJob::unended_claims() const { return interrupted() ? row_.interruptions + 1 : 0; }

template <class Write>
void HeldJob::only_if_held(Write& write) const {
    if (own_claim_) {
        // Not on LeaseUntil, which the crew prolongs at any time.
        write.when(attribute::lease, own_claim_->lease);
    } else if (row_.claim) {
        // If they were only late and prolonged it after we read, it is theirs.
        write.when(attribute::lease, row_.claim->lease)
            .when(attribute::lease_until, to_unix_ms(row_.claim->until));
    } else {
        write.if_present(attribute::queue).if_absent(attribute::lease);
    }
}

void HeldJob::note_end(Transaction& transaction) {
    transaction.note_done([self = shared_from_this()] {
        self->ended_ = true;
        self->board_->job_ended(self->row_.position);
    });
}

void HeldJob::note_claim(Transaction& transaction, Claim claim) {
    transaction.note_done([self = shared_from_this(), claim = std::move(claim)] {
        self->own_claim_ = claim;
        ++self->own_claims_;
        self->board_->job_claimed(self->row_.position, claim);
    });
}

void HeldJob::begin(Transaction& transaction) {
    auto claim = new_claim();
    auto item = row_item(row_.position, row_.data, 1);
    item.set(attribute::lease, table::Value(claim.lease));
    item.set(attribute::lease_until, to_unix_ms(claim.until));
    transaction.put(core_.table(), std::move(item)).if_absent(attribute::queue);
    note_claim(transaction, std::move(claim));
}

std::string_view HeldJob::lease() const {
    if (own_claim_) return own_claim_->lease;
    return row_.claim ? std::string_view(row_.claim->lease) : std::string_view();
}

bool HeldJob::is_surely_held() const {
    if (core_.ownership() == Ownership::sole) return true;
    return board_->is_claimed(row_.position);
}

void HeldJob::claim(Transaction& transaction) { add_claim(transaction); }

void HeldJob::claim(Transaction& transaction, const table::Item& data) {
    add_claim(transaction).set(attribute::data, table::Value::map(data));
}

table::write::Update& HeldJob::add_claim(Transaction& transaction) {
    auto claim = new_claim();
    auto& update = transaction.update(core_.table(), key_item(row_.position));
    update.set(attribute::lease, claim.lease)
        .set(attribute::lease_until, to_unix_ms(claim.until))
        .set(attribute::attempts, attempts_so_far() + 1);
    if (interrupted()) update.set(attribute::interruptions, unended_claims());
    only_if_held(update);
    note_claim(transaction, std::move(claim));
    return update;
}

void HeldJob::mark(std::string text, Then told) {
    assert(own_claim_);
    Transaction transaction;
    auto& update = transaction.update(core_.table(), key_item(row_.position));
    update.add(attribute::marks, table::Value::string_set({std::move(text)}));
    only_if_held(update);
    transaction.note_done([self = shared_from_this()] {});  // It lives until all is told.
    if (core_.ownership() == Ownership::sole) {
        return commit(std::move(transaction), nullptr, std::move(told));
    }
    // Tables at a distance are waited for, and whoever marks may have no time.
    board_->await();
    auto sealed = std::make_shared<const SealedTransaction>(std::move(transaction).seal());
    board_->post_awaited([this, sealed, told = std::move(told)] { told(core_.commit(*sealed)); });
}

void HeldJob::commit(Transaction transaction, Then then, Then told) {
    board_->await();
    auto shared = std::make_shared<const SealedTransaction>(std::move(transaction).seal());
    core_.commit(shared, [this, board = board_, shared, then = std::move(then),
                          told = std::move(told)](const table::Outcome<>& committed) mutable {
        const bool again = !committed && is_temporary(committed.error());
        if (told && !again) told(committed);
        if (!again && !then) {
            // All that holds this job goes before the crew may end.
            told = nullptr;
            shared.reset();
            return board->await_no_more();
        }
        // This job lives as long as its transaction: all that holds it goes to the crew's thread,
        // so that it ends there.
        board->post_awaited([this, shared = std::move(shared), then = std::move(then),
                             told = std::move(told), committed, again] {
            if (!again) return then(committed);
            const auto repeated = core_.commit(*shared);
            if (told) told(repeated);
            if (then) then(repeated);
        });
    });
}

void HeldJob::finish(Transaction& transaction) {
    only_if_held(transaction.erase(core_.table(), key_item(row_.position)));
    note_end(transaction);
}

Position HeldJob::move(Transaction& transaction, Time due) {
    return move(
        transaction,
        {.queue = std::string(queue()), .key = std::string(key()), .due = due, .data = row_.data});
}

Position HeldJob::move(Transaction& transaction, NewJob next) {
    if (next.queue.empty()) next.queue = queue();
    if (next.key.empty()) next.key = key();
    const auto attempts = next.queue == queue() ? attempts_so_far() : 0;
    note_end(transaction);
    if (position_of(next.queue, next.key, next.due) != row_.position) {
        only_if_held(transaction.erase(core_.table(), key_item(row_.position)));
        return core_.add(transaction, next, attempts);
    }
    // A transaction may name an item once.
    only_if_held(transaction.put(core_.table(), row_item(row_.position, next.data, attempts)));
    transaction.note_added({.position = row_.position, .data = next.data, .attempts = attempts});
    return row_.position;
}

void HeldJob::bury(Transaction& transaction, std::string_view reason) {
    only_if_held(transaction.erase(core_.table(), key_item(row_.position)));
    const Position grave{dead_partition_name(queue()), place_of(core_.clock().now(), key())};
    auto item = row_item(grave, row_.data, attempts_so_far());
    item.set(attribute::reason, table::Value(truncate_utf8(reason, reason_bytes_max)));
    transaction.put(core_.table(), std::move(item)).if_absent(attribute::queue);
    note_end(transaction);
}

}  // namespace mailroom::schedule
