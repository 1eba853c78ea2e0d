#include "table/engine/writer.h"

#include "kv/key.h"
#include "table/engine/changes.h"
#include "table/engine/rows.h"

#include <algorithm>
#include <chrono>

namespace mailroom::table {

namespace {

// Beyond this, new writes are refused until the disk has caught up: memory stays bounded.
constexpr std::size_t pending_bytes_max = 256 * 1024 * 1024;
// DynamoDB remembers a ClientRequestToken for ten minutes.
constexpr std::chrono::milliseconds token_life = std::chrono::minutes(10);
constexpr std::size_t write_unit_bytes = 1024;

double units(std::size_t bytes) {
    return static_cast<double>(
        std::max<std::size_t>(1, (bytes + write_unit_bytes - 1) / write_unit_bytes));
}

Consumed& consumed_of(std::vector<Consumed>& all, const Definition& table) {
    const auto found = std::ranges::find(all, table.name, &Consumed::table);
    if (found != all.end()) return *found;
    all.push_back({table.name, 0, 0, {}});
    return all.back();
}

void add_consumed(std::vector<Consumed>& all, const Definition& table, const Written& written,
                  double factor) {
    auto& consumed = consumed_of(all, table);
    consumed.table_write += factor * units(written.item_bytes);
    for (const auto& entry : written.entries) {
        const auto& name = entry.index->spec.name;
        auto found = std::ranges::find(consumed.indexes, name, &Consumed::Index::name);
        if (found == consumed.indexes.end()) {
            consumed.indexes.push_back({name, entry.index->local, 0, 0});
            found = consumed.indexes.end() - 1;
        }
        found->write += factor * static_cast<double>(entry.units);
    }
}

void count(Tally& tally, const Definition& table, const Written& written) {
    tally.add({table.id, written.more_items, written.more_bytes});
    for (const auto& entry : written.entries) {
        tally.add({entry.index->id, entry.more_items, entry.more_bytes});
    }
}

CancellationReason reason_of(const Failure& refusal) {
    const bool condition = refusal.fault == Fault::conditional_check_failed;
    return {condition ? "ConditionalCheckFailed" : "ValidationError", refusal.message,
            refusal.item};
}

Failure cancelled(std::vector<CancellationReason> reasons) {
    std::string codes;
    for (const auto& reason : reasons) {
        if (!codes.empty()) codes += ", ";
        codes += reason.code;
    }
    return {Fault::transaction_canceled,
            "Transaction cancelled, please refer cancellation reasons for specific reasons [" +
                codes + "]",
            std::move(reasons)};
}

}  // namespace

// What a group will do: filled in under the rows' locks.
struct Writer::Plan {
    std::vector<Pending::Key> keys;
    kv::Batch batch;
    ExpiryGroups expiring;  // Of new items.
    struct NewRow {
        const Pending::Key* key;
        std::optional<std::string> value;
    };
    std::vector<NewRow> rows;
    std::vector<HeardChange> heard;
    bool rests_on_queued = false;
    std::optional<Failure> refusal;
    GroupResult result;
};

Writer::Writer(Core& core) : core_(core) {
    // Later batches were decided on rows that are now lost, so they go too. In immediate mode
    // nothing is ever queued, and the caller still holds its locks.
    if (core_.immediate()) return;
    core_.committer.on_failure([this](const kv::Committer::DropQueued& drop_queued) {
        const auto changing = core_.catalog.change();
        core_.pending.clear();
        drop_queued();
    });
}

void Writer::run(const Group& group, Rule rule, const std::optional<Token>& token, Done done) {
    if (core_.committer.pending_bytes() > pending_bytes_max) {
        done(Failure{Fault::throttling, "Too many writes are waiting for the disk; try again"});
        return;
    }
    const auto token_row = token ? token_key(token->text) : std::string();
    Plan plan;
    plan.keys.reserve(group.steps.size() + 1);
    for (const auto& step : group.steps) plan.keys.emplace_back(step.row);
    if (token) plan.keys.emplace_back(token_row);

    const Pending::Lock lock(core_.pending, plan.keys);
    const auto order = core_.streams.order(group.steps);
    bool repeated = false;
    if (token) {
        auto redeemed = redeem(*token, plan.keys.back(), plan);
        if (!redeemed) return done(std::move(redeemed).error());
        repeated = *redeemed;
    }
    if (!repeated && !plan.refusal) {
        if (auto planned = this->plan(group.steps, rule, plan); !planned) {
            return done(std::move(planned).error());
        }
        for (const auto& [row, what] : group.additions) plan.batch.defer(row, what);
        if (token && !plan.refusal) {
            const auto until =
                static_cast<std::uint64_t>(to_unix_ms(core_.clock.now() + token_life));
            std::string value;
            kv::append_u64(value, until);
            value += token->fingerprint;
            plan.batch.put(token_row, value);
            plan.batch.put(token_end_key(until, token->text), {});
            plan.rows.push_back({&plan.keys.back(), std::move(value)});
        }
    }
    queue(plan, std::move(done));
}

Outcome<Writer::Look> Writer::look(const Pending::Key& row) const {
    if (const auto* known = core_.pending.find(row)) return Look{known->value, known->is_queued()};
    auto stored = core_.kv.get(row.text);
    if (!stored) return from_storage(stored.error());
    return Look{*std::move(stored), false};
}

// Whether the token was used before for the same request.
Outcome<bool> Writer::redeem(const Token& token, const Pending::Key& row, Plan& plan) const {
    const auto used = TRY(look(row));
    plan.rests_on_queued = used.queued;
    if (!used.value) return false;
    std::string_view in = *used.value;
    const auto until = kv::read_u64(in);
    if (!until || *until <= static_cast<std::uint64_t>(to_unix_ms(core_.clock.now()))) return false;
    if (in != token.fingerprint) {
        plan.refusal = Failure{Fault::idempotent_parameter_mismatch,
                               "A ClientRequestToken was used before with other parameters"};
        return false;
    }
    return true;
}

Outcome<> Writer::plan(std::span<const Step> steps, Rule rule, Plan& plan) const {
    std::vector<std::pair<Look, Decision>> decided;
    decided.reserve(steps.size());
    std::vector<CancellationReason> reasons(rule == Rule::transaction ? steps.size() : 0);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto before = steps[i].is_new ? Look{} : TRY(look(plan.keys[i]));
        plan.rests_on_queued |= before.queued;
        auto decision = decide(steps[i], before.value);
        if (decision.refusal) {
            if (rule == Rule::transaction) reasons[i] = reason_of(*decision.refusal);
            plan.refusal = std::move(decision.refusal);
        }
        decided.emplace_back(std::move(before), std::move(decision));
    }
    if (plan.refusal && rule == Rule::transaction) plan.refusal = cancelled(std::move(reasons));
    if (plan.refusal) return Ok{};

