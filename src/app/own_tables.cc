#include "app/own_tables.h"

#include "api/idempotency.h"
#include "base/log.h"
#include "dynamodb/access_keys.h"
#include "http/key_table.h"
#include "schedule/schedule.h"

#include <optional>
#include <string>
#include <utility>

namespace mailroom::app {

namespace {

Result<> keep_history(table::Engine& engine, const std::string& table) {
    const auto kept = TRY(engine.backups().continuous(table));
    if (kept.setting.enabled) return Ok{};
    TRY(engine.backups().set_continuous(table, {.enabled = true}));
    log::info("the history of a table is kept from now on", {{"table", table}});
    return Ok{};
}

}  // namespace

std::vector<table::OwnTable> declared_tables(const program::House& programs) {
    auto all = programs.tables();
    for (auto table : {schedule::Schedule::declared(), http::KeyTable::declared(),
                       dynamodb::AccessKeys::declared(), api::Idempotency::declared()}) {
        all.push_back(std::move(table));
    }
    return all;
}

Result<> keep_histories(table::Engine& engine, const std::vector<table::OwnTable>& declared) {
    for (const auto& table : declared) {
        if (table.keeps_history) TRY(keep_history(engine, table.made.name));
    }
    return Ok{};
}

Result<> warn_of_hidden_tables(table::Engine& engine, const table::OwnTables& own) {
    constexpr std::size_t page = 100;
    for (std::optional<std::string> after = ""; after;) {
        const auto names = TRY(engine.list_tables(*after, page));
        for (const auto& name : names.names) {
            if (!own.hides(name) || own.is_declared(name)) continue;
            log::warn("the name of this table is reserved: it is hidden from the endpoint",
                      {{"table", name}});
        }
        after = names.last;
    }
    return Ok{};
}

}  // namespace mailroom::app
