// Any bytes as the answer of a name server. The first byte chooses the type that was asked for.
#include "net/dns_message.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace mailroom::net;
    if (size == 0) return 0;
    constexpr RecordType types[] = {RecordType::a, RecordType::aaaa, RecordType::mx,
                                    RecordType::txt};
    const std::string_view message(reinterpret_cast<const char*>(bytes + 1), size - 1);
    const auto parsed = parse_dns_answer(message, "n.example", types[bytes[0] % 4]);
    if (!parsed) return 0;
    assert(parsed->addresses.size() <= records_max && parsed->texts.size() <= records_max);
    assert(parsed->mail_hosts.size() <= records_max);
    for (const auto& host : parsed->mail_hosts) {
        assert(host.name.empty() || normal_name(host.name) == host.name);
    }
    return 0;
}