    // A transaction costs DynamoDB two writes: one to prepare, one to commit.
    const double factor = rule == Rule::transaction ? 2 : 1;
    plan.rows.reserve(plan.keys.size());
    plan.result.attributes.reserve(steps.size());
    Tally tally;
    std::optional<Time> at;  // One for all steps.
    for (std::size_t i = 0; i < steps.size(); ++i) {
        auto& [before, decision] = decided[i];
        if (steps[i].table->records_changes()) {
            if (!at) at = core_.streams.moment(core_.clock.now());
            add_record(steps[i], before.value, decision, *at, plan);
        }
        if (core_.listeners.has(steps[i].table->name)) {
            add_heard(steps[i], before.value, decision, plan);
        }
        const auto written = add_step(steps[i], plan.keys[i], before.value, decision, plan);
        count(tally, *steps[i].table, written);
        add_consumed(plan.result.consumed, *steps[i].table, written, factor);
        plan.result.attributes.push_back(std::move(decision.attributes));
    }
    plan.expiring.add_to(plan.batch);
    tally.defer_to(plan.batch);
    return Ok{};
}

void Writer::add_record(const Step& step, const std::optional<std::string>& before,
                        const Decision& decision, Time at, Plan& plan) const {
    if (!decision.writes) return;
    ItemChange change;
    if (before) change.before = ItemView(*before);
    if (decision.after) change.after = decision.after->view();
    change.by_service = step.kind == Step::Kind::expire;
    core_.streams.add(*step.table, change, at, plan.batch);
}

void Writer::add_heard(const Step& step, const std::optional<std::string>& before,
                       const Decision& decision, Plan& plan) const {
    if (!decision.writes) return;
    const auto what = decision.after ? RowChange::What::there : RowChange::What::gone;
    if (!decision.after && !before) return;
    plan.heard.push_back(
        {step.table->name, what, decision.after ? decision.after->bytes() : *before});
}

Written Writer::add_step(const Step& step, const Pending::Key& key,
                         const std::optional<std::string>& before, Decision& decision, Plan& plan) {
    if (step.kind == Step::Kind::touch && before) {
        add_missing_rows(*step.table, step.row, ItemView(*before), plan.batch);
    }
    if (!decision.writes) return {};
    std::optional<SizedItem> old_item, new_item;
    if (before) {
        const ItemView item(*before);
        old_item = SizedItem{item, item.size_in_item()};
    }
    if (decision.after) new_item = SizedItem{*decision.after, decision.after_bytes};
    auto written = add_changes(*step.table, step.row, old_item, new_item, plan.batch,
                               step.is_new ? &plan.expiring : nullptr);
    std::optional<std::string> bytes;
    if (decision.after) bytes = (*std::move(decision.after)).bytes();
    plan.rows.push_back({&key, std::move(bytes)});
    ++plan.result.written;
    return written;
}

void Writer::queue(Plan& plan, Done done) {
    if (plan.refusal) {
        plan.batch.clear();
        plan.rows.clear();
        plan.heard.clear();
    }
    // An outcome that nobody can lose any more needs no trip to the disk.
    if (plan.batch.empty() && !plan.rests_on_queued) {
        if (plan.refusal) return done(*std::move(plan.refusal));
        return done(std::move(plan.result));
    }

    struct Ticket {
        std::uint64_t number;
        std::vector<const Pending::Entry*> rows;
        std::vector<HeardChange> heard;
        Outcome<GroupResult> outcome;
        Done done;
    };
    auto outcome = plan.refusal ? Outcome<GroupResult>(*std::move(plan.refusal))
                                : Outcome<GroupResult>(std::move(plan.result));
    // Shared because a std::function must be copyable; only the committer keeps it.
    auto ticket = std::make_shared<Ticket>(
        Ticket{next_ticket_++, {}, std::move(plan.heard), std::move(outcome), std::move(done)});
    if (!core_.immediate()) {
        ticket->rows.reserve(plan.rows.size());
        for (auto& [key, value] : plan.rows) {
            ticket->rows.push_back(core_.pending.set(*key, std::move(value), ticket->number));
        }
    }
    core_.committer.submit(plan.batch, [this, ticket](const Result<>& committed) {
        // After a failure, the rows have been forgotten already.
        if (committed) {
            core_.pending.settle(ticket->rows, ticket->number);
            core_.listeners.tell(ticket->heard);
            ticket->done(std::move(ticket->outcome));
        } else {
            ticket->done(from_storage(committed.error()));
        }
    });
}

}  // namespace mailroom::table
