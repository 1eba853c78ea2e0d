// Sends questions to name servers, with c-ares, on a thread of its own.
#pragma once

#include "base/result.h"
#include "net/dns_message.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mailroom::net {

struct DnsChannelOptions {
    // "192.0.2.1", "192.0.2.1:5353" or "[2001:db8::1]:5353". With none, those of the system.
    std::vector<std::string> servers = {};
    // For the first attempt at a server; each later one waits twice as long.
    std::chrono::milliseconds timeout = std::chrono::seconds(2);
    int tries = 3;  // At each server.
    // Whether the addresses in the system's hosts file (/etc/hosts) come before those of servers.
    bool use_hosts_file = true;
};

struct DnsReply {
    Result<DnsRecords, DnsFailure> records;  // At least one record.
    // How long it holds, failures included. None: do not keep it.
    std::optional<std::uint32_t> ttl_seconds;
};

// Thread-safe. The process must ignore SIGPIPE.
class DnsChannel {
public:
    // Called once, on the thread of the channel: must not block.
    using Done = std::function<void(DnsReply)>;

    // `invalid` if a server is not an address.
    static Result<std::unique_ptr<DnsChannel>> open(const DnsChannelOptions& options);
    // What is not answered yet becomes `temporary`.
    ~DnsChannel();

    // `name` must be a normal_name().
    void ask(std::string name, RecordType type, Done done);

private:
    class Impl;
    explicit DnsChannel(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace mailroom::net
