// What the encoders of requests and answers share. Private to this folder.
#pragma once

#include "json/writer.h"
#include "table/operations.h"
#include "table/schema.h"
#include "table/wire/requests.h"

#include <string_view>
#include <vector>

namespace mailroom::table::wire {

// Maps of tables, as a request lists them and as an answer lists what was left undone.
void write_tables(json::Writer& json, const BatchGet& batch);
void write_tables(json::Writer& json, const BatchWrite& batch);
// The two members, each only if there is something in it.
void write_bindings(json::Writer& json, const Bindings& bind);
// A text member, unless it is empty.
void write_text(json::Writer& json, std::string_view key, std::string_view text);

void write_attribute_definitions(json::Writer& json, const std::vector<AttributeDefinition>& all);
void write_key_schema(json::Writer& json, const KeySchema& keys);
void write_projection(json::Writer& json, const Projection& projection);
void write_tags(json::Writer& json, const Tags& tags);
std::string_view billing_mode_name(BillingMode mode);
std::string_view stream_view_name(StreamView view);
// Seconds with milliseconds behind the point, exactly.
void write_time(json::Writer& json, Time time);
void write_stream(json::Writer& json, const StreamSpec& stream);

}  // namespace mailroom::table::wire
