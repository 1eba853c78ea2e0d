// What an operator can say of how mail leaves: [outbox], [dkim], [net] and the name of its table.
#pragma once

#include "base/names.h"
#include "outbox/mail/ledger.h"
#include "outbox/sending/sender_outcome.h"
#include "program/settings.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mailroom::outbox {

// Signs for a domain.
struct DkimKey {
    std::string domain, selector, file;
    bool operator==(const DkimKey&) const = default;
};

// DOMAIN:SELECTOR:FILE,… None for anything else.
std::optional<std::vector<DkimKey>> parse_dkim_keys(std::string_view text);

// What to do with mails that other programs write into the table.
enum class OtherPrograms { send, leave };
constexpr auto names_of(OtherPrograms) {
    return std::array{Name{OtherPrograms::send, "send"}, Name{OtherPrograms::leave, "leave"}};
}

constexpr auto names_of(UnknownPolicy) {
    return std::array{Name{UnknownPolicy::hold, "hold"}, Name{UnknownPolicy::retry, "retry"}};
}

struct Settings {
    std::string table = TableNames().outbox;

    std::string transport = "capture";  // Or mx, smtp://…, smtps://….
    std::string hello_name;             // Empty: the host's own name.
    std::uint32_t connections = 16;
    std::uint16_t mx_port = 25;
    std::uint32_t rate_per_second = 0;  // 0: no limit, here and below.
    std::uint32_t domain_connections = 0;
    std::uint32_t domain_rate_per_second = 0;
    std::chrono::seconds retry_first{60};
    std::chrono::hours retry_for{72};
    UnknownPolicy unknown = UnknownPolicy::hold;
    std::uint32_t waiting_max = 5'000'000;
    std::string blobs = "embedded";     // Or a directory.
    std::string attachments_directory;  // Empty: no attachments by path.
    std::string shared_directory;       // Empty: no files of other programs.
    OtherPrograms other_programs = OtherPrograms::send;
    std::string callback_url;     // Empty: only those that mails name.
    std::string callback_secret;  // Empty: made at the first start.
    bool transcripts = true;

    std::vector<DkimKey> dkim_keys;

    std::vector<std::string> allowed_networks;  // Blocks of addresses: "10.0.0.0/8".
    std::vector<std::string> resolvers;         // Empty: the system's.

    bool is_captured() const { return transport == "capture"; }
    bool has_embedded_blobs() const { return blobs == "embedded"; }
};

// `values` must outlive the list.
void add_settings(program::Settings& list, Settings& values);

}  // namespace mailroom::outbox
