#include "net/dns_channel.h"

#include <ares.h>
#include <arpa/nameser.h>
#include <netdb.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <mutex>
#include <thread>

namespace mailroom::net {

namespace {

// Fits into a packet everywhere (DNS flag day 2020); longer answers come over TCP.
constexpr int udp_bytes_max = 1232;

void start_library() {
    static const int started = ares_library_init(ARES_LIB_INIT_ALL);
    assert(started == ARES_SUCCESS);
}

DnsReply failure(NoRecords reason, std::string message,
                 std::optional<std::uint32_t> ttl_seconds = std::nullopt) {
    return {DnsFailure{reason, std::move(message)}, ttl_seconds};
}

std::optional<std::uint32_t> negative_ttl(std::string_view message, std::string_view name,
                                          RecordType type) {
    const auto parsed = parse_dns_answer(message, name, type);
    return parsed && parsed->empty() ? parsed->ttl_seconds : std::nullopt;
}

DnsReply reply_of(int status, std::string_view message, const std::string& name, RecordType type) {
    if (status == ARES_ENOTFOUND) {
        return failure(NoRecords::no_such_name, "there is no domain " + name,
                       negative_ttl(message, name, type));
    }
    if (status != ARES_SUCCESS && status != ARES_ENODATA) {
        return failure(
            NoRecords::temporary,
            "no answer about " + name + " from the name servers: " + ares_strerror(status));
    }
    auto parsed = parse_dns_answer(message, name, type);
    if (!parsed) return failure(NoRecords::temporary, name + ": " + parsed.error().message);
    const auto ttl_seconds = parsed->ttl_seconds;
    if (!parsed->empty()) return {*std::move(parsed), ttl_seconds};
    // They are there, so it would be wrong to go on as if they were not.
    if (parsed->has_unusable) {
        return failure(NoRecords::temporary, "the records of " + name + " are malformed",
                       ttl_seconds);
    }
    return failure(NoRecords::no_data, name + " has no record of this type", ttl_seconds);
}

}  // namespace

class DnsChannel::Impl {
public:
    ~Impl() {
        if (thread_.joinable()) {
            {
                const std::lock_guard lock(mutex_);
                stopping_ = true;
            }
            wake();
            thread_.join();
        }
        if (channel_) ares_destroy(channel_);
        for (auto& query : queue_) query->done(stopped());
        if (wake_ >= 0) ::close(wake_);
    }

    Result<Ok> open(const DnsChannelOptions& options) {
        start_library();
        use_hosts_file_ = options.use_hosts_file;
        wake_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (wake_ < 0) return Error{Errc::unavailable, "no more files can be opened"};
        ares_options ares = {};
        ares.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES | ARES_FLAG_EDNS;
        ares.timeout = static_cast<int>(options.timeout.count());
        ares.tries = options.tries;
        ares.ednspsz = udp_bytes_max;
        ares.sock_state_cb = &Impl::watch;
        ares.sock_state_cb_data = this;
        const int mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_EDNSPSZ |
                         ARES_OPT_SOCK_STATE_CB;
        if (const int status = ares_init_options(&channel_, &ares, mask); status != ARES_SUCCESS) {
            channel_ = nullptr;
            return Error{Errc::unavailable, std::string("c-ares: ") + ares_strerror(status)};
        }
        TRY(set_servers(options.servers));
        thread_ = std::thread([this] { run(); });
        return Ok{};
    }

    void ask(std::string name, RecordType type, Done done) {
        auto query = std::make_unique<Query>(Query{std::move(name), type, std::move(done)});
        {
            const std::lock_guard lock(mutex_);
            queue_.push_back(std::move(query));
        }
        wake();
    }

private:
    struct Query {
        std::string name;
        RecordType type;
        Done done;
    };
    using Queries = std::vector<std::unique_ptr<Query>>;

    static DnsReply stopped() { return failure(NoRecords::temporary, "the resolver was stopped"); }

    void wake() {
        const std::uint64_t one = 1;
        // It only fails when the thread has not yet seen 2^64 others.
        [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);
    }

    Result<Ok> set_servers(const std::vector<std::string>& servers) {
        if (servers.empty()) return Ok{};
        std::string list;
        for (const auto& server : servers) list += (list.empty() ? "" : ",") + server;
        if (ares_set_servers_ports_csv(channel_, list.c_str()) != ARES_SUCCESS) {
            return Error{Errc::invalid, "not an address of a name server in \"" + list + "\""};
        }
        return Ok{};
    }

