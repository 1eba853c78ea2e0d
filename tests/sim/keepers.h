// People who keep others in order: they take in files, give somebody another address, and make two
// people one; and a mail provider that tells of mails, and says now and then what it said before.
#pragma once

#include "sim/front.h"
#include "sim/judge.h"
#include "sim/operators.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mailroom::sim {

class Keepers {
public:
    // All must outlive this object, and what it scheduled.
    Keepers(Events& events, Front& front, Judge& judge, Operators& operators)
        : events_(events), front_(front), judge_(judge), operators_(operators) {}

    // One of them does something.
    void act();
    // What was asked for last, once more, though it may not be answered yet.
    void act_again();

private:
    // A request that is made until it is answered.
    struct Errand {
        http::Request request;
        std::function<void(const http::Response&)> heard;
        int tries = 0;
    };
    using Given = std::shared_ptr<Errand>;

    void give(http::Request request, std::function<void(const http::Response&)> heard);
    void ask(const Given& errand);
    void import_file();
    void wait_for(const std::string& id, const std::vector<std::string>& leaving,
                  std::uint64_t since);
    void change_address();
    void merge();
    void tell();

    Events& events_;
    Front& front_;
    Judge& judge_;
    Operators& operators_;  // Who see to it that mail may go to people again.
    int requests_ = 0;
    Given last_;
    std::vector<std::string> told_;  // By the provider.
};

}  // namespace mailroom::sim
