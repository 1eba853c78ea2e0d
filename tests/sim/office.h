// The people who remind customers that owe money: invoices, drafts, approvals, second thoughts,
// payments, opt-outs.
#pragma once

#include "sim/front.h"
#include "sim/judge.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace mailroom::sim {

class Office {
public:
    // All must outlive this object, and what it scheduled.
    Office(Events& events, Front& front, Judge& judge)
        : events_(events), front_(front), judge_(judge) {}

    // Somebody does something.
    void act();

private:
    struct Invoice {
        std::string customer;
        std::int64_t amount = 0;
        bool is_there = false, is_paid = false;
    };
    using Answer = std::optional<http::Response>;

    std::string some_customer();
    void add_invoice();
    void ask_until_answered(http::Request request, std::function<void(const Answer&)> told,
                            int tries_left);
    void make_draft();
    void look_at_draft(const std::string& draft);
    void decide(const std::string& draft, std::int64_t version);
    void change_the_matter(const std::string& draft);
    void edit(const std::string& draft, std::int64_t version);
    void approve_some();
    void retry_failed();
    void pay();
    void pay(const std::string& id);
    void pay_all(const std::string& customer);
    void opt_out(const std::string& customer);

    Events& events_;
    Front& front_;
    Judge& judge_;
    std::map<std::string, Invoice> invoices_;
    std::map<std::string, bool> customers_;  // Whether it is there.
    int numbers_ = 0;
};

}  // namespace mailroom::sim
