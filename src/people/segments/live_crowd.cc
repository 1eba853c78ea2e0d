#include "people/segments/live_crowd.h"

#include "base/log.h"
#include "people/profile.h"

#include <chrono>
#include <optional>
#include <utility>

namespace mailroom::people {

namespace {

constexpr auto retry_pause = std::chrono::seconds(1);
// Of changes that are taken in together: soon enough that nobody who asks has much to do.
constexpr auto gathering = std::chrono::milliseconds(20);

std::optional<std::string_view> somebody_active(const table::ItemView& row) {
    const auto partition = row.text("PK").value_or("");
    if (!partition.starts_with(Activities::prefix)) return std::nullopt;
    if (row.text("SK") != Activities::sort_key) return std::nullopt;
    return partition.substr(Activities::prefix.size());
}

std::optional<std::string_view> somebody(const table::ItemView& row) {
    if (row.text("SK") != "PROFILE") return std::nullopt;
    return person_of_partition(row.text("PK").value_or(""));
}

// Of a partition that has nothing for us any more: behind all sort keys that UTF-8 has.
constexpr std::string_view behind_all = "\xf4\x8f\xbf\xbf";

// Where to go on behind the last row of a page. The rest of a partition that is nobody's, or whose
// only row of ours has gone by, is skipped: tags and send logs have more rows than there are
// people.
table::Item next_start(const table::Item& last) {
    const auto partition = last.text("PK").value_or("");
    const auto sort = last.text("SK").value_or("");
    const bool has_profile = person_of_partition(partition) && sort < "PROFILE";
    const bool has_activity =
        partition.starts_with(Activities::prefix) && sort < Activities::sort_key;
    if (has_profile || has_activity || sort >= behind_all) return last;
    return {{"PK", partition}, {"SK", behind_all}};
}

}  // namespace

LiveCrowd::LiveCrowd(table::Store& store, TableNames names, const CrowdLimits& limits)
    : store_(store), names_(std::move(names)), limits_(limits) {}

LiveCrowd::~LiveCrowd() { stop(); }

void LiveCrowd::start() {
    if (limits_.bytes_max == 0) return;
    if (!store_.listen(names_.audience, *this) || !store_.listen(names_.people, *this)) {
        store_.stop_listening(*this);
        return;
    }
    const std::lock_guard lock(mutex_);
    state_ = State::reading;
    must_read_ = true;
    thread_ = std::thread([this] { run(); });
}

void LiveCrowd::stop() {
    store_.stop_listening(*this);
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void LiveCrowd::changed(const table::RowChange& change) {
    const bool is_there = change.what == table::RowChange::What::there;
    const bool is_profile = change.table == names_.audience;
    const auto address = is_profile ? somebody(change.item) : somebody_active(change.item);
    if (!address) return;
    using What = Heard::What;
    const auto what = is_profile ? (is_there ? What::profile : What::no_profile)
                                 : (is_there ? What::activity : What::no_activity);
    note({what, std::string(*address), is_there ? std::string(change.item.bytes()) : ""});
}

void LiveCrowd::note(Heard heard) {
    {
        const std::lock_guard lock(mutex_);
        if (state_ == State::off || state_ == State::too_large || must_read_) return;
        heard_bytes_ += sizeof heard + heard.address.size() + heard.item.size();
        heard_.push_back(std::move(heard));
        if (heard_bytes_ <= limits_.waiting_bytes_max && heard_.size() > 1) return;
        if (heard_bytes_ > limits_.waiting_bytes_max) {
            state_ = State::reading;
            must_read_ = true;
        }
    }
    changed_.notify_all();
}

void LiveCrowd::replaced(std::string_view) {
    {
        const std::lock_guard lock(mutex_);
        if (state_ == State::off) return;
        state_ = State::reading;
        must_read_ = true;
    }
    changed_.notify_all();
}

LiveCrowd::AllHeard LiveCrowd::take_heard(State now) {
    const std::lock_guard lock(mutex_);
    if (state_ != now) return {};  // They are somebody else's.
    heard_bytes_ = 0;
    return std::exchange(heard_, {});
}

// Under the crowd's lock, if others can see it.
void LiveCrowd::take_in(Crowd& crowd, State now) {
    for (const auto& [what, address, item] : take_heard(now)) {
        const table::ItemView row(item);
        switch (what) {
            case Heard::What::profile:
                crowd.put(address, row);
                break;
            case Heard::What::no_profile:
                crowd.erase(address);
                break;
            case Heard::What::activity:
                crowd.put(address, activity_of(row));
                break;
            case Heard::What::no_activity:
                crowd.put(address, Activity());
                break;
        }
    }
}

void LiveCrowd::run() {
    for (;;) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return stopping_ || must_read_ || !heard_.empty(); });
        if (stopping_) return;
        if (must_read_) {
            lock.unlock();
            read_all();
            continue;
        }
        changed_.wait_for(lock, gathering, [&] { return stopping_ || must_read_; });
        lock.unlock();
        const std::unique_lock alone(crowd_mutex_);
        take_in(crowd_, State::ready);
        give_up_if_too_large(crowd_);
    }
}

