#include "sim/line.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace mailroom::sim {

using namespace table;

namespace {

Line::Call call_of(const TransactWrite& request) {
    const auto is_of_people = [](const WriteAction& action) {
        const auto* update = std::get_if<UpdateItem>(&action);
        const auto* erase = std::get_if<DeleteItem>(&action);
        return (update && update->table == "Audience") || (erase && erase->table == "Audience");
    };
    return std::ranges::any_of(request.actions, is_of_people) ? Line::Call::change_of_person
                                                              : Line::Call::transaction;
}

Failure gone() { return {Fault::internal, "this process has ended"}; }

}  // namespace

void Line::cut_in(std::uint64_t calls, Last last) {
    calls_left_ = calls;
    last_ = last;
}

Line::Way Line::begin(Call call) {
    if (!is_cut_ && meanwhile) meanwhile(call);
    if (is_cut_) return Way::closed;
    if (calls_left_ == 0 || --calls_left_ > 0) return Way::open;
    is_cut_ = true;
    return last_ == Last::done ? Way::last_call : Way::closed;
}

template <class Carry>
auto Line::pass(const Carry& carry, Call call) -> decltype(carry()) {
    if (begin(call) == Way::closed) return gone();
    auto answer = carry();
    if (is_cut_) return gone();
    return answer;
}

Outcome<TransactWriteResult> Line::transact(const TransactWrite& request) {
    return pass(
        [&] {
            auto written = store_.transact(request);
            if (written && wrote) wrote(request);
            return written;
        },
        call_of(request));
}

void Line::transact(const TransactWrite& request, TransactDone done) {
    if (begin(call_of(request)) == Way::closed) return done(gone());
    store_.transact(request, [this, request, done = std::move(done)](auto written) {
        if (written && wrote) wrote(request);
        if (is_cut_) return done(gone());
        done(std::move(written));
    });
}

Outcome<GetResult> Line::get(const GetItem& request) {
    return pass([&] { return store_.get(request); });
}
Outcome<WriteResult> Line::put(const PutItem& request) {
    return pass([&] { return store_.put(request); });
}
Outcome<WriteResult> Line::update(const UpdateItem& request) {
    return pass([&] { return store_.update(request); });
}
Outcome<WriteResult> Line::erase(const DeleteItem& request) {
    return pass([&] { return store_.erase(request); });
}
Outcome<Page> Line::query(const Query& request) {
    return pass([&] { return store_.query(request); });
}
Outcome<Page> Line::scan(const Scan& request) {
    return pass([&] { return store_.scan(request); });
}
Outcome<BatchGetResult> Line::batch_get(const BatchGet& request) {
    return pass([&] { return store_.batch_get(request); });
}
Outcome<BatchWriteResult> Line::batch_write(const BatchWrite& request) {
    return pass([&] { return store_.batch_write(request); });
}
Outcome<TransactGetResult> Line::transact_get(const TransactGet& request) {
    return pass([&] { return store_.transact_get(request); });
}
Outcome<TableDescription> Line::create_table(const CreateTable& request) {
    return pass([&] { return store_.create_table(request); });
}
Outcome<TableDescription> Line::describe_table(const std::string& table) {
    return pass([&] { return store_.describe_table(table); });
}
Outcome<TableDescription> Line::update_table(const UpdateTable& request) {
    return pass([&] { return store_.update_table(request); });
}
Outcome<TableDescription> Line::delete_table(const std::string& table) {
    return pass([&] { return store_.delete_table(table); });
}
Outcome<TableNames> Line::list_tables(const std::string& after, std::size_t limit) {
    return pass([&] { return store_.list_tables(after, limit); });
}
Outcome<TimeToLive> Line::set_time_to_live(const std::string& table, const TimeToLive& setting) {
    return pass([&] { return store_.set_time_to_live(table, setting); });
}
Outcome<TimeToLive> Line::time_to_live(const std::string& table) {
    return pass([&] { return store_.time_to_live(table); });
}
Outcome<> Line::tag(const std::string& arn, const Tags& given) {
    return pass([&] { return store_.tag(arn, given); });
}
Outcome<> Line::untag(const std::string& arn, const std::vector<std::string>& keys) {
    return pass([&] { return store_.untag(arn, keys); });
}
Outcome<Tags> Line::tags(const std::string& arn) {
    return pass([&] { return store_.tags(arn); });
}

}  // namespace mailroom::sim
