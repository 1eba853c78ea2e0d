#include "app/commands.h"
#include "app/input.h"
#include "base/clock.h"
#include "base/random.h"
#include "mime/dkim/verify.h"
#include "mime/read/describe.h"
#include "net/dns_resolver.h"

#include <CLI/CLI.hpp>

#include <ostream>

namespace mailroom::app {

namespace {

constexpr std::size_t mail_bytes_max = 256 * 1024 * 1024;  // Far above what servers accept.
constexpr auto lookup_timeout = std::chrono::seconds(5);   // A person waits.

// Signatures are over lines that end with CRLF, as sent; files on disk often have LF.
std::string with_crlf(std::string_view mail) {
    std::string lines;
    lines.reserve(mail.size() + mail.size() / 32);
    char before = '\0';
    for (const char c : mail) {
        if (c == '\n' && before != '\r') lines += '\r';
        lines += c;
        before = c;
    }
    return lines;
}

// Asks the name servers, once somebody wants a key: most mails that are looked at have none.
class KeysInDns final : public mime::dkim::KeyLookup {
public:
    Result<std::vector<std::string>> txt(const std::string& name) override {
        if (!resolver_) {
            net::DnsOptions options;
            options.total_timeout = lookup_timeout;
            resolver_ = TRY(net::DnsResolver::open(options, clock_, random_));
        }
        return TRY(resolver_->texts(name));
    }

private:
    SystemClock clock_;
    SystemRandom random_;
    std::unique_ptr<net::DnsResolver> resolver_;
};

std::vector<mime::dkim::Verdict> check_signatures(std::string_view mail) {
    KeysInDns keys;
    const SystemClock clock;
    return mime::dkim::verify(with_crlf(mail), keys, clock.now());
}

}  // namespace

ParseCommand::ParseCommand(CLI::App& parser, Invocation& invocation) : invocation_(invocation) {
    auto* command = parser.add_subcommand("parse", "Print as JSON what is understood of a mail.");
    command->add_option("MAIL", mail_file_, "Mail as it was received; - for standard input")
        ->required();
    command->add_flag("--no-dkim", no_dkim_, "Do not check signatures, which asks name servers");
    command->callback([this] { invocation_.chosen = [this] { return run(); }; });
}

int ParseCommand::run() {
    const auto mail = read_input(mail_file_, invocation_.surroundings.in, mail_bytes_max);
    if (!mail) return invocation_.fail(mail.error().message, exit_failure);
    if (mail->empty()) return invocation_.fail(mail_file_ + " is empty", exit_failure);
    const auto parsed = mime::parse(std::string_view(*mail));
    if (parsed.headers().fields().empty()) {
        return invocation_.fail(mail_file_ + " is not a mail: it has no header field",
                                exit_failure);
    }
    std::optional<std::vector<mime::dkim::Verdict>> signatures;
    if (!no_dkim_) signatures = check_signatures(*mail);
    invocation_.surroundings.out << mime::describe(parsed, signatures) << std::flush;
    return exit_ok;
}

}  // namespace mailroom::app
