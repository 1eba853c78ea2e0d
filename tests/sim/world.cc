#include "sim/world.h"

#include <algorithm>
#include <utility>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

constexpr auto day = std::chrono::hours(24);
constexpr auto client_patience = 30s;
// After everybody has stopped: all that waits is over by then.
constexpr auto quiet_time = 9 * day;
constexpr auto audit_pause = 12h;
constexpr auto expiry_pause = 2h;  // The remote store takes its time.
constexpr std::size_t sweep_items_max = 100'000;

const Time beginning = from_unix_ms(1'763'632'800'000);  // 2025-11-20T10:00:00Z

}  // namespace

World::World(const Plan& plan)
    : plan_(plan),
      events_(plan.seed, beginning),
      judge_(events_, plan.retries_unknown),
      clients_(events_, *this, judge_),
      operators_(events_, *this, judge_),
      keepers_(events_, *this, judge_, operators_),
      office_(events_, *this, judge_),
      others_(events_, judge_, [this](const std::string& mail) { follow(mail); }) {}

World::~World() = default;

void World::open() {
    if (plan_.is_shared()) {
        remote_random_ = std::make_unique<SeededRandom>(plan_.seed);
        auto opened = table::Engine::open(remote_rows_, events_.clock, *remote_random_,
                                          {.commit_mode = kv::Committer::Mode::immediate});
        if (!opened) return judge_.complain("no remote store: " + opened.error().message);
        remote_ = *std::move(opened);
        harsh_ = std::make_unique<table::HarshStore>(*remote_, events_.clock, plan_.seed,
                                                     plan_.harshness);
    }
    for (int i = 0; i < plan_.nodes; ++i) {
        const auto skew = events_.chance.between(-plan_.skew_max, plan_.skew_max);
        auto host =
            std::make_unique<Host>(events_, judge_, plan_,
                                   Host::Options{i, plan_.is_shared() ? skew : 0ms, harsh_.get(),
                                                 scratch_.path() / ("ends" + std::to_string(i))});
        host->meanwhile = [this, asking = host.get()](Line::Call call) {
            meanwhile(*asking, call);
        };
        host->ready = [this, started = host.get()] {
            audit();
            look_at_people_of(*started);
        };
        hosts_.push_back(std::move(host));
        hosts_.back()->start();
    }
}

Host* World::some_host() {
    std::vector<Host*> up;
    for (const auto& host : hosts_) {
        if (host->is_up() && host.get() != asking_) up.push_back(host.get());
    }
    return up.empty() ? nullptr : events_.chance.pick(up);
}

// While a node waits for the store, another one does something.
void World::meanwhile(const Host& asking, Line::Call call) {
    const bool is_of_people = call == Line::Call::change_of_person;
    const auto one_in = is_of_people ? 2 : call == Line::Call::transaction ? 6 : 120;
    if (asking_ != nullptr || !events_.chance.one_in(one_in)) return;
    asking_ = &asking;
    auto* other = some_host();
    auto& chance = events_.chance;
    if (other != nullptr && is_of_people && plan_.meanwhile_acts > 0) {
        operators_.keep_the_same();
        other->run();
    } else if (other != nullptr && chance.one_in(2)) {
        other->run();
    } else if (other != nullptr && plan_.meanwhile_acts > 0) {
        --plan_.meanwhile_acts;
        do_something_meanwhile();
        other->run();
    }
    asking_ = nullptr;
}

void World::do_something_meanwhile() {
    switch (events_.chance.below(8)) {
        case 0:
        case 1:
            operators_.suppress(judge_.last_recipient());
            return;
        case 2:
            return clients_.post_again();
        case 3:
            return keepers_.act_again();
        case 4:
            return keepers_.act();
        default:
            return office_.act();
    }
}

void World::ask(http::Request request, Told told) {
    auto& chance = events_.chance;
    auto* host = some_host();
    const bool is_lost = chance.one_in(40);
    if (host == nullptr || is_lost) {
        events_.after(1s, [told = std::move(told)] { told(std::nullopt); });
        return;
    }
    // Told once: the answer or the end of patience.
    const auto once = std::make_shared<Told>(std::move(told));
    const auto tell = [once](const std::optional<http::Response>& answer) {
        if (const auto tell_it = std::exchange(*once, nullptr)) tell_it(answer);
    };
    events_.after(client_patience, [tell] { tell(std::nullopt); });
    if (!host->is_awake()) return;
    const bool loses_answer = chance.one_in(25);
    if (loses_answer) ++lost_answers_;
    host->handle(std::move(request), [this, tell, loses_answer](http::Response answer) {
        if (loses_answer) return;
        // In the middle of what another node does: before that goes on.
        if (asking_ != nullptr) return tell(answer);
        events_.after(events_.chance.between(1ms, 50ms),
                      [tell, answer = std::move(answer)] { tell(answer); });
    });
}

// At moments of their own, many close to each other.
template <class Act>
void World::spread(int times, Act act) {
    auto& chance = events_.chance;
    auto at = events_.now();
    const auto end = events_.now() + plan_.length;
    for (int i = 0; i < times; ++i) {
        if (i == 0 || chance.one_in(4)) at = events_.now() + chance.between(1s, plan_.length);
        at = std::min(at + chance.between(0s, 5s), end);
        events_.at(at, act);
    }
}

