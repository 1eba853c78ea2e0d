#include "api/draft_posting.h"

#include "api/reminder_json.h"

#include <chrono>
#include <utility>
#include <vector>

namespace mailroom::api {

namespace {

using namespace reminders;
using Type = json::View::Type;

// Less than the time after which a request with an Idempotency-Key is taken for lost; a model is
// slow.
constexpr auto bulk_time_max = std::chrono::seconds(50);

Result<std::optional<Writer>, Response> writer_member(const json::View& object) {
    const auto text = text_member(object, "writer");
    if (!text) return text.error();
    if (!*text) return std::optional<Writer>();
    if (**text == "template") return std::optional(Writer::by_template);
    if (**text == "ai") return std::optional(Writer::by_model);
    return bad_field_response("writer", "must be template or ai");
}

// All but whom it is for.
Result<DraftWish, Response> wish_of(const json::View& object) {
    DraftWish wish;
    const auto type_text = text_member(object, "reminder_type");
    if (!type_text) return type_text.error();
    const auto type = reminder_type_of(*type_text);
    if (!type) return type.error();
    const auto writer = writer_member(object);
    if (!writer) return writer.error();
    const auto template_id = text_member(object, "template_id");
    if (!template_id) return template_id.error();
    const auto fallback = boolean_member(object, "fallback");
    if (!fallback) return fallback.error();
    const auto subject = text_member(object, "email_subject");
    if (!subject) return subject.error();
    const auto text = text_member(object, "email_content");
    if (!text) return text.error();
    const auto override_reason = override_member(object);
    if (!override_reason) return override_reason.error();
    wish.type = *type;
    wish.writer = *writer;
    wish.template_id = template_id->value_or("");
    wish.fallback = fallback->value_or(false);
    wish.subject = *subject;
    wish.text = *text;
    wish.override_reason = *override_reason;
    return wish;
}

Response post_one(const Call& call, ReminderServices services, const json::View& object,
                  DraftWish wish) {
    const auto customer = text_member(object, "customer_id");
    if (!customer) return customer.error();
    if (!*customer) return bad_field_response("customer_id", "is required");
    wish.customer_id = **customer;
    const auto made = services.drafts.create(wish, person_of(call));
    return made ? object_response(201, *made, write_draft) : refusal_response(made.error());
}

Result<std::vector<std::string>, Response> customer_ids_of(const json::View& list) {
    const auto wanted = "must be a list of 1 to " + std::to_string(bulk_customers_max) + " ids";
    std::vector<std::string> ids;
    if (list.type() != Type::list) return bad_field_response("customer_ids", wanted);
    json::Elements elements(list);
    json::View element;
    while (elements.next(element)) {
        if (element.type() != Type::text || ids.size() == bulk_customers_max) {
            return bad_field_response("customer_ids", wanted);
        }
        ids.emplace_back(element.text());
    }
    if (ids.empty()) return bad_field_response("customer_ids", wanted);
    return ids;
}

struct Bulk {
    std::int64_t good = 0, refused = 0;
    std::string results;
    json::Writer writer{results};
};

void check_one(Bulk& bulk, ReminderServices services, const DraftWish& wish) {
    const auto decision = services.drafts.check(wish.customer_id, wish.type);
    if (decision) {
        bulk.writer.key("decision");
        write_decision(bulk.writer, *decision);
    } else {
        bulk.writer.key("error");
        write_refusal(bulk.writer, decision.error());
    }
    ++(decision && decision->allowed() ? bulk.good : bulk.refused);
}

void draft_one(Bulk& bulk, ReminderServices services, const DraftWish& wish, const Person& person) {
    const auto made = services.drafts.create(wish, person);
    if (made) {
        write_text(bulk.writer, "draft_id", made->id);
        bulk.writer.key("reminder_type").text(name_of(made->type));
        bulk.writer.key("version").integer(made->version);
    } else {
        bulk.writer.key("error");
        write_refusal(bulk.writer, made.error());
    }
    ++(made ? bulk.good : bulk.refused);
}

Response post_many(const Call& call, ReminderServices services, const json::View& object,
                   DraftWish wish) {
    if (wish.subject || wish.text) {
        return bad_field_response("email_content", "cannot be the same for many customers");
    }
    const auto ids = customer_ids_of(*object.find("customer_ids"));
    if (!ids) return ids.error();
    const auto dry = boolean_member(object, "dry_run");
    if (!dry) return dry.error();
    const auto person = person_of(call);
    const auto deadline = services.now() + bulk_time_max;
    Bulk bulk;
    bulk.writer.open_list();
    for (const auto& id : *ids) {
        wish.customer_id = id;
        bulk.writer.open_object();
        write_text(bulk.writer, "customer_id", id);
        if (services.now() > deadline) {
            bulk.writer.key("error");
            write_refusal(bulk.writer, {Refusal::Kind::unavailable, "out_of_time",
                                        "there was no time left for this one; ask again"});
            ++bulk.refused;
        } else if (dry->value_or(false)) {
            check_one(bulk, services, wish);
        } else {
            draft_one(bulk, services, wish, person);
        }
        bulk.writer.close_object();
    }
    bulk.writer.close_list();
    std::string body;
    json::Writer writer(body);
    writer.open_object().key(dry->value_or(false) ? "allowed" : "drafted").integer(bulk.good);
    writer.key("refused").integer(bulk.refused);
    writer.key("results").value() += bulk.results;
    writer.close_object();
    return json_response(200, std::move(body));
}

}  // namespace

Response post_drafts(const Call& call, ReminderServices services) {
    json::Parser parser;
    const auto body =
        json_object(call, parser,
                    {"customer_id", "customer_ids", "reminder_type", "writer", "template_id",
                     "fallback", "email_subject", "email_content", "override", "dry_run"});
    if (!body) return body.error();
    auto wish = wish_of(*body);
    if (!wish) return std::move(wish).error();
    if (body->find("customer_ids")) return post_many(call, services, *body, *std::move(wish));
    return post_one(call, services, *body, *std::move(wish));
}

}  // namespace mailroom::api