void LiveCrowd::read_all() {
    {
        const std::lock_guard lock(mutex_);
        must_read_ = false;
        heard_.clear();
        heard_bytes_ = 0;
        read_so_far_ = 0;
    }
    {
        const std::unique_lock alone(crowd_mutex_);
        crowd_ = Crowd();
    }
    Crowd crowd;
    if (const auto done = read(crowd); done) return settle(std::move(crowd));
    std::unique_lock lock(mutex_);
    if (state_ != State::reading) return;
    must_read_ = true;
    changed_.wait_for(lock, retry_pause, [&] { return stopping_; });
}

Result<> LiveCrowd::read(Crowd& crowd) {
    TRY(read_table(crowd, names_.audience));
    TRY(read_table(crowd, names_.people));
    crowd.arrange();
    return Ok{};
}

// What changes meanwhile is taken in between pages: a page shows nothing that is older than what
// was taken in before it was read, and what is newer comes after it.
Result<> LiveCrowd::read_table(Crowd& crowd, const std::string& table) {
    table::Scan scan;
    scan.table = table;
    scan.consistent = true;
    do {
        const auto page = store_.scan(scan);
        if (!page && page.error().fault == table::Fault::resource_not_found) return Ok{};
        if (!page) {
            log::warn("people cannot be read", {{"reason", page.error().message}});
            return page.error();
        }
        for (const auto& row : page->items) {
            if (const auto address = somebody(row)) crowd.put(*address, row);
            if (const auto address = somebody_active(row)) crowd.put(*address, activity_of(row));
        }
        take_in(crowd, State::reading);
        read_so_far_ = crowd.size();
        give_up_if_too_large(crowd);
        if (waits_in_vain()) return Error{Errc::unavailable, "nobody needs it"};
        scan.start_key.reset();
        if (page->last_key) scan.start_key = next_start(*page->last_key);
    } while (scan.start_key);
    return Ok{};
}

bool LiveCrowd::waits_in_vain() {
    const std::lock_guard lock(mutex_);
    return stopping_ || must_read_ || state_ != State::reading;
}

void LiveCrowd::settle(Crowd crowd) {
    {
        const std::unique_lock alone(crowd_mutex_);
        crowd_ = std::move(crowd);
        const std::lock_guard lock(mutex_);
        if (state_ == State::reading && !must_read_) state_ = State::ready;
    }
    changed_.notify_all();
}

void LiveCrowd::give_up_if_too_large(const Crowd& crowd) {
    if (crowd.bytes() <= limits_.bytes_max) return;
    log::warn("there are more people than memory is set aside for: each question reads the table",
              {{"people", crowd.size()}, {"bytes", crowd.bytes()}});
    {
        const std::lock_guard lock(mutex_);
        state_ = State::too_large;
        heard_ = {};
        heard_bytes_ = 0;
    }
    changed_.notify_all();
    if (&crowd != &crowd_) return;
    Crowd none;
    std::swap(crowd_, none);  // An assignment would keep room for texts.
}

bool LiveCrowd::with(Order order, const std::function<void(const Crowd&)>& ask) {
    bool has_news = false;
    {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, limits_.wait_max,
                          [&] { return stopping_ || state_ != State::reading; });
        if (stopping_ || state_ != State::ready) return false;
        has_news = !heard_.empty();
    }
    if (has_news || order == Order::by_address) {
        const std::unique_lock alone(crowd_mutex_);
        take_in(crowd_, State::ready);
        if (order == Order::by_address) crowd_.sort();
    }
    const std::shared_lock together(crowd_mutex_);
    {
        const std::lock_guard lock(mutex_);
        if (state_ != State::ready) return false;
    }
    ask(crowd_);
    return true;
}

LiveCrowd::State LiveCrowd::state() const {
    const std::lock_guard lock(mutex_);
    return stopping_ ? State::off : state_;
}

LiveCrowd::Figures LiveCrowd::figures() const {
    const std::shared_lock together(crowd_mutex_);
    const std::lock_guard lock(mutex_);
    return {state_, crowd_.size(), crowd_.bytes()};
}

}  // namespace mailroom::people
