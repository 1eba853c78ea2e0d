#include "schedule/crew.h"

#include "base/log.h"
#include "base/thread_name.h"
#include "schedule/backoff.h"
#include "schedule/board.h"
#include "schedule/core.h"
#include "schedule/held_job.h"
#include "schedule/places.h"
#include "schedule/rows.h"
#include "table/query_builder.h"
#include "table/write_builder.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <map>
#include <thread>
#include <utility>
#include <variant>

namespace mailroom::schedule {

namespace {

// After looks at a partition that the store did not answer.
constexpr Backoff look_again{
    .first = std::chrono::seconds(1), .longest = std::chrono::seconds(30), .jitter = 0.5};
constexpr auto log_interval = std::chrono::seconds(10);
// Claims are prolonged when a third of the lease is left, and looked at often enough to do so.
constexpr int lease_left_parts = 3;
constexpr int lease_check_parts = 12;

// Calls; what it throws, if anything.
template <class Call>
std::optional<std::string> exception_of(Call&& call) {
    try {
        call();
        return std::nullopt;
    } catch (const std::exception& thrown) {
        return thrown.what();
    } catch (...) {
        return "of an unknown type";
    }
}

class AwaitedWork final : public Crew::Awaited {
public:
    explicit AwaitedWork(std::shared_ptr<Board> board) : board_(std::move(board)) {
        board_->await();
    }
    ~AwaitedWork() override {
        if (!posted_) board_->await_no_more();
    }
    AwaitedWork(const AwaitedWork&) = delete;
    AwaitedWork& operator=(const AwaitedWork&) = delete;

    void post(std::function<void()> work) override {
        assert(!posted_);
        posted_ = true;
        board_->post_awaited(std::move(work));
    }

private:
    const std::shared_ptr<Board> board_;
    bool posted_ = false;
};

}  // namespace

class Crew::Impl {
public:
    Impl(Core& core, const Clock& clock, CrewOptions options, Handler handler);
    ~Impl();

    void start();
    std::size_t stop(std::chrono::milliseconds grace);
    void post(std::function<void()> work) { board_->post(std::move(work)); }
    std::shared_ptr<Awaited> await() { return std::make_shared<AwaitedWork>(board_); }
    JobInHand add_in_hand(Transaction& transaction, NewJob job);
    enum class Awaiting { wait, leave };
    std::size_t run_due(Awaiting awaiting);
    std::size_t in_hand() const { return board_->in_hand(); }

private:
    void work();
    void keep_claims();
    void prolong_claims();
    void prolong(const Position& position, const Claim& claim);
    void perform(Board::Task task);
    void look(const Board::Look& look);
    void hand_out(Row row);
    void bury(HeldJob& job);
    table::Outcome<table::Page> query_due(const Board::Look& look);
    table::Outcome<std::optional<Time>> query_first_later(const Board::Look& look);
    void look_failed(const Board::Look& look, const table::Failure& failure);

