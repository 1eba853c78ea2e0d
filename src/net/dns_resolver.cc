#include "net/dns_resolver.h"

#include "net/dns_cache.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <future>
#include <map>
#include <mutex>

namespace mailroom::net {

namespace {

using std::chrono::steady_clock;
using Waiting = std::shared_future<SharedOutcome>;

SharedOutcome share(DnsOutcome outcome) {
    return std::make_shared<const DnsOutcome>(std::move(outcome));
}

Waiting ready(SharedOutcome outcome) {
    std::promise<SharedOutcome> promise;
    promise.set_value(std::move(outcome));
    return promise.get_future().share();
}

bool is_localhost(std::string_view name) {
    return name == "localhost" || name.ends_with(".localhost");
}

DnsOutcome loopback(RecordType type) {
    DnsRecords records;
    if (type == RecordType::a) records.addresses = {*IpAddress::parse("127.0.0.1")};
    if (type == RecordType::aaaa) records.addresses = {*IpAddress::parse("::1")};
    if (!records.empty()) return records;
    return DnsFailure{NoRecords::no_data, "localhost has addresses only"};
}

DnsFailure bad_name(std::string_view name) {
    constexpr std::size_t shown_chars_max = 80;
    return {NoRecords::bad_name,
            "not a domain name: \"" + std::string(name.substr(0, shown_chars_max)) + "\""};
}

// From 0 to `count` - 1.
std::size_t pick(Random& random, std::size_t count) {
    std::array<std::uint8_t, sizeof(std::uint64_t)> bytes;
    random.fill(bytes);
    std::uint64_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return static_cast<std::size_t>(number % count);
}

void order_hosts(std::vector<MailHost>& hosts, Random& random) {
    for (std::size_t i = hosts.size(); i > 1; --i) {
        std::swap(hosts[i - 1], hosts[pick(random, i)]);
    }
    std::ranges::stable_sort(hosts, {}, &MailHost::preference);
}

// Both say no: which of the two says less.
DnsFailure weaker(const DnsFailure& a, const DnsFailure& b) {
    if (a.reason == NoRecords::temporary) return a;
    if (b.reason == NoRecords::temporary) return b;
    return a.reason == NoRecords::no_data ? a : b;
}

}  // namespace

class DnsResolver::Impl {
public:
    Impl(const DnsOptions& options, const Clock& clock, Random& random)
        : options_(options),
          random_(random),
          cache_(clock, {options.cache_entries_max, options.cache_bytes_max}) {}

    Result<Ok> open() {
        channel_ = TRY(DnsChannel::open(options_.channel));
        return Ok{};
    }

    Result<MailRoute, DnsFailure> mail_route(std::string_view domain) {
        const auto name = normal_name(domain);
        if (!name) return bad_name(domain);
        return route_of(*name, *wait(ask(*name, RecordType::mx), deadline()));
    }

    void find_mail_route(std::string_view domain, RouteDone done) {
        const auto name = normal_name(domain);
        if (!name) return done(bad_name(domain));
        ask(*name, RecordType::mx,
            [this, name = *name, done = std::move(done)](const SharedOutcome& outcome) {
                done(route_of(name, *outcome));
            });
    }

    void find_addresses(std::string_view text, AddressesDone done) {
        const auto name = IpAddress::parse(text) ? std::nullopt : normal_name(text);
        if (!name) return done(addresses(text, Family::any));  // Nobody is asked.
        // Shared by the two answers, of which the last one tells.
        struct Both {
            std::mutex mutex;
            SharedOutcome v4, v6;
            AddressesDone done;
        };
        const auto wanted = std::make_shared<Both>();
        wanted->done = std::move(done);
        for (const auto type : {RecordType::a, RecordType::aaaa}) {
            ask(*name, type, [wanted, type](const SharedOutcome& outcome) {
                {
                    const std::lock_guard lock(wanted->mutex);
                    (type == RecordType::a ? wanted->v4 : wanted->v6) = outcome;
                    if (!wanted->v4 || !wanted->v6) return;
                }
                wanted->done(both(*wanted->v4, *wanted->v6));
            });
        }
    }

    Result<std::vector<IpAddress>, DnsFailure> addresses(std::string_view text, Family family) {
        if (const auto address = IpAddress::parse(text)) {
            if (family == Family::any || address->is_v4() == (family == Family::v4)) {
                return std::vector{*address};
            }
            return DnsFailure{NoRecords::no_data, std::string(text) + " is of the other family"};
        }
        const auto name = normal_name(text);
        if (!name) return bad_name(text);
        const auto until = deadline();
        if (family != Family::any) {
            const auto type = family == Family::v4 ? RecordType::a : RecordType::aaaa;
            const auto outcome = wait(ask(*name, type), until);
            if (!*outcome) return outcome->error();
            return (*outcome)->addresses;
        }
        const auto asked_v4 = ask(*name, RecordType::a);
        const auto asked_v6 = ask(*name, RecordType::aaaa);
        return both(*wait(asked_v4, until), *wait(asked_v6, until));
    }

    Result<std::vector<std::string>, DnsFailure> texts(std::string_view text) {
        const auto name = normal_name(text);
        if (!name) return bad_name(text);
        const auto outcome = wait(ask(*name, RecordType::txt), deadline());
        if (!*outcome) return outcome->error();
        return (*outcome)->texts;
    }

private:
    using Then = std::function<void(const SharedOutcome&)>;
    struct UnderWay {
        Waiting waiting;
        std::vector<Then> then;
    };

