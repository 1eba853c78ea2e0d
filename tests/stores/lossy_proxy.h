// Stands between an HTTP client and its server on this machine, and loses things by chance.
#pragma once

#include "base/random.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace mailroom {

// Each connection of the client has one of its own to the server. Thread-safe.
class LossyProxy {
public:
    // How many of a thousand requests never reach the server, are answered to nobody, and are
    // answered in half: the client finds its connection closed. All chance comes from the seed.
    struct Losses {
        int requests = 0, answers = 0, halves = 0;
    };
    LossyProxy(std::uint16_t server_port, std::uint64_t seed, Losses losses);
    ~LossyProxy();
    LossyProxy(const LossyProxy&) = delete;
    LossyProxy& operator=(const LossyProxy&) = delete;

    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    // From now on.
    void set(Losses losses);
    // The server is elsewhere now; requests in hand are lost.
    void move_to(std::uint16_t server_port);
    // The answer to the next request is lost, whatever chance says.
    void lose_next_answer() { lose_next_answer_ = true; }
    std::size_t answers_lost() const { return answers_lost_; }

private:
    enum class Loss { none, request, answer, half };

    void accept();
    void serve(int client);
    bool pass_on(int client, int server);
    Loss draw();

    const int listener_;
    std::uint16_t port_ = 0;
    std::atomic<std::uint16_t> server_port_;
    SeededRandom random_;
    std::atomic<bool> lose_next_answer_ = false;
    std::atomic<std::size_t> answers_lost_ = 0;
    std::mutex mutex_;  // Of those below.
    Losses losses_;
    bool stopping_ = false;
    std::set<int> open_;  // Sockets, to be shut down at the end.
    std::vector<std::thread> connections_;
    std::thread acceptor_;
};

}  // namespace mailroom
