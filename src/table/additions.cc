#include "table/additions.h"

#include "table/write_builder.h"

namespace mailroom::table {

UpdateItem update_of(const Addition& addition) {
    write::Update update(addition.table, addition.key);
    for (const auto& [name, by] : addition.numbers) update.add(name, by);
    return update;
}

void make_updates_of_additions(TransactWrite& request) {
    for (const auto& addition : request.additions) {
        request.actions.emplace_back(update_of(addition));
    }
    request.additions.clear();
}

}  // namespace mailroom::table