    void run() {
        for (;;) {
            Queries queries;
            {
                const std::lock_guard lock(mutex_);
                if (stopping_) return;
                queries.swap(queue_);
            }
            for (auto& query : queries) start(std::move(query));
            wait();
        }
    }

    void start(std::unique_ptr<Query> query) {
        if (auto reply = from_hosts_file(*query)) {
            query->done(*std::move(reply));
            return;
        }
        // The callback, which may come at once, takes it over.
        auto* const started = query.release();
        ares_query(channel_, started->name.c_str(), ns_c_in, static_cast<int>(started->type),
                   &Impl::finish, started);
    }

    std::optional<DnsReply> from_hosts_file(const Query& query) {
        const bool is_v4 = query.type == RecordType::a;
        if (!use_hosts_file_ || (!is_v4 && query.type != RecordType::aaaa)) return std::nullopt;
        hostent* host = nullptr;
        const int family = is_v4 ? AF_INET : AF_INET6;
        if (ares_gethostbyname_file(channel_, query.name.c_str(), family, &host) != ARES_SUCCESS) {
            return std::nullopt;
        }
        const std::unique_ptr<hostent, decltype(&ares_free_hostent)> owned(host, ares_free_hostent);
        DnsRecords records;
        for (char** at = host->h_addr_list; *at && records.addresses.size() < records_max; ++at) {
            if (host->h_addrtype != family) break;
            IpAddress::Bytes bytes = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
            std::copy_n(*at, is_v4 ? 4 : 16, bytes.begin() + (is_v4 ? 12 : 0));
            records.addresses.push_back(IpAddress::from_v6(bytes));
        }
        if (records.empty()) return std::nullopt;
        return DnsReply{std::move(records), std::nullopt};
    }

    static void finish(void* argument, int status, int, unsigned char* bytes, int size) {
        const std::unique_ptr<Query> query(static_cast<Query*>(argument));
        if (status == ARES_EDESTRUCTION || status == ARES_ECANCELLED) {
            query->done(stopped());
            return;
        }
        const std::string_view message(reinterpret_cast<const char*>(bytes),
                                       bytes ? static_cast<std::size_t>(size) : 0);
        query->done(reply_of(status, message, query->name, query->type));
    }

    static void watch(void* self, ares_socket_t socket, int readable, int writable) {
        auto& sockets = static_cast<Impl*>(self)->sockets_;
        if (!readable && !writable) {
            sockets.erase(socket);
            return;
        }
        sockets[socket] = static_cast<short>((readable ? POLLIN : 0) | (writable ? POLLOUT : 0));
    }

    // Until a server answers, a time-out passes, or wake() is called.
    void wait() {
        std::vector<pollfd> files = {{wake_, POLLIN, 0}};
        for (const auto& [socket, events] : sockets_) files.push_back({socket, events, 0});
        timeval time = {};
        const auto* next = ares_timeout(channel_, nullptr, &time);
        const int wait_ms =
            next ? static_cast<int>(next->tv_sec * 1000 + next->tv_usec / 1000) + 1 : -1;
        if (::poll(files.data(), files.size(), wait_ms) < 0) return;
        if (files[0].revents) {
            std::uint64_t count = 0;
            [[maybe_unused]] const auto got = ::read(wake_, &count, sizeof count);
        }
        for (std::size_t i = 1; i < files.size(); ++i) {
            const auto [socket, asked, happened] = files[i];
            // It may have been closed by what was done for one before it.
            if (!happened || !sockets_.contains(socket)) continue;
            const bool read = happened & (POLLIN | POLLERR | POLLHUP);
            const bool write = happened & (POLLOUT | POLLERR | POLLHUP);
            ares_process_fd(channel_, read ? socket : ARES_SOCKET_BAD,
                            write ? socket : ARES_SOCKET_BAD);
        }
        // Time-outs, after the answers that are already there.
        ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    }

    ares_channel channel_ = nullptr;
    bool use_hosts_file_ = true;
    int wake_ = -1;
    std::map<ares_socket_t, short> sockets_;  // What c-ares wants to be told about.
    std::mutex mutex_;
    bool stopping_ = false;
    Queries queue_;
    std::thread thread_;
};

DnsChannel::DnsChannel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DnsChannel::~DnsChannel() = default;

Result<std::unique_ptr<DnsChannel>> DnsChannel::open(const DnsChannelOptions& options) {
    auto impl = std::make_unique<Impl>();
    TRY(impl->open(options));
    return std::unique_ptr<DnsChannel>(new DnsChannel(std::move(impl)));
}

void DnsChannel::ask(std::string name, RecordType type, Done done) {
    impl_->ask(std::move(name), type, std::move(done));
}

}  // namespace mailroom::net
