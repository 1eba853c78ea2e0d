#include "table/engine/definition_change.h"

#include <memory>

namespace mailroom::table {

std::future<Outcome<>> queue_commit(Core& core, const kv::Batch& batch) {
    auto promise = std::make_shared<std::promise<Outcome<>>>();
    core.committer.submit(batch, [promise](const Result<>& committed) {
        promise->set_value(committed ? Outcome<>(Ok{}) : from_storage(committed.error()));
    });
    return promise->get_future();
}

DefinitionPtr current_definition(const Core& core, const Definition& listed) {
    auto table = core.catalog.find(listed.name);
    return table && table->id == listed.id ? table : nullptr;
}

Outcome<DefinitionPtr> change_definition(Core& core, const Definition& listed,
                                         const DefinitionEdit& edit) {
    std::future<Outcome<>> queued;
    DefinitionPtr before, after;
    {
        kv::Batch batch;
        const auto changing = core.catalog.change();
        before = current_definition(core, listed);
        if (!before) return before;
        Definition changed = *before;
        edit(changed, batch);
        core.catalog.put(std::move(changed), batch);
        after = core.catalog.find(listed.name);
        queued = queue_commit(core, batch);
    }
    if (auto committed = queued.get(); !committed) {
        const auto changing = core.catalog.change();
        kv::Batch unused;
        if (core.catalog.find(listed.name) == after) core.catalog.put(*before, unused);
        return std::move(committed).error();
    }
    // A table that was restored has its items from now on.
    if (before->restoring && !after->restoring) core.listeners.tell_replaced(listed.name);
    return after;
}

}  // namespace mailroom::table
