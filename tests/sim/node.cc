#include "sim/node.h"

#include "api/idempotency.h"
#include "api/serve.h"
#include "dynamodb/access_key_routes.h"
#include "http/authenticator.h"
#include "http/cached_keys.h"
#include "http/key_routes.h"
#include "http/key_table.h"
#include "http/router.h"
#include "http/workers.h"
#include "net/fake_resolver.h"
#include "outbox/blobs/table_blobs.h"
#include "outbox/callbacks/callbacks.h"
#include "outbox/fetching/fetching.h"
#include "outbox/others/follower.h"
#include "outbox/routes/routes.h"
#include "outbox/sending/sender.h"
#include "people/people.h"
#include "people/people_routes.h"
#include "people/suppression_routes.h"
#include "people/suppressions.h"
#include "reminders/mail_guard.h"
#include "reminders/routes.h"
#include "schedule/crew.h"
#include "sim/engaged.h"

#include <algorithm>
#include <vector>

namespace mailroom::sim {

namespace {

using namespace std::chrono_literals;

// Few, so that mails wait for each other.
constexpr std::size_t connections = 6;
constexpr std::size_t on_their_way_max = 24;
constexpr auto poll = 20s;
constexpr auto upkeep_pause = 24h;
constexpr const char* webhook_key = "twenty-four bytes of key";

}  // namespace

// Members stand in the order in which they are made, and each uses only those above it.
class Node::Impl {
public:
    Impl(const Ground& ground, const NodeOptions& options) : ground_(ground), options_(options) {}
    ~Impl() { close(); }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    Result<> start() {
        TRY(open_keys());
        TRY(open_outbox());
        TRY(open_engaged());
        make_workers();
        TRY(open_reminders());
        make_crews();
        open_routes();
        return keep_what_waits();
    }

    void handle(http::Request request, http::Reply reply) {
        if (request.header("Authorization") == nullptr) {
            request.headers.emplace_back("Authorization", std::string("Bearer ") + admin_key);
        }
        router_->handle(std::move(request), std::move(reply));
    }

    std::size_t run() {
        std::size_t total = 0;
        for (std::size_t jobs = 1; jobs > 0;) {
            jobs = workers_.run_due();
            for (auto* crew : crews()) jobs += crew->run_ready();
            total += jobs;
        }
        return total;
    }

    void look() {
        sender_->look();
        static_cast<void>(pauses_->release(*ledger_, *schedule_));
        engaged_->look();
        if (ground_.clock.now() < next_upkeep_) return;
        if (outbox_->keep_what_waits([] { return false; })) {
            next_upkeep_ = ground_.clock.now() + upkeep_pause;
        }
    }

    Result<> keep_what_waits() {
        if (!TRY(outbox_->is_keeping_overdue())) return Ok{};
        TRY(outbox_->keep_what_waits([] { return false; }));
        return Ok{};
    }

    std::optional<Time> next_due() {
        std::optional<Time> next;
        for (const auto& queue : queues_) {
            const auto due = schedule_->first_due(queue);
            if (due && *due && (!next || **due < *next)) next = **due;
        }
        return next;
    }

    std::size_t in_hand() const {
        std::size_t total = 0;
        for (const auto* crew : crews()) total += crew->in_hand();
        return total;
    }

    outbox::Follower& follower() { return *follower_; }
    Engaged& engaged() { return *engaged_; }
    outbox::Ledger& ledger() { return *ledger_; }
    schedule::Schedule& schedule() { return *schedule_; }

private:
    std::vector<schedule::Crew*> crews() const {
        std::vector<schedule::Crew*> all = {sender_crew_.get(), fetching_crew_.get(),
                                            callback_crew_.get(), reminder_crew_.get()};
        for (const auto& crew : people_crews_) all.push_back(crew.get());
        return all;
    }

    Result<> open_keys() {
        key_table_.emplace(TRY(http::KeyTable::open(ground_.store)));
        cached_keys_.emplace(*key_table_, ground_.clock);
        keys_.emplace(*cached_keys_, ground_.clock, ground_.random);
        TRY(keys_->ensure_admin(admin_key));
        authenticator_.emplace(*keys_);
        access_keys_.emplace(
            TRY(dynamodb::AccessKeys::open(ground_.store, ground_.clock, ground_.random)));
        const auto writers =
            is_shared() ? api::Idempotency::Writers::others : api::Idempotency::Writers::only_this;
        idempotency_.emplace(
            TRY(api::Idempotency::open(ground_.store, ground_.clock, ground_.random, writers)));
        return Ok{};
    }

