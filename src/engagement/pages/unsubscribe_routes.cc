#include "engagement/pages/unsubscribe_routes.h"

#include "engagement/pages/form.h"

#include <string>
#include <utility>
#include <variant>

namespace mailroom::engagement {

namespace {

using program::Asked;
using program::Rendered;

constexpr std::string_view act_leave = "leave", act_back = "back";
// RFC 8058, 3.2: what a mail program sends by itself.
constexpr std::string_view one_click = "List-Unsubscribe=One-Click";

class Door {
public:
    Door(const Reception& reception, Leaving& leaving, const Links& links)
        : reception_(reception), leaving_(leaving), links_(links) {}

    Rendered ask(const Asked& asked) const {
        auto came = reception_.welcome(asked);
        if (auto* wrong = std::get_if<Rendered>(&came)) return std::move(*wrong);
        const auto& visitor = std::get<Visitor>(came);
        const auto& texts = visitor.texts();
        PageBody body;
        body.paragraph(question(visitor));
        body.open_form().button(act_leave, texts.leave_button).close_form();
        add_link(body, visitor);
        return reception_.show(visitor, texts.leave, body);
    }

    Rendered act(const Asked& asked) const {
        auto came = reception_.welcome(asked);
        if (auto* wrong = std::get_if<Rendered>(&came)) return std::move(*wrong);
        const auto& visitor = std::get<Visitor>(came);
        const auto form = read_form(asked.body);
        const auto act = find_in(form, "act");
        return act == act_back ? come_back(asked, visitor) : leave(asked, visitor, bool(act));
    }

private:
    static std::string question(const Visitor& visitor) {
        const auto& texts = visitor.texts();
        return visitor.text(visitor.topic.empty() ? texts.leave_ask : texts.leave_topic_ask);
    }

    void add_link(PageBody& body, const Visitor& visitor) const {
        const auto preferences = links_.preferences(visitor.person);
        if (preferences) body.link(*preferences, visitor.texts().choose);
    }

    static people::Evidence evidence(const Asked& asked, bool by_form, std::string wording) {
        return {.source = by_form ? "form" : "link",
                .ip = std::string(asked.peer),
                .form = "unsubscribe",
                .wording = std::move(wording),
                .by = ""};
    }

    Rendered leave(const Asked& asked, const Visitor& visitor, bool by_form) const {
        auto wording = by_form ? question(visitor) : std::string(one_click);
        const auto left =
            leaving_.leave(visitor.person, evidence(asked, by_form, std::move(wording)));
        if (!left) return reception_.trouble(asked, left.error());
        const auto& texts = visitor.texts();
        PageBody body;
        body.notice(visitor.text(visitor.topic.empty() ? texts.left_all : texts.left_topic));
        body.open_form().button(act_back, texts.come_back_button, true).close_form();
        add_link(body, visitor);
        return reception_.show(visitor, texts.left, body);
    }

    Rendered come_back(const Asked& asked, const Visitor& visitor) const {
        const auto& texts = visitor.texts();
        const auto came = leaving_.come_back(
            visitor.person, evidence(asked, true, std::string(texts.come_back_button)));
        if (!came) return reception_.trouble(asked, came.error());
        PageBody body;
        body.notice(visitor.text(texts.back_text));
        add_link(body, visitor);
        return reception_.show(visitor, texts.back, body);
    }

    const Reception& reception_;
    Leaving& leaving_;
    const Links& links_;
};

}  // namespace

void add_unsubscribe_routes(program::Api& api, const Reception& reception, Leaving& leaving,
                            const Links& links) {
    const Door door(reception, leaving, links);
    api.group("Unsubscribing and choosing",
              "Pages for people, reached by the links in their mails. In English, German, French, "
              "Spanish, Italian, Portuguese, Dutch or Polish.");
    PageRoute page{.path = "/u/{token}",
                   .show_name = "ask_to_unsubscribe",
                   .act_name = "unsubscribe",
                   .show_summary = "A page that asks whether to unsubscribe",
                   .act_summary = "Unsubscribe",
                   .act_more =
                       "By the button of the page, or by one click in a mail program (RFC "
                       "8058). Durable when it answers. The same again changes nothing."};
    const auto ask = [door](const Asked& asked) { return door.ask(asked); };
    const auto act = [door](const Asked& asked) { return door.act(asked); };
    add_page(api, page, ask, act);
    page.path = "/unsubscribe";
    page.show_name = "ask_to_unsubscribe_by_query";
    page.act_name = "unsubscribe_by_query";
    add_page(api, page, ask, act);
}

}  // namespace mailroom::engagement
