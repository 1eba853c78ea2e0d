#include "outbox/accept/compose.h"

#include "liquid/json_value.h"
#include "liquid/template.h"
#include "mime/build/build.h"
#include "outbox/accept/request_fields.h"
#include "outbox/fetching/attachments.h"
#include "outbox/transports/envelope.h"

#include <charconv>

namespace mailroom::outbox {

namespace {

constexpr std::string_view attachments_field = "attachments";
constexpr std::string_view images_field = "inline_images";
constexpr std::string_view headers_field = "headers";

class Composer {
public:
    Composer(const Request& request, const Contents& contents, const Clock& clock, Random& random,
             const liquid::TimeZones& time_zones, TemplateCache* templates, const Fitting& fitting)
        : request_(request),
          contents_(contents),
          clock_(clock),
          random_(random),
          time_zones_(time_zones),
          templates_(templates),
          fitting_(fitting) {}

    Result<Composed, BadField> compose(Time date) {
        message_.from.push_back(request_.from);
        message_.reply_to = request_.reply_to;
        message_.to = request_.to;
        message_.cc = request_.cc;
        message_.bcc = request_.bcc;
        message_.date = date;
        message_.message_id = mime::make_message_id(random_, request_.from.domain);
        message_.headers = request_.headers;
        TRY(add_texts());
        add_parts();
        TRY(add_engagement());
        auto bytes = mime::build(message_);
        if (!bytes) return explain(bytes.error().message);

        Composed composed;
        composed.message = std::move(*bytes);
        composed.sender = envelope_address(request_.from);
        for (const auto& recipient : mime::envelope_recipients(message_)) {
            composed.recipients.push_back(envelope_address(recipient));
        }
        composed.message_id = message_.message_id.bracketed();
        composed.subject = std::move(message_.subject);
        return composed;
    }

private:
    Result<Ok, BadField> add_texts() {
        message_.subject = request_.subject;
        message_.text = request_.text;
        message_.html = request_.html;
        if (!request_.source) return Ok{};
        const auto& source = *request_.source;

        auto data = liquid::OwnedValue::object();
        if (!request_.data.empty()) {
            auto read = liquid::value_from_json(request_.data);
            if (!read) return BadField{"data", "cannot be read: " + read.error().message};
            data = std::move(*read);
        }
        if (source.subject) {
            message_.subject =
                TRY(render("template.subject", *source.subject, data, liquid::Escape::none));
            if (message_.subject.empty()) return BadField{"template.subject", "renders to nothing"};
        }
        if (source.text) {
            message_.text = TRY(render("template.text", *source.text, data, liquid::Escape::none));
        }
        if (source.html) {
            message_.html = TRY(render("template.html", *source.html, data, liquid::Escape::html));
        }
        return Ok{};
    }

    Result<std::string, BadField> render(std::string field, const std::string& text,
                                         const liquid::OwnedValue& data, liquid::Escape escape) {
        const auto compiled = templates_ ? templates_->get(text) : liquid::Template::compile(text);
        if (!compiled) return BadField{std::move(field), "fails: " + describe(compiled.error())};
        auto rendered = compiled->render(data.view(), {.clock = clock_,
                                                       .escape = escape,
                                                       .missing = liquid::Missing::report_undefined,
                                                       .time_zones = &time_zones_});
        if (!rendered) return BadField{std::move(field), "fails: " + describe(rendered.error())};
        return std::move(rendered->text);
    }

    static std::string describe(const liquid::Failure& failure) {
        if (!failure.missing_variables.empty()) {
            std::string names;
            for (const auto& name : failure.missing_variables) {
                names += (names.empty() ? "" : ", ") + name;
            }
            return "data does not have " + names;
        }
        if (failure.line == 0) return failure.message;
        return failure.message + " (line " + std::to_string(failure.line) + ", column " +
               std::to_string(failure.column) + ")";
    }