    Result<> open_outbox() {
        const auto& [store, clock, random, transport, http] = ground_;
        ledger_.emplace(TRY(outbox::Ledger::open(store, clock)));
        blobs_.emplace(TRY(outbox::TableBlobs::open(store)));
        schedule_ = TRY(schedule::Schedule::open(
            store, clock, random, {.ownership = options_.ownership, .sleeper = &no_sleep_}));
        slate_ = TRY(outbox::Slate::open(options_.slates, schedule_->node(), options_.boot,
                                         outbox::SlateSync::Mode::immediate));
        const auto writers = is_shared() ? people::Suppressions::Writers::others_too
                                         : people::Suppressions::Writers::only_this;
        suppressions_.emplace(TRY(people::Suppressions::open(store, clock, random, writers)));
        people_.emplace(*suppressions_, *schedule_);
        captured_ = TRY(outbox::Captured::open(store, clock));
        outbox_.emplace(*ledger_, *blobs_, *schedule_, clock, random, outbox::OutboxOptions{});
        watch_.emplace(*ledger_, clock);
        pauses_ = TRY(outbox::Pauses::open(store, clock, random));
        outbox_->guard_callbacks_by(net_guard_);
        return Ok{};
    }

    Result<> open_engaged() {
        engaged_ = TRY(
            Engaged::open({ground_, options_.ownership, *schedule_, *ledger_, *pauses_, *people_}));
        ledger_->account_with(engaged_->accounting());
        return Ok{};
    }

    void make_workers() {
        const auto& [store, clock, random, transport, http] = ground_;
        fetching_.emplace(*ledger_, *blobs_, *schedule_, http, clock, random,
                          outbox::FetchingOptions{}, [this] { return fetching_crew_->await(); });
        outbox::CallbackOptions callbacks;
        callbacks.secret = webhook_key;
        callbacks_.emplace(*ledger_, *blobs_, *schedule_, http, clock, random, callbacks,
                           [this] { return callback_crew_->await(); });
        outbox::SenderOptions sending;
        sending.unknown = options_.unknown;
        sending.connections = connections;
        sending.on_their_way_max = on_their_way_max;
        sending.pauses = pauses_.get();
        sending.slate = slate_.get();
        sending.is_alone = !is_shared();
        sending.upkeep = outbox::Upkeep::by_calls;
        sender_ = std::make_unique<outbox::Sender>(
            *ledger_, *blobs_, *schedule_, transport, *suppressions_, *rates_, signatures_, clock,
            random, sending,
            outbox::SenderCrew{
                .post = [this](std::function<void()> work) { sender_crew_->post(std::move(work)); },
                .hold =
                    [this](schedule::Transaction& transaction, schedule::NewJob job) {
                        return sender_crew_->add_in_hand(transaction, std::move(job));
                    }});
        outbox_->leave_through(*sender_);
        follower_.emplace(*ledger_, *blobs_, *schedule_, clock, random, outbox::FollowerOptions{});
    }

    Result<> open_reminders() {
        const auto& [store, clock, random, transport, http] = ground_;
        books_.emplace(reminders::Books{store, *schedule_, clock, random});
        TRY(books_->open());
        accounts_.emplace(*books_, *suppressions_);
        templates_.emplace(*books_);
        TRY(templates_->add_built_in());
        author_.emplace(*templates_, nullptr, clock, "Innovate AI");
        drafts_.emplace(*accounts_, *outbox_, *suppressions_, *author_,
                        reminders::DraftSettings{.from = "billing@example.com", .reply_to = ""});
        deliveries_.emplace(*accounts_, *drafts_, *outbox_, *suppressions_);
        guard_.emplace(*accounts_, *outbox_, *suppressions_);
        if (options_.guard) planted_guard_ = options_.guard(*guard_);
        auto& guard = planted_guard_ ? *planted_guard_ : *guard_;
        outbox_->guard_with(guard);
        sender_->guard_with(guard);
        privacy_.emplace(*accounts_);
        assessor_.emplace(*books_, *suppressions_);
        return Ok{};
    }

    std::unique_ptr<schedule::Crew> crew_of(schedule::CrewOptions wanted,
                                            schedule::Crew::Handler run) {
        queues_.insert(queues_.end(), wanted.queues.begin(), wanted.queues.end());
        wanted.threads = 0;
        wanted.poll = poll;
        auto crew = std::make_unique<schedule::Crew>(*schedule_, ground_.clock, std::move(wanted),
                                                     std::move(run));
        crew->start();
        return crew;
    }
    template <class Worker>
    std::unique_ptr<schedule::Crew> crew_of(std::vector<std::string> wanted, Worker& worker) {
        return crew_of({.queues = std::move(wanted)},
                       [&worker](schedule::JobInHand job) { worker.run(std::move(job)); });
    }

    void make_crews() {
        sender_crew_ = crew_of({std::string(outbox::send_queue(people::Stream::transactional)),
                                std::string(outbox::send_queue(people::Stream::bulk))},
                               *sender_);
        fetching_crew_ = crew_of({std::string(outbox::fetching_queue)}, *fetching_);
        callback_crew_ = crew_of({std::string(outbox::callback_queue)}, *callbacks_);
        reminder_crew_ = crew_of({std::string(reminders::delivery_queue)}, *deliveries_);
        people_crews_.push_back(crew_of({.queues = {std::string(people::people_queue)}},
                                        [this](schedule::JobInHand job) { people_->run(*job); }));
        for (auto& work : engaged_->jobs()) {
            people_crews_.push_back(crew_of(std::move(work.crew), std::move(work.run)));
        }
    }

