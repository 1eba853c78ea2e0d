#include "sim/host.h"

#include "sim/faults.h"

#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr auto sweep_pause = 60s;
constexpr std::size_t sweep_items_max = 10'000;
// A kill comes within so many commits, or calls of a remote store.
constexpr std::uint64_t commits_max = 60, calls_max = 400;

// As the app does; to trim it is work that only time brings.
Result<> keep_history(table::Engine& engine) {
    constexpr const char* table = "EmailTrackingTable";
    const auto kept = TRY(engine.backups().continuous(table));
    if (!kept.setting.enabled) TRY(engine.backups().set_continuous(table, {.enabled = true}));
    return Ok{};
}

}  // namespace

Host::Host(Events& events, Judge& judge, const Plan& plan, Options options)
    : events_(events),
      judge_(judge),
      plan_(plan),
      options_(std::move(options)),
      clock_(events.clock, options_.skew) {}

Host::~Host() { go_down(CrashingRows::Loss::nothing); }

bool Host::was_killed() const { return rows_.has_crashed() || (line_ && line_->is_cut()); }

void Host::start() {
    const auto opened = open();
    if (opened && !was_killed()) {
        ++counts_.starts;
        events_.note("node " + std::to_string(options_.number) + " is up");
        if (ready) ready();
        return;
    }
    const bool killed = was_killed();
    events_.note("node " + std::to_string(options_.number) +
                 " does not start: " + (opened ? "killed" : opened.error().message));
    go_down(killed ? CrashingRows::Loss::unsynced : CrashingRows::Loss::nothing);
    events_.after(5s, [this] { start(); });
}

Result<> Host::open() {
    const auto life = static_cast<std::uint64_t>(options_.number) * 1'000'003 +
                      events_.chance.below(1'000'000'000);
    random_ = std::make_unique<SeededRandom>(plan_.seed * 31 + life);
    auto* store = options_.remote;
    if (store == nullptr) {
        forgetful_rows_ = plant_in_rows(plan_.fault, rows_);
        kv::Store& rows = forgetful_rows_ ? *forgetful_rows_ : rows_;
        engine_ = TRY(table::Engine::open(rows, clock_, *random_,
                                          {.commit_mode = kv::Committer::Mode::immediate}));
        store = engine_.get();
    }
    careless_store_ = plant_in_store(plan_.fault, *store);
    if (careless_store_) store = careless_store_.get();
    line_ = std::make_unique<Line>(*store, life);
    line_->wrote = [this](const table::TransactWrite& request) { judge_.look_at(request); };
    if (options_.remote != nullptr) line_->meanwhile = [this](Line::Call call) { meanwhile(call); };
    const auto awake_at = [this] { return awake_at_; };
    peer_ = std::make_unique<Peer>(events_, judge_, plan_.manners, awake_at);
    hooks_ = std::make_unique<Hooks>(events_, judge_, plan_.web, awake_at);
    NodeOptions options;
    if (plan_.is_shared()) options.ownership = schedule::Ownership::shared;
    if (plan_.retries_unknown) options.unknown = outbox::UnknownPolicy::retry;
    options.slates = options_.slates;
    options.boot = "boot" + std::to_string(boot_);
    options.guard = plant_guard(plan_.fault);
    node_ = TRY(Node::start({*line_, clock_, *random_, *peer_, *hooks_}, options));
    if (engine_) TRY(keep_history(*engine_));
    next_look_ = next_sweep_ = events_.now();
    return Ok{};
}

void Host::kill() {
    if (!is_up()) return;
    rows_.crash();
    line_->cut();
}

void Host::kill_soon() {
    if (!is_up()) return;
    auto& chance = events_.chance;
    const bool is_done = chance.one_in(2);
    if (options_.remote != nullptr) {
        return line_->cut_in(1 + chance.below(calls_max),
                             is_done ? Line::Last::done : Line::Last::not_done);
    }
    rows_.crash_in(1 + chance.below(commits_max),
                   is_done ? CrashingRows::Last::done : CrashingRows::Last::not_done);
}

void Host::freeze(std::chrono::milliseconds length) {
    if (!is_awake()) return;
    ++counts_.freezes;
    judge_.process_ended();
    events_.note("node " + std::to_string(options_.number) + " stands still");
    awake_at_ = events_.now() + length;
    events_.at(awake_at_, [] {});
}

void Host::set_clock(std::chrono::milliseconds skew) {
    events_.note("node " + std::to_string(options_.number) + " is off by " +
                 std::to_string(skew.count()) + " ms");
    clock_.set(skew);
}

void Host::fill_disk(std::chrono::milliseconds length) {
    if (options_.remote != nullptr) return;
    ++counts_.full_disks;
    events_.note("the disk is full");
    rows_.fill_disk();
    events_.after(length, [this] { rows_.free_disk(); });
}

void Host::bury_if_killed() {
    if (!is_up() || !was_killed()) return;
    auto& chance = events_.chance;
    // The dead process's machine may have lost its power, or only the process ended.
    const bool power = options_.remote == nullptr && chance.one_in(2);
    ++(power ? counts_.power_cuts : counts_.kills);
    if (power) ++boot_;
    events_.note("node " + std::to_string(options_.number) +
                 (power ? " loses its power" : " is killed"));
    judge_.process_ended();
    go_down(power ? CrashingRows::Loss::unsynced : CrashingRows::Loss::nothing);
    events_.after(chance.between(1s, chance.one_in(5) ? 6h : 60s), [this] { start(); });
}

// The dead one finds nothing any more: what it still does has no effect.
void Host::go_down(CrashingRows::Loss loss) {
    rows_.crash();
    if (line_) line_->cut();
    if (peer_) peer_->forget_all();
    if (hooks_) hooks_->forget_all();
    node_.reset();
    hooks_.reset();
    peer_.reset();
    line_.reset();
    careless_store_.reset();
    engine_.reset();
    forgetful_rows_.reset();
    rows_.restart(loss, events_.chance);
    awake_at_ = {};
}

void Host::run() {
    if (!is_awake()) return;
    if (events_.now() >= next_look_) look();
    node_->run();
}

void Host::look() {
    next_look_ = events_.now() + 1s;
    node_->look();
    if (engine_ == nullptr || events_.now() < next_sweep_) return;
    next_sweep_ = events_.now() + sweep_pause;
    if (node_->keep_what_waits()) static_cast<void>(engine_->sweep_expired(sweep_items_max));
}

void Host::handle(http::Request request, const std::function<void(http::Response)>& reply) {
    const auto* asked = node_.get();
    node_->handle(std::move(request), [this, asked, reply](http::Response answer) {
        // What a dead one says is not heard.
        if (node_.get() == asked && !was_killed()) reply(std::move(answer));
    });
    // Those that wait a moment to leave at once are looked after in time.
    events_.after(60ms, [this] { next_look_ = std::min(next_look_, events_.now()); });
}

}  // namespace mailroom::sim
