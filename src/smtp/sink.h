// A rude mail server to rehearse with: it refuses, hangs up, stalls, answers rubbish and dawdles at
// set rates, and counts what it saw. A Receiver for smtp::Server.
//
//   smtp::Sink sink(options);
//   auto settings = smtp::sink_settings(options);      // its limits do not get in the way
//   auto server = TRY(smtp::Server::listen({.settings = settings}, sink, clock, random));
//   … std::cout << sink.counts().json();
#pragma once

#include "base/result.h"
#include "smtp/server_receiver.h"
#include "smtp/server_settings.h"
#include "smtp/sink_counts.h"
#include "smtp/sink_options.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace mailroom::smtp {

// What happens to somebody depends on the seed, the rule, the address and how often that address
// has come, not on the order in which connections arrive: a run can be repeated. Thread-safe.
class Sink final : public Receiver {
public:
    explicit Sink(SinkOptions options);

    SinkCounts counts() const;

    void connected(const Peer& peer, Answer answer) override;
    void hello(const Peer& peer, Answer answer) override;
    void authenticate(const Peer& peer, const Credentials& credentials, Answer answer) override;
    void sender(const Peer& peer, const Envelope& envelope, Answer answer) override;
    void recipient(const Peer& peer, const Envelope& envelope, const Path& recipient,
                   Answer answer) override;
    void data(const Peer& peer, const Envelope& envelope, Answer answer) override;
    void take(Message message, Answer answer) override;
    void ended(const Peer& peer) override;

private:
    // Whom a step is about.
    struct Subject {
        std::string_view text;           // Chooses the dice.
        const std::vector<Path>* paths;  // Whose domains count; null if none do.
    };

    Decision decide(Step step, const Subject& subject);
    bool fires(const SinkRule& rule, std::size_t index, const Subject& subject,
               std::uint64_t attempt) const;
    double draw(std::size_t rule, Step step, std::string_view subject, std::uint64_t attempt) const;
    void note(Step step, const Decision& decision);
    void store(const Message& message) const;

    const SinkOptions options_;
    mutable std::mutex mutex_;
    SinkCounts counts_;
    SeenMails seen_;
    std::unordered_map<std::uint64_t, std::uint32_t> attempts_;  // By hash of step and subject.
    std::unordered_set<std::string> senders_;  // Open connections that had a mail accepted.
};

// What `text`, the part of an address before the @, asks for, as SinkOptions::obey_addresses says.
std::optional<Decision> decision_in_address(std::string_view text);

// For a Server with a Sink behind it.
ServerSettings sink_settings(const SinkOptions& options);

}  // namespace mailroom::smtp
