#include "program/action.h"
#include "reminders/routes.h"
#include "writing/filling.h"

#include <utility>

namespace mailroom::reminders {

namespace {

using program::Actor;
using program::Created;
using program::Of;
using table::Slice;

struct AddTemplate {
    std::string template_id;
    TemplateText text;

    static constexpr auto fields =
        std::tuple{required("template_id", &AddTemplate::template_id), part(&AddTemplate::text)};
};
struct AddVersion {
    TemplateText text;
    bool activate = false;

    static constexpr auto fields =
        std::tuple{part(&AddVersion::text), asked("activate", &AddVersion::activate)};
};
struct ActivateVersion {
    std::int64_t version = 0;

    static constexpr auto fields = std::tuple{required("version", &ActivateVersion::version)};
};
struct Preview {
    std::string id;
    std::optional<std::int64_t> version;
    std::optional<std::string> customer_id;
    std::optional<liquid::OwnedValue> data;

    static constexpr auto fields = std::tuple{
        required("id", &Preview::id),
        asked("version", &Preview::version, "The active one, if it is not said."),
        asked("customer_id", &Preview::customer_id, "As this customer would get it, or:"),
        asked("data", &Preview::data, "The variables.")};
    static void check(const Preview& preview, table::Reading& reading) {
        if (preview.customer_id.has_value() != preview.data.has_value()) return;
        reading.wrong_member("customer_id", "or data must be there, not both");
    }
};

Answer<Letter> preview(const Preview& in, Desk desk) {
    const auto version =
        TRY(in.version ? desk.templates.version(in.id, *in.version) : desk.templates.active(in.id));
    if (in.data) return desk.author.preview(version, *in.data);
    const auto stored = TRY(desk.accounts.require(*in.customer_id));
    const auto customer = stored.reminded(desk.now(), desk.books().policy);
    return desk.author.preview(version, template_data(customer, desk.author.company(), desk.now()));
}

using ManyVersions = Answer<Slice<TemplateVersion>>;

void add_version_routes(program::Api& api, Desk desk) {
    api.post("/v1/reminders/templates/{id}/versions",
             added("add_reminder_template_version", "Add a version of a template"),
             [desk](const Of<AddVersion>& in, const Actor&) -> Answer<Created<TemplateVersion>> {
                 const auto activate =
                     in.asked.activate ? Templates::Activate::yes : Templates::Activate::no;
                 return Created{TRY(desk.templates.add_version(in.id, in.asked.text, activate))};
             });
    api.post("/v1/reminders/templates/{id}/activate",
             decided("activate_reminder_template", "Use this version from now on"),
             [desk](const Of<ActivateVersion>& in, const Actor&) {
                 return desk.templates.activate(in.id, in.asked.version);
             });
    api.post("/v1/reminders/templates/{id}/render",
             seen("preview_reminder_template", "What a template makes of a customer, or of data"),
             [desk](const Preview& in, const Actor&) { return preview(in, desk); });
}

}  // namespace

void add_template_routes(program::Api& api, Desk desk) {
    api.get("/v1/reminders/templates",
            seen("list_reminder_templates", "The active version of each template"),
            [desk](const program::Nothing&, const Actor&) -> ManyVersions {
                return Slice<TemplateVersion>{TRY(desk.templates.list()), std::nullopt};
            });
    api.post("/v1/reminders/templates",
             added("add_reminder_template", "Add a template, with its first version"),
             [desk](const AddTemplate& in, const Actor&) -> Answer<Created<TemplateVersion>> {
                 return Created{TRY(desk.templates.create(in.template_id, in.text))};
             });
    api.get("/v1/reminders/templates/{id}",
            seen("show_reminder_template", "All versions of a template"),
            [desk](const program::ById& in, const Actor&) -> ManyVersions {
                return Slice<TemplateVersion>{TRY(desk.templates.versions(in.id)), std::nullopt};
            });
    add_version_routes(api, desk);
}

}  // namespace mailroom::reminders