    Core& core_;
    const Clock& clock_;
    const CrewOptions options_;
    const Handler handler_;
    const std::shared_ptr<Board> board_;
    std::vector<std::thread> threads_;
    std::map<std::string, std::int64_t> failed_looks_;  // In a row. One thread looks at a time.
    log::RateLimit look_failures_{log_interval};
};

Crew::Impl::Impl(Core& core, const Clock& clock, CrewOptions options, Handler handler)
    : core_(core),
      clock_(clock),
      options_(std::move(options)),
      handler_(std::move(handler)),
      board_(std::make_shared<Board>(BoardOptions{.queues = options_.queues,
                                                  .jobs_max = options_.jobs_max,
                                                  .lease = options_.lease,
                                                  .poll = options_.poll,
                                                  .ownership = core.ownership(),
                                                  .node = core.node()},
                                     core.steady())) {
    assert(std::ranges::all_of(options_.queues, is_queue_name));
    core_.join(board_);
}

Crew::Impl::~Impl() {
    stop(std::chrono::milliseconds(0));
    board_->close();
    for (auto& thread : threads_) thread.join();
    core_.leave(board_);
}

void Crew::Impl::start() {
    assert(threads_.empty());
    if (options_.threads == 0) return;
    for (std::size_t i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { work(); });
    // Handlers may block all the others.
    threads_.emplace_back([this] { keep_claims(); });
}

std::size_t Crew::Impl::stop(std::chrono::milliseconds grace) {
    board_->stop();
    if (threads_.empty()) run_due(Awaiting::wait);
    return board_->wait_until_idle(grace);
}

std::size_t Crew::Impl::run_due(Awaiting awaiting) {
    assert(threads_.empty());
    prolong_claims();
    std::size_t jobs = 0;
    for (;;) {
        auto task = board_->take(clock_.now());
        if (std::holds_alternative<std::monostate>(task)) {
            if (awaiting == Awaiting::wait && board_->wait_for_awaited()) continue;
            return jobs;
        }
        if (std::holds_alternative<Row>(task)) ++jobs;
        perform(std::move(task));
    }
}

void Crew::Impl::work() {
    name_thread("crew");
    for (;;) {
        auto task = board_->wait(clock_);
        if (std::holds_alternative<std::monostate>(task)) return;
        perform(std::move(task));
    }
}

void Crew::Impl::perform(Board::Task task) {
    if (auto* posted = std::get_if<Board::Work>(&task)) {
        const auto thrown = exception_of(*posted);
        if (thrown) log::error("work that was posted failed", {{"exception", *thrown}});
    } else if (const auto* wanted = std::get_if<Board::Look>(&task)) {
        look(*wanted);
    } else {
        hand_out(std::get<Row>(std::move(task)));
    }
}

void Crew::Impl::hand_out(Row row) {
    auto job = std::make_shared<HeldJob>(core_, board_, std::move(row), options_.lease);
    if (job->unended_claims() >= options_.attempts_max) return bury(*job);
    const auto thrown = exception_of([&] { handler_(job); });
    if (!thrown) return;
    log::error("the handler of a job failed; it will be tried again",
               {{"job", job->position().text()}, {"exception", *thrown}});
}

JobInHand Crew::Impl::add_in_hand(Transaction& transaction, NewJob job) {
    auto position = position_of(job.queue, job.key, job.due);
    assert(std::ranges::find(options_.queues, job.queue) != options_.queues.end());
    if (!board_->hold(position, clock_.now())) return nullptr;
    auto held = std::make_shared<HeldJob>(
        core_, board_, Row{.position = std::move(position), .data = std::move(job.data)},
        options_.lease);
    held->begin(transaction);
    return held;
}

void Crew::Impl::bury(HeldJob& job) {
    Transaction together;
    job.bury(together, "It was begun " + std::to_string(job.unended_claims()) +
                           " times and never ended: whoever had it stopped or crashed.");
    const auto buried = core_.commit(std::move(together).seal());
    const auto name = job.position().text();
    if (buried) {
        log::error("a job was buried: it was begun too often and never ended", {{"job", name}});
    } else {
        log::warn("a job could not be buried", {{"job", name}, {"why", buried.error().message}});
    }
}

table::Outcome<table::Page> Crew::Impl::query_due(const Board::Look& look) {
    const auto end = end_of(look.range.now);
    if (look.range.from > end) return table::Page{};
    return core_.store().query(table::from(core_.table())
                                   .partition(attribute::queue, look.partition)
                                   .between(attribute::position, look.range.from, end)
                                   .limit(static_cast<std::int64_t>(look.rows_max))
                                   .consistent());
}

table::Outcome<std::optional<Time>> Crew::Impl::query_first_later(const Board::Look& look) {
    const auto page =
        TRY(core_.store().query(table::from(core_.table())
                                    .partition(attribute::queue, look.partition)
                                    .above(attribute::position, end_of(look.range.now))
                                    .limit(1)
                                    .consistent()));
    if (page.items.empty()) return std::optional<Time>();
    const auto place = page.items.front().text(attribute::position);
    if (!place || !is_place(*place)) return std::optional<Time>();
    return std::optional(due_of(*place));
}

void Crew::Impl::look(const Board::Look& look) {
    auto page = query_due(look);
    if (!page) return look_failed(look, page.error());
    std::vector<Row> rows;
    rows.reserve(page->items.size());
    for (const auto& item : page->items) {
        auto row = read_row(item);
        if (row) rows.push_back(*std::move(row));
    }
    std::optional<std::string> last;
    if (!page->items.empty()) last = page->items.back().text(attribute::position);
    failed_looks_.erase(look.partition);
    if (board_->looked(look, std::move(rows), last, page->last_key.has_value())) return;
    const auto later = query_first_later(look);
    if (!later) return look_failed(look, later.error());
    board_->looked_later(look, *later);
}

void Crew::Impl::look_failed(const Board::Look& look, const table::Failure& failure) {
    const auto now = clock_.now();
    if (const auto dropped = look_failures_.pass(now)) {
        log::error("due jobs could not be looked for",
                   {{"queue", look.partition}, {"why", failure.message}, {"dropped", *dropped}});
    }
    const auto failures = ++failed_looks_[look.partition];
    board_->look_failed(look, now + look_again.pause(failures, core_.random()));
}

void Crew::Impl::keep_claims() {
    name_thread("claims");
    const auto pause = std::max<std::chrono::milliseconds>(options_.lease / lease_check_parts,
                                                           std::chrono::milliseconds(1));
    while (!board_->wait_for_close(pause)) prolong_claims();
}

void Crew::Impl::prolong_claims() {
    const auto claims = board_->claims_to_prolong(options_.lease / lease_left_parts);
    for (const auto& [position, claim] : claims) prolong(position, claim);
}

void Crew::Impl::prolong(const Position& position, const Claim& claim) {
    const auto until = clock_.now() + options_.lease;
    const auto safe_until = core_.steady().now() + options_.lease;
    const auto prolonged =
        core_.store().update(table::write::Update(core_.table(), key_item(position))
                                 .set(attribute::lease_until, to_unix_ms(until))
                                 .when(attribute::lease, claim.lease));
    if (prolonged) return board_->prolonged(position, {claim.lease, until, safe_until});
    // Ended in this moment, or somebody took it. Other failures are tried again at the next turn.
    if (prolonged.error().fault == table::Fault::conditional_check_failed) {
        board_->lost(position, claim);
    }
}

Crew::Crew(Schedule& schedule, const Clock& clock, CrewOptions options, Handler handler)
    : impl_(
          std::make_unique<Impl>(*schedule.core_, clock, std::move(options), std::move(handler))) {}

Crew::~Crew() = default;

void Crew::start() { impl_->start(); }

std::size_t Crew::stop(std::chrono::milliseconds grace) { return impl_->stop(grace); }

JobInHand Crew::add_in_hand(Transaction& transaction, NewJob job) {
    return impl_->add_in_hand(transaction, std::move(job));
}

std::shared_ptr<Crew::Awaited> Crew::await() { return impl_->await(); }

void Crew::post(std::function<void()> work) { impl_->post(std::move(work)); }

std::size_t Crew::run_due() { return impl_->run_due(Impl::Awaiting::wait); }

std::size_t Crew::run_ready() { return impl_->run_due(Impl::Awaiting::leave); }

std::size_t Crew::in_hand() const { return impl_->in_hand(); }

}  // namespace mailroom::schedule