    void open_routes() {
        outbox::add_routes(api_, {*outbox_, *ledger_, *pauses_, *captured_, *schedule_, *watch_,
                                  ground_.clock, "whsec_dGVzdA=="});
        people::add_people_routes(api_, *people_);
        people::add_suppression_routes(api_, *suppressions_);
        engaged_->add_routes(api_);
        reminders::add_routes(api_, {*accounts_, *templates_, *author_, *drafts_, *deliveries_,
                                     *privacy_, *assessor_});
        http::add_key_routes(api_, *keys_);
        dynamodb::add_access_key_routes(api_, *access_keys_);
        router_.emplace("http", workers_, metrics_);
        api::serve(*router_, api_, *authenticator_, *idempotency_);
    }

    // Crews first: what they still have posted finds all it needs. The sender before the router:
    // it answers those that wait to be accepted.
    void close() {
        if (callbacks_) callbacks_->stop();
        sender_crew_.reset();
        fetching_crew_.reset();
        callback_crew_.reset();
        reminder_crew_.reset();
        people_crews_.clear();
        sender_.reset();
    }

    bool is_shared() const { return options_.ownership == schedule::Ownership::shared; }

    class NoSleep final : public Sleeper {
    public:
        bool sleep(std::chrono::milliseconds) override { return true; }
    };

    const Ground ground_;
    const NodeOptions options_;
    NoSleep no_sleep_;
    Time next_upkeep_ = ground_.clock.now() + upkeep_pause;

    std::optional<http::KeyTable> key_table_;
    std::optional<http::CachedKeys> cached_keys_;
    std::optional<http::Keys> keys_;
    std::optional<http::Authenticator> authenticator_;
    std::optional<dynamodb::AccessKeys> access_keys_;
    std::optional<api::Idempotency> idempotency_;

    net::FakeResolver resolver_;
    net::Guard net_guard_{resolver_, {}};
    std::optional<outbox::Ledger> ledger_;
    std::optional<outbox::TableBlobs> blobs_;
    std::unique_ptr<schedule::Schedule> schedule_;
    std::unique_ptr<outbox::Slate> slate_;
    std::optional<people::Suppressions> suppressions_;
    std::optional<people::People> people_;
    std::unique_ptr<outbox::Captured> captured_;
    std::optional<outbox::Outbox> outbox_;
    std::optional<outbox::OutboxWatch> watch_;
    std::unique_ptr<outbox::Pauses> pauses_;
    std::unique_ptr<Engaged> engaged_;
    outbox::Signatures signatures_;
    std::optional<outbox::Rates> rates_{std::in_place, ground_.clock, outbox::RateLimits{}};

    std::optional<outbox::Fetching> fetching_;
    std::optional<outbox::Callbacks> callbacks_;
    http::Workers workers_{0, 1024};
    program::Metrics metrics_;
    program::Api api_;
    std::optional<http::Router> router_;
    std::unique_ptr<outbox::Sender> sender_;
    std::optional<outbox::Follower> follower_;

    std::optional<reminders::Books> books_;
    std::optional<reminders::Accounts> accounts_;
    std::optional<reminders::Templates> templates_;
    std::optional<reminders::Author> author_;
    std::optional<reminders::Drafts> drafts_;
    std::optional<reminders::Deliveries> deliveries_;
    std::optional<reminders::MailGuard> guard_;
    std::unique_ptr<outbox::Guard> planted_guard_;
    std::optional<reminders::Privacy> privacy_;
    std::optional<reminders::Assessor> assessor_;

    std::vector<std::string> queues_;  // Of all crews.
    std::unique_ptr<schedule::Crew> sender_crew_, fetching_crew_, callback_crew_, reminder_crew_;
    std::vector<std::unique_ptr<schedule::Crew>> people_crews_;
};

Node::Node(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Node::~Node() = default;

Result<std::unique_ptr<Node>> Node::start(const Ground& ground, const NodeOptions& options) {
    auto impl = std::make_unique<Impl>(ground, options);
    TRY(impl->start());
    return std::unique_ptr<Node>(new Node(std::move(impl)));
}

void Node::handle(http::Request request, http::Reply reply) {
    impl_->handle(std::move(request), std::move(reply));
}
std::size_t Node::run() { return impl_->run(); }
void Node::look() { impl_->look(); }
Result<> Node::keep_what_waits() { return impl_->keep_what_waits(); }
std::optional<Time> Node::next_due() { return impl_->next_due(); }
std::size_t Node::in_hand() const { return impl_->in_hand(); }
void Node::follow(const std::string& mail) { static_cast<void>(impl_->follower().follow(mail)); }
void Node::follow_all() {
    static_cast<void>(impl_->follower().look([] { return false; }));
}
void Node::follow_people() { impl_->engaged().follow_people(); }
void Node::follow_all_people() { impl_->engaged().follow_all_people(); }
table::WriteWatch& Node::people_watch() { return impl_->engaged().watch(); }
outbox::Ledger& Node::ledger() { return impl_->ledger(); }
schedule::Schedule& Node::schedule() { return impl_->schedule(); }

}  // namespace mailroom::sim
