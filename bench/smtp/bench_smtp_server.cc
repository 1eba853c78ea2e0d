// Receives mail and throws it away, until its standard input ends; then prints what came as JSON.
// The receiving half of compare_server.py.
//
//   bench_smtp_server          prints "ready HOST:PORT" first

#include "base/clock.h"
#include "base/random.h"
#include "smtp/server.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

namespace {

using namespace mailroom;

class Discard final : public smtp::Receiver {
public:
    void take(smtp::Message message, smtp::Answer answer) override {
        bytes += message.data.size();
        answer.accept();
    }
    std::uint64_t bytes = 0;  // Of the I/O thread, until the server has stopped.
};

}  // namespace

int main() {
    const SystemClock clock;
    SystemRandom random;
    Discard discard;
    auto server = smtp::Server::listen({}, discard, clock, random);
    if (!server) {
        std::cerr << server.error().message << std::endl;
        return 1;
    }
    std::cout << "ready " << (*server)->address() << std::endl;
    for (std::string line; std::getline(std::cin, line);) continue;
    (*server)->stop(std::chrono::seconds(1));
    std::cout << "{\"messages\":" << (*server)->stats().messages << ",\"bytes\":" << discard.bytes
              << "}" << std::endl;
}
