// A resolver for tests that answers from a table, and remembers what it was asked.
#pragma once

#include "net/resolver.h"

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mailroom::net {

// Names that are not in the table do not exist. Thread-safe.
class FakeResolver final : public Resolver {
public:
    using Addresses = Result<std::vector<IpAddress>, DnsFailure>;
    using Route = Result<MailRoute, DnsFailure>;
    using Texts = Result<std::vector<std::string>, DnsFailure>;

    // Replaces what was set before for the name. Of several answers each is given once, in order;
    // the last one stays.
    void set_addresses(const std::string& name, std::vector<Addresses> answers) {
        set(addresses_, name, std::move(answers));
    }
    // Each text must be an address.
    void set_addresses(const std::string& name, std::initializer_list<const char*> texts) {
        std::vector<IpAddress> parsed;
        for (const char* text : texts) parsed.push_back(*IpAddress::parse(text));
        set_addresses(name, std::vector<Addresses>{parsed});
    }
    void set_mail_route(const std::string& domain, std::vector<Route> answers) {
        set(routes_, domain, std::move(answers));
    }
    void set_texts(const std::string& name, std::vector<Texts> answers) {
        set(texts_, name, std::move(answers));
    }

    Route mail_route(std::string_view domain) override { return next(routes_, domain); }
    Addresses addresses(std::string_view name, Family family = Family::any) override {
        auto found = next(addresses_, name);
        if (!found || family == Family::any) return found;
        std::erase_if(*found, [&](const IpAddress& address) {
            return address.is_v4() != (family == Family::v4);
        });
        if (found->empty()) return DnsFailure{NoRecords::no_data, "no such record"};
        return found;
    }
    Texts texts(std::string_view name) override { return next(texts_, name); }

    // The names asked for, in order.
    std::vector<std::string> asked() const {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    template <class T>
    using Table = std::map<std::string, std::vector<T>>;

    template <class T>
    void set(Table<T>& table, const std::string& name, std::vector<T> answers) {
        const std::lock_guard lock(mutex_);
        table.insert_or_assign(name, std::move(answers));
    }
    template <class T>
    T next(Table<T>& table, std::string_view name) {
        const std::lock_guard lock(mutex_);
        asked_.emplace_back(name);
        const auto found = table.find(asked_.back());
        if (found == table.end() || found->second.empty()) {
            return DnsFailure{NoRecords::no_such_name, "no such name: " + asked_.back()};
        }
        auto& answers = found->second;
        T answer = answers.front();
        if (answers.size() > 1) answers.erase(answers.begin());
        return answer;
    }

    mutable std::mutex mutex_;
    Table<Addresses> addresses_;
    Table<Route> routes_;
    Table<Texts> texts_;
    std::vector<std::string> asked_;
};

}  // namespace mailroom::net