void World::plan_actions() {
    auto& chance = events_.chance;
    const auto host_then = [this, &chance](auto what) {
        return [this, &chance, what] { what(*hosts_[chance.below(hosts_.size())]); };
    };
    spread(plan_.posts, [this] { clients_.post(); });
    spread(plan_.acts, [this] { operators_.act(); });
    spread(plan_.people_acts, [this] { operators_.keep_people(); });
    spread(plan_.keeper_acts, [this] { keepers_.act(); });
    spread(plan_.others_acts, [this] { let_others_act(); });
    spread(plan_.office_acts, [this] { office_.act(); });
    spread(plan_.kills,
           host_then([&chance](Host& host) { chance.one_in(4) ? host.kill() : host.kill_soon(); }));
    spread(plan_.freezes,
           host_then([&chance](Host& host) { host.freeze(chance.between(1s, 5min)); }));
    spread(plan_.clock_steps, host_then([this, &chance](Host& host) {
               host.set_clock(chance.between(-plan_.skew_max, plan_.skew_max));
           }));
    spread(plan_.full_disks,
           host_then([&chance](Host& host) { host.fill_disk(chance.between(1s, 10min)); }));
    for (auto at = events_.now(); at < events_.now() + plan_.length; at += audit_pause) {
        events_.at(at, [this] { audit(); });
    }
}

// Through a node's endpoint, which tells what was written; if it is killed before that is followed,
// the next start looks at all.
void World::let_others_act() {
    auto* host = some_host();
    if (host == nullptr || !host->is_awake()) return;
    others_.act(host->store(), host->node().people_watch());
    events_.after(events_.chance.between(0ms, 3s), [host] {
        if (host->is_awake()) host->node().follow_people();
    });
}

// A node that starts does not know what was not followed before.
void World::look_at_people_of(Host& host) {
    events_.after(events_.chance.between(0ms, 5s), [&host] {
        if (host.is_awake()) host.node().follow_all_people();
    });
}

void World::follow(const std::string& mail) {
    events_.after(events_.chance.between(0ms, 3s), [this, mail] {
        auto* host = some_host();
        if (host != nullptr && host->is_awake()) host->node().follow(mail);
    });
}

void World::audit() {
    for (const auto& host : hosts_) {
        if (!host->is_awake()) continue;
        return judge_.audit(host->node().ledger(), host->node().schedule());
    }
}

// While anything is in hand, soon; else when something is due.
Time World::next_tick() {
    const auto now = events_.now();
    bool is_busy = false;
    auto next = now + 1h;
    for (const auto& host : hosts_) {
        if (!host->is_awake()) continue;
        if (host->in_hand() > 0) is_busy = true;
    }
    if (is_busy) return now + events_.chance.between(100ms, 8s);
    const auto event = events_.next();
    if (event && *event < now + 20s) return *event;
    for (const auto& host : hosts_) {
        if (!host->is_awake()) continue;
        // What is due, and not run, is somebody's who is not there.
        if (const auto due = host->next_due()) next = std::min(next, std::max(*due, now + 10s));
    }
    return next;
}

void World::step() {
    for (const auto& host : hosts_) {
        host->run();
        host->bury_if_killed();
    }
    if (!remote_ || events_.now() < next_sweep_) return;
    next_sweep_ = events_.now() + expiry_pause;
    static_cast<void>(remote_->sweep_expired(sweep_items_max));
    harsh_->forget_past();
}

void World::live_until(Time end) {
    while (events_.now() < end && !is_over()) {
        const auto tick = std::min(next_tick(), end);
        static_cast<void>(events_.run_next(tick));
        step();
    }
}

// Everybody is kind from now on, and what people must decide is decided.
void World::calm_down() {
    plan_.manners = Manners{0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    plan_.web = WebManners{0, 0, 0, 0, 0, 0};
    plan_.meanwhile_acts = 0;
    if (harsh_) harsh_->set({});
    events_.note("all is calm");
    for (auto at = events_.now() + 1h; at < events_.now() + quiet_time - 2 * day; at += 6h) {
        events_.at(at, [this] {
            operators_.clear_up();
            // What nobody saw, or could see to.
            auto* host = some_host();
            if (host == nullptr) return;
            host->node().follow_all();
            host->node().follow_all_people();
        });
    }
}

namespace {

// Statistics forget by the hour what has expired: rows and counts agree when an hour has just
// begun, by whatever clock.
Time the_judges_hour(Time after) {
    const auto past = std::chrono::milliseconds(to_unix_ms(after)) % 1h;
    return after - past + 1h + 1min;
}

}  // namespace

Report World::run() {
    open();
    plan_actions();
    live_until(beginning + plan_.length);
    calm_down();
    live_until(the_judges_hour(beginning + plan_.length + quiet_time));
    // A kill that was on its way may come late; whoever is killed is up again after hours at most.
    if (some_host() == nullptr) live_until(events_.now() + 7h);
    auto* host = some_host();
    if (!is_over() && host == nullptr) judge_.complain("no node is up at the end");
    if (!is_over()) {
        auto& node = host->node();
        judge_.close(host->store(), node.ledger(), node.schedule());
    }
    Report report;
    report.complaints = judge_.complaints();
    report.trace = events_.trace();
    report.days = std::chrono::duration<double, std::ratio<86400>>(events_.since_start()).count();
    report.mails = judge_.mails();
    report.faults = lost_answers_;
    for (const auto& one : hosts_) {
        const auto& counts = one->counts();
        report.crashes += counts.kills + counts.power_cuts;
        report.faults += counts.freezes + counts.full_disks;
        report.starts += counts.starts;
    }
    if (harsh_) {
        const auto counts = harsh_->counts();
        report.faults += counts.throttled + counts.conflicts + counts.unprocessed + counts.lost +
                         counts.cut + counts.late;
    }
    hosts_.clear();
    return report;
}

}  // namespace mailroom::sim
