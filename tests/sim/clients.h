// Programs that post mails, ask again when no answer came, ask again for no reason, and cancel.
#pragma once

#include "sim/front.h"
#include "sim/judge.h"

#include <memory>
#include <string>
#include <vector>

namespace mailroom::sim {

// Whom they write to.
inline constexpr int addresses_max = 14;
std::string address_of(std::uint64_t number);
// Those whose mails are events; nobody forgets them.
inline constexpr int fans_max = 6;
std::string fan_of(std::uint64_t number);

class Clients {
public:
    // All must outlive this object, and what it scheduled.
    Clients(Events& events, Front& front, Judge& judge)
        : events_(events), front_(front), judge_(judge) {}

    // One more mail, or several in one request.
    void post();
    // The last request that may be repeated, once more, though it may not be answered yet.
    void post_again();

private:
    // One request, which may be made several times.
    struct Post {
        http::Request request;
        std::vector<int> wishes;  // One for each mail.
        bool is_repeatable = false;
        int tries = 0;
        Time first{}, repeats_until{};
    };
    using Posted = std::shared_ptr<Post>;

    std::string mail_text(int wish, const Wish& wanted, const std::string& id);
    Wish wish();
    void ask(const Posted& post);
    void hear(const Posted& post, const std::optional<http::Response>& answer);
    void hear_accepted(const Posted& post, const http::Response& answer);
    void ask_again(const Posted& post, std::chrono::milliseconds pause);
    void cancel(const std::string& mail);

    Events& events_;
    Front& front_;
    Judge& judge_;
    int posts_ = 0;
    Posted last_repeatable_;
};

}  // namespace mailroom::sim