    Result<MailRoute, DnsFailure> route_of(const std::string& name, const DnsOutcome& outcome) {
        using Kind = MailRoute::Kind;
        if (!outcome) {
            if (outcome.error().reason != NoRecords::no_data) return outcome.error();
            return MailRoute{Kind::implicit, {{0, name}}};
        }
        auto hosts = outcome->mail_hosts;
        // RFC 7505, 3: the root means "no mail", and has no meaning beside others.
        std::erase_if(hosts, [](const MailHost& host) { return host.name.empty(); });
        if (hosts.empty()) return MailRoute{Kind::no_mail, {}};
        order_hosts(hosts, random_);
        return MailRoute{Kind::by_mx, std::move(hosts)};
    }

    static Result<std::vector<IpAddress>, DnsFailure> both(const DnsOutcome& v4,
                                                           const DnsOutcome& v6) {
        if (!v4 && !v6) return weaker(v4.error(), v6.error());
        std::vector<IpAddress> all;
        if (v4) all = v4->addresses;
        if (v6) all.insert(all.end(), v6->addresses.begin(), v6->addresses.end());
        return all;
    }

    steady_clock::time_point deadline() const {
        return steady_clock::now() + options_.total_timeout;
    }

    // `then`, if any, is told the answer, here if it is known.
    Waiting ask(const std::string& name, RecordType type, const Then& then = {}) {
        auto known = is_localhost(name) ? share(loopback(type)) : nullptr;
        const DnsQuestion question(name, type);
        // Shared with the callback below, which outlives this call.
        const auto promise = std::make_shared<std::promise<SharedOutcome>>();
        Waiting waiting = promise->get_future().share();
        if (!known) {
            const std::lock_guard lock(mutex_);
            known = cache_.find(question);
            const auto found = under_way_.find(question);
            if (!known && found != under_way_.end()) {
                if (then) found->second.then.push_back(then);
                return found->second.waiting;
            }
            if (!known && under_way_.size() >= options_.questions_max) {
                known = share(DnsFailure{NoRecords::temporary, "too many names to look up"});
            }
            if (!known) {
                auto& entry = under_way_[question];
                entry.waiting = waiting;
                if (then) entry.then.push_back(then);
            }
        }
        if (known) {
            if (then) then(known);
            return ready(std::move(known));
        }
        channel_->ask(name, type, [this, question, promise](DnsReply reply) {
            keep(question, std::move(reply), *promise);
        });
        return waiting;
    }

    void keep(const DnsQuestion& question, DnsReply reply, std::promise<SharedOutcome>& promise) {
        const auto holds = holding_time(reply);
        auto outcome = share(std::move(reply.records));
        std::vector<Then> then;
        {
            const std::lock_guard lock(mutex_);
            cache_.put(question, outcome, holds);
            const auto found = under_way_.find(question);
            then = std::move(found->second.then);
            under_way_.erase(found);
        }
        promise.set_value(outcome);
        for (const auto& one : then) one(outcome);
    }

    std::chrono::seconds holding_time(const DnsReply& reply) const {
        using std::chrono::seconds;
        if (!reply.records && reply.records.error().reason == NoRecords::temporary) {
            return options_.temporary_ttl;
        }
        const auto max = reply.records ? options_.ttl_max : options_.negative_ttl_max;
        return std::min(seconds(reply.ttl_seconds.value_or(0)), max);
    }

    static SharedOutcome wait(const Waiting& waiting, steady_clock::time_point deadline) {
        if (waiting.wait_until(deadline) == std::future_status::ready) return waiting.get();
        return share(DnsFailure{NoRecords::temporary, "the name servers take too long"});
    }

    const DnsOptions options_;
    Random& random_;
    std::mutex mutex_;
    DnsCache cache_;
    std::map<DnsQuestion, UnderWay> under_way_;
    // Last, so that its thread ends before what its callbacks use.
    std::unique_ptr<DnsChannel> channel_;
};

DnsResolver::DnsResolver(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DnsResolver::~DnsResolver() = default;

Result<std::unique_ptr<DnsResolver>> DnsResolver::open(const DnsOptions& options,
                                                       const Clock& clock, Random& random) {
    auto impl = std::make_unique<Impl>(options, clock, random);
    TRY(impl->open());
    return std::unique_ptr<DnsResolver>(new DnsResolver(std::move(impl)));
}

Result<MailRoute, DnsFailure> DnsResolver::mail_route(std::string_view domain) {
    return impl_->mail_route(domain);
}
Result<std::vector<IpAddress>, DnsFailure> DnsResolver::addresses(std::string_view name,
                                                                  Family family) {
    return impl_->addresses(name, family);
}
Result<std::vector<std::string>, DnsFailure> DnsResolver::texts(std::string_view name) {
    return impl_->texts(name);
}
void DnsResolver::find_mail_route(std::string_view domain, RouteDone done) {
    impl_->find_mail_route(domain, std::move(done));
}
void DnsResolver::find_addresses(std::string_view name, AddressesDone done) {
    impl_->find_addresses(name, std::move(done));
}

}  // namespace mailroom::net