    void add_parts() {
        for (std::size_t i = 0; i < request_.attachments.size(); ++i) {
            const auto& source = request_.attachments[i];
            auto filename = source.filename.empty() ? filename_of(source) : source.filename;
            auto type = source.content_type.empty() ? std::string(media_type_of(filename))
                                                    : source.content_type;
            auto content = source.kind == AttachmentSource::Kind::content ? source.value
                           : i < contents_.size()                         ? contents_[i]
                                                                          : std::string();
            if (source.content_id.empty()) {
                attachment_places_.push_back(i);
                message_.attachments.push_back(
                    {std::move(filename), std::move(type), std::move(content)});
            } else {
                image_places_.push_back(i);
                message_.inline_images.push_back(
                    {source.content_id, std::move(type), std::move(content), std::move(filename)});
            }
        }
    }

    // Which template and sequence it is of is told as the seed's programs tell it: notifications of
    // providers bring these fields back.
    Result<Ok, BadField> add_engagement() {
        if (!request_.engagement) return Ok{};
        const auto& engagement = *request_.engagement;
        if (!engagement.template_key.empty()) {
            message_.headers.push_back({"X-Template-Key", engagement.template_key});
        }
        if (!engagement.sequence_id.empty()) {
            message_.headers.push_back({"X-Sequence-Id", engagement.sequence_id});
        }
        if (fitting_.tailor == nullptr) return Ok{};
        const auto fitted =
            fitting_.tailor->fit(message_, engagement, fitting_.mail_id, only_recipient());
        if (!fitted) return BadField{"engagement", "cannot be served: " + fitted.error().message};
        return Ok{};
    }

    // Empty if there are several.
    std::string only_recipient() const {
        const auto recipients = mime::envelope_recipients(message_);
        return recipients.size() == 1 ? envelope_address(recipients.front()) : std::string();
    }

    // build() says "MEMBER: reason", in its own names: here they become those of the request.
    BadField explain(std::string_view text) const {
        const auto colon = text.find(": ");
        if (colon == text.npos) return {"the message", "cannot be made: " + std::string(text)};
        const auto reason = std::string(text.substr(colon + 2));
        return {field_of(text.substr(0, colon)), "cannot be sent: " + reason};
    }

    std::string field_of(std::string_view member) const {
        const auto open = member.find('[');
        const auto name = member.substr(0, open);
        if (name == "from") return "from";
        if (name == "subject" && request_.source && request_.source->subject) {
            return "template.subject";
        }
        if (name == images_field && open == member.npos) {
            return element(attachments_field, image_places_, 0) + ".content_id";
        }
        if (open == member.npos) return std::string(member);

        std::size_t index = 0;
        const auto* end = member.data() + member.size();
        const auto parsed = std::from_chars(member.data() + open + 1, end, index);
        if (parsed.ec != std::errc()) return std::string(member);
        const auto close = std::min(member.find(']', open), member.size() - 1);
        const auto rest = std::string(member.substr(close + 1));
        if (name == headers_field && index < request_.headers.size()) {
            return joined(headers_field, request_.headers[index].name);
        }
        if (name == images_field) return element(attachments_field, image_places_, index) + rest;
        if (name == attachments_field) return element(name, attachment_places_, index) + rest;
        return std::string(member);
    }

    static std::string element(std::string_view name, const std::vector<std::size_t>& places,
                               std::size_t index) {
        if (index >= places.size()) return std::string(name);
        return std::string(name) + "[" + std::to_string(places[index]) + "]";
    }

    const Request& request_;
    const Contents& contents_;
    const Clock& clock_;
    Random& random_;
    const liquid::TimeZones& time_zones_;
    TemplateCache* const templates_;
    const Fitting& fitting_;
    mime::Message message_;
    // Where in the request they are.
    std::vector<std::size_t> attachment_places_, image_places_;
};

}  // namespace

Result<Composed, BadField> compose(const Request& request, const Contents& contents,
                                   const Clock& clock, Random& random,
                                   const liquid::TimeZones& time_zones, Time date,
                                   TemplateCache* templates, const Fitting& fitting) {
    return Composer(request, contents, clock, random, time_zones, templates, fitting).compose(date);
}

}  // namespace mailroom::outbox
