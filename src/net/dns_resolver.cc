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
        const auto outcome = wait(ask(*name, RecordType::mx), deadline());
        using Kind = MailRoute::Kind;
        if (!*outcome) {
            if (outcome->error().reason != NoRecords::no_data) return outcome->error();
            return MailRoute{Kind::implicit, {{0, *name}}};
        }
        auto hosts = (*outcome)->mail_hosts;
        // RFC 7505, 3: the root means "no mail", and has no meaning beside others.
        std::erase_if(hosts, [](const MailHost& host) { return host.name.empty(); });
        if (hosts.empty()) return MailRoute{Kind::no_mail, {}};
        order_hosts(hosts, random_);
        return MailRoute{Kind::by_mx, std::move(hosts)};
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

    Waiting ask(const std::string& name, RecordType type) {
        if (is_localhost(name)) return ready(share(loopback(type)));
        const DnsQuestion question(name, type);
        // Shared with the callback below, which outlives this call.
        const auto promise = std::make_shared<std::promise<SharedOutcome>>();
        Waiting waiting;
        {
            const std::lock_guard lock(mutex_);
            if (auto kept = cache_.find(question)) return ready(std::move(kept));
            const auto found = under_way_.find(question);
            if (found != under_way_.end()) return found->second;
            if (under_way_.size() >= options_.questions_max) {
                return ready(share(DnsFailure{NoRecords::temporary, "too many names to look up"}));
            }
            waiting = promise->get_future().share();
            under_way_.emplace(question, waiting);
        }
        channel_->ask(name, type, [this, question, promise](DnsReply reply) {
            promise->set_value(keep(question, std::move(reply)));
        });
        return waiting;
    }

    SharedOutcome keep(const DnsQuestion& question, DnsReply reply) {
        const auto holds = holding_time(reply);
        auto outcome = share(std::move(reply.records));
        const std::lock_guard lock(mutex_);
        cache_.put(question, outcome, holds);
        under_way_.erase(question);
        return outcome;
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
    std::map<DnsQuestion, Waiting> under_way_;
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

}  // namespace mailroom::net
