#include "api/email_routes.h"

#include "api/email_posting.h"
#include "api/mail_json.h"
#include "base/log.h"

#include <utility>

namespace mailroom::api {

namespace {

Response no_such_mail(const std::string& id) { return not_found_response("no mail " + id); }

Response mail_response(const outbox::Mail& mail) {
    std::string body;
    json::Writer writer(body);
    write_mail(writer, mail);
    return json_response(200, std::move(body));
}

Result<outbox::Ledger::Filter, Response> filter_of(const Call& call) {
    outbox::Ledger::Filter filter;
    if (const auto* name = call.query("state"); name && !name->empty()) {
        filter.state = outbox::state_named(*name);
        if (!filter.state) {
            std::string names;
            for (const auto state : outbox::all_states) {
                names += (names.empty() ? "" : ", ") + std::string(name_of(state));
            }
            return bad_field_response("state", "must be one of " + names);
        }
    }
    if (const auto* held = call.query("held"); held && !held->empty()) {
        if (*held != "true" && *held != "false") {
            return bad_field_response("held", "must be true or false");
        }
        filter.held = *held == "true";
    }
    return filter;
}

Response list(const Call& call, outbox::Ledger& ledger) {
    const auto filter = filter_of(call);
    if (!filter) return filter.error();
    const auto page = page_query(call);
    if (!page) return page.error();
    const auto found = ledger.list(*filter, page->limit, page->after);
    if (!found) return failure_response(found.error());
    return page_response(found->mails, found->next, write_mail);
}

Response show(const std::string& id, outbox::Outbox& outbox) {
    const auto history = outbox.history(id);
    if (!history) return failure_response(history.error());
    if (!*history) return no_such_mail(id);
    // Who cannot have the request shall at least see what became of the mail.
    const auto payload = outbox.payload((*history)->mail);
    if (!payload) {
        log::warn("a request cannot be read", {{"mail", id}, {"reason", payload.error().message}});
        return json_response(200, history_json(**history, ""));
    }
    return json_response(200, history_json(**history, payload->value_or("")));
}

Response show_raw(const std::string& id, EmailServices services) {
    const auto mail = services.ledger.find(id);
    if (!mail) return failure_response(mail.error());
    if (!*mail) return no_such_mail(id);
    auto message = services.outbox.message(**mail);
    if (!message) return failure_response(message.error());
    if (!*message) {
        const bool was_made = !(*mail)->eml_path.empty();
        return not_found_response("the message of mail " + id +
                                  (was_made ? " is gone" : " is not made yet"));
    }
    Response response;
    response.content_type = "message/rfc822";
    response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + id + ".eml\"");
    response.body = **std::move(message);
    return response;
}

Response changed(const Result<outbox::Mail>& mail) {
    return mail ? mail_response(*mail) : failure_response(mail.error());
}

Response resolve(const Call& call, outbox::Outbox& outbox) {
    json::Parser parser;
    const auto body = json_object(call, parser, {"as"});
    if (!body) return body.error();
    const auto as = required_text_member(*body, "as");
    if (!as) return as.error();
    if (*as != "sent") return bad_field_response("as", "must be sent");
    return changed(outbox.resolve_as_sent(call.parameter("id")));
}

// `post(once)` starts it, for a request that is to have one effect or any other.
template <class Post>
Router::Start start_posting(const Call& call, const Idempotency& idempotency, const Post& post) {
    std::optional<Once> once;
    if (Idempotency::is_asked_for(call)) {
        once = idempotency.once(call);
        if (!once) return Router::MustWait{};
    }
    auto start = post(once);
    // Refusals are kept, too, which takes one that waits.
    if (once && std::holds_alternative<Response>(start)) return Router::MustWait{};
    return start;
}

void add_posting_routes(Routes& routes, EmailServices services) {
    routes.add_quick(
        "POST", "/v1/emails", scope::send,
        [services](const Call& call, const Router::Later& later) {
            return start_posting(call, services.idempotency, [&](const auto& once) {
                return post_email_later(call, services.outbox, services.clock.now(), once, later);
            });
        },
        [services](const Call& call) {
            const auto now = services.clock.now();
            return services.idempotency.run(call, [&](const auto& value) {
                return post_emails(call, services.outbox, now, value);
            });
        },
        mail_body_bytes_max);
    routes.add_quick(
        "POST", "/v1/emails/raw?from&to&stream", scope::send,
        [services](const Call& call, const Router::Later& later) {
            return start_posting(call, services.idempotency, [&](const auto& once) {
                return post_raw_email_later(call, services.outbox, once, later);
            });
        },
        [services](const Call& call) {
            return services.idempotency.run(call, [&](const auto& value) {
                return post_raw_email(call, services.outbox, value);
            });
        },
        mail_body_bytes_max);
}

}  // namespace

void add_email_routes(Routes& routes, EmailServices services) {
    add_posting_routes(routes, services);
    routes.add("GET", "/v1/emails?state&held&limit&after", scope::read,
               [services](const Call& call) { return list(call, services.ledger); });
    routes.add("GET", "/v1/emails/{id}", scope::read, [services](const Call& call) {
        return show(call.parameter("id"), services.outbox);
    });
    routes.add("GET", "/v1/emails/{id}/raw", scope::read,
               [services](const Call& call) { return show_raw(call.parameter("id"), services); });
    routes.add("POST", "/v1/emails/{id}/cancel", scope::send, [services](const Call& call) {
        return changed(services.outbox.cancel(call.parameter("id")));
    });
    routes.add("POST", "/v1/emails/{id}/retry", scope::send, [services](const Call& call) {
        return changed(services.outbox.retry(call.parameter("id")));
    });
    routes.add("POST", "/v1/emails/{id}/resolve", scope::send,
               [services](const Call& call) { return resolve(call, services.outbox); });
}

}  // namespace mailroom::api
