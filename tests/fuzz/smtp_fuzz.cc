// Gives any bytes to an SMTP session, once whole and once in pieces, and checks that both end the
// same way, that every reply is well formed and that no message has a bare CR or LF. The first byte
// chooses the settings, what the receiver answers, and the size of the pieces.
#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "smtp/server_session.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace mailroom;
using namespace mailroom::smtp;

ServerSettings settings_for(std::uint8_t choice) {
    ServerSettings settings;
    if (choice & 1) settings.bare_newlines = BareNewlines::make_crlf;
    if (choice & 2) settings.tls = TlsPolicy::offered;
    settings.auth = AuthPolicy::offered;
    settings.auth_without_tls = true;
    auto& limits = settings.limits;
    limits.message_bytes_max = 200;
    limits.memory_bytes_max = 300;
    limits.command_bytes_max = 64;
    limits.auth_bytes_max = 100;
    limits.text_line_bytes_max = 50;
    limits.recipients_max = 3;
    return settings;
}

void check_reply(std::string_view output) {
    while (!output.empty()) {
        const auto end = output.find("\r\n");
        assert(end != output.npos && end >= 4);
        const auto line = output.substr(0, end);
        assert(line[0] >= '2' && line[0] <= '5' && (line[3] == ' ' || line[3] == '-'));
        for (const char c : line) assert(c >= ' ' && c <= '~');
        output.remove_prefix(end + 2);
    }
}

void check_message(const Message& message) {
    const auto& data = message.data;
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (data[i] == '\n') assert(i > 0 && data[i - 1] == '\r');
        if (data[i] == '\r') assert(i + 1 < data.size() && data[i + 1] == '\n');
    }
    assert(data.empty() || data.ends_with("\r\n"));
    assert(!message.envelope.recipients.empty());
    assert(message.received.ends_with("\r\n"));
}

// What was replied, and the messages.
std::string run(std::uint8_t choice, std::string_view bytes, std::size_t piece_bytes) {
    const auto settings = settings_for(choice);
    const ManualClock clock(from_unix_ms(1'794'722'828'009));
    SeededRandom random(1);
    UlidGenerator ids(clock, random);
    MemoryBudget budget(settings.limits.memory_bytes_max);
    SessionContext context{settings, clock, ids, budget};
    ServerSession session(context, Peer{.address = "192.0.2.1"});
    std::string record;
    std::size_t questions = 0;
    for (;;) {
        record += session.output();
        check_reply(session.output());
        session.output().clear();
        const auto want = session.want();
        if (want == ServerSession::Want::answer) {
            if (session.step() == Step::message) {
                const auto message = session.take_message();
                check_message(message);
                record += "|" + message.data + "|";
            }
            const bool refuse = (choice & 4) && ++questions % 4 == 0;
            session.answer(refuse ? Decision::refuse(450, {4, 2, 1}, "Not now\r\n\xff")
                                  : Decision::accept());
        } else if (want == ServerSession::Want::tls) {
            // What came with STARTTLS is dropped, and how much that is depends on the pieces.
            session.tls_started("TLSv1.3 x");
            return record;
        } else if (want != ServerSession::Want::input || bytes.empty()) {
            return record;
        } else {
            bytes.remove_prefix(session.consume(bytes.substr(0, piece_bytes)));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const auto choice = bytes[0];
    const std::string_view text(reinterpret_cast<const char*>(bytes + 1), size - 1);
    const auto whole = run(choice, text, SIZE_MAX);
    const auto cut = run(choice, text, 1 + (choice >> 3) % 16);
    assert(whole == cut);
    return 0;
}
