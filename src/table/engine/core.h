// What the parts of the engine share.
#pragma once

#include "base/clock.h"
#include "base/random.h"
#include "kv/committer.h"
#include "kv/store.h"
#include "table/engine/catalog.h"
#include "table/engine/engine.h"
#include "table/engine/listeners.h"
#include "table/engine/pending.h"
#include "table/engine/stream_writer.h"
#include "table/expression/expression_cache.h"

namespace mailroom::table {

constexpr std::size_t item_bytes_max = 400 * 1024;  // DynamoDB's limit on an item.

struct Core {
    Core(kv::Store& store, const Clock& the_clock, Random& the_random, EngineOptions the_options)
        : kv(store),
          clock(the_clock),
          random(the_random),
          options(std::move(the_options)),
          committer(store, options.sync, options.commit_mode) {}

    bool immediate() const { return options.commit_mode == kv::Committer::Mode::immediate; }

    kv::Store& kv;
    const Clock& clock;
    Random& random;
    const EngineOptions options;
    Catalog catalog;
    Pending pending;
    StreamWriter streams;
    Listeners listeners;
    ExpressionCache expressions;
    kv::Committer committer;  // Last: its thread uses the others until it has stopped.
};

}  // namespace mailroom::table
