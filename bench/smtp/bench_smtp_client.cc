// Sends N mails of so many bytes over S connections and prints how fast that went.
//
//   bench_smtp_client HOST-ADDRESS PORT SESSIONS MAILS BYTES
//   bench_smtp_client HOST-ADDRESS PORT SESSIONS MAILS - PASSWORD < MESSAGE
//
// prints {"mails":…,"seconds":…,"rate":…,"accepted":…}. For compare_client.py, and as the load of
// bench/outbox: alone the figure says little.
#include "smtp/client.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

namespace {

using namespace mailroom;

// Keeps `sessions` mails on their way until all are sent.
class Load {
public:
    Load(smtp::Client& client, std::shared_ptr<const smtp::Target> target, long mails,
         std::string message)
        : client_(client), target_(std::move(target)), left_(mails), message_(std::move(message)) {}

    void run(std::size_t sessions) {
        active_ = sessions;
        for (std::size_t i = 0; i < sessions; ++i) next();
        finished_.get_future().wait();
    }

    long accepted() const { return accepted_; }

private:
    void next() {
        if (left_.fetch_sub(1) <= 0) {
            if (active_.fetch_sub(1) == 1) finished_.set_value();
            return;
        }
        smtp::Mail mail{.sender = "sender@bench.example",
                        .recipients = {"recipient@bench.example"},
                        .message = message_};
        const auto sent = client_.send(target_, std::move(mail), [this](smtp::Delivery delivery) {
            const auto outcome = delivery.recipients.at(0).verdict.outcome;
            if (outcome == smtp::Outcome::accepted) ++accepted_;
            next();
        });
        if (!sent) {
            std::fprintf(stderr, "%s\n", sent.error().message.c_str());
            std::exit(1);
        }
    }

    smtp::Client& client_;
    std::shared_ptr<const smtp::Target> target_;
    std::atomic<long> left_;
    std::atomic<long> accepted_ = 0;
    std::atomic<std::size_t> active_ = 0;
    std::string message_;
    std::promise<void> finished_;
};

std::string make_message(std::size_t bytes) {
    std::string message = "From: <sender@bench.example>\r\nTo: <recipient@bench.example>\r\n\r\n";
    while (message.size() + 78 < bytes) message += std::string(76, 'x') + "\r\n";
    message += std::string(bytes > message.size() + 2 ? bytes - message.size() - 2 : 0, 'x');
    return message + "\r\n";
}

std::string read_message() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

}  // namespace

int main(int argc, char** argv) {
    if (argc < 6 || argc > 7) {
        std::fprintf(stderr, "usage: %s ADDRESS PORT SESSIONS MAILS BYTES|- [PASSWORD]\n", argv[0]);
        return 2;
    }
    const auto sessions = static_cast<std::size_t>(std::atol(argv[3]));
    const long mails = std::atol(argv[4]);
    smtp::Target target{.host = "bench",
                        .addresses = {argv[1]},
                        .port = static_cast<std::uint16_t>(std::atoi(argv[2])),
                        .hello_name = "bench.example",
                        .tls = smtp::TlsMode::none};
    if (argc == 7) {
        target.login = smtp::Login{"bench", argv[6]};
        target.clear_text_login = smtp::ClearTextLogin::on_loopback;
    }
    target.limits.connections_max = sessions;
    // smtp-source -d keeps its connections to the end, so we do too.
    target.limits.messages_per_connection_max = static_cast<std::size_t>(mails) + 1;

    auto client = smtp::Client::create({});
    if (!client) return 1;
    Load load(**client, std::make_shared<const smtp::Target>(target), mails,
              argv[5] == std::string("-")
                  ? read_message()
                  : make_message(static_cast<std::size_t>(std::atol(argv[5]))));
    const auto start = std::chrono::steady_clock::now();
    load.run(sessions);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("{\"mails\":%ld,\"seconds\":%.3f,\"rate\":%.0f,\"accepted\":%ld}\n", mails,
                seconds.count(), static_cast<double>(mails) / seconds.count(), load.accepted());
    return load.accepted() == mails ? 0 : 1;
}
