#include "people/segments/filter_json.h"

#include <utility>

namespace mailroom::people {

namespace {

struct ScalarJson {
    json::Writer& writer;

    void operator()(const std::string& text) const { table::show_text(writer, text); }
    void operator()(bool value) const { writer.boolean(value); }
    void operator()(const Moment& moment) const {
        writer.open_object().key("moment").text(moment.text()).close_object();
    }
    void operator()(const table::Number& number) const {
        if (const auto whole = number.to_int64()) {
            writer.integer(*whole);
        } else {
            writer.open_object().key("number").text(number.text()).close_object();
        }
    }
};

struct TestJson {
    json::Writer& writer;

    void list(std::string_view name, const std::vector<Filter>& parts) const {
        writer.key(name).open_list();
        for (const auto& part : parts) table::Form<Filter>::show(writer, part);
        writer.close_list();
    }
    void names(std::string_view key, const std::vector<std::string>& all) const {
        writer.key(key);
        if (all.size() == 1) return ScalarJson{writer}(all.front());
        writer.open_list();
        for (const auto& one : all) ScalarJson{writer}(one);
        writer.close_list();
    }

    void operator()(const All& all) const { list("all", all.parts); }
    void operator()(const Any& any) const { list("any", any.parts); }
    void operator()(const Not& rest) const {
        writer.key("not");
        table::Form<Filter>::show(writer, rest.part.front());
    }
    void operator()(const Compared& test) const {
        names("attribute", test.path);
        writer.key(name_of(test.how));
        std::visit(ScalarJson{writer}, test.value);
    }
    void operator()(const OneOf& test) const {
        names("attribute", test.path);
        writer.key("one_of").open_list();
        for (const auto& value : test.values) std::visit(ScalarJson{writer}, value);
        writer.close_list();
    }
    void operator()(const Exists& test) const {
        names("attribute", test.path);
        writer.key("exists").boolean(true);
    }
    void operator()(const Tagged& test) const { names("tag", test.tags); }
    void operator()(const Subscribed& test) const {
        writer.key("topic");
        ScalarJson{writer}(test.topic);
        if (test.state != TopicState::in) writer.key("is").text(name_of(test.state));
    }
    void operator()(const InSegment& test) const {
        writer.key("segment");
        ScalarJson{writer}(test.id);
    }
    void operator()(const Did& test) const {
        writer.key("did").text(name_of(test.deed));
        if (test.mails) {
            writer.key(name_of(test.mails->group));
            ScalarJson{writer}(test.mails->id);
        }
        if (test.when == Did::When::since) writer.key("since").text(test.moment.text());
        if (test.when == Did::When::before) writer.key("before").text(test.moment.text());
        if (test.times > 1) writer.key("times").integer(test.times);
    }
};

}  // namespace

}  // namespace mailroom::people

namespace mailroom::table {

using people::Filter;

void Form<Filter>::show(json::Writer& writer, const Filter& filter) {
    writer.open_object();
    std::visit(people::TestJson{writer}, filter.test);
    writer.close_object();
}

void Form<Filter>::describe(json::Writer& writer, Schemas& schemas) {
    schemas.refer(writer, "Filter", [](Schemas&) {
        std::string text;
        json::Writer schema(text);
        schema.open_object().key("type").text("object").key("description");
        schema.text(
            "One test: {\"all\": […]}, {\"any\": […]}, {\"not\": …}, {\"attribute\": NAME, and one "
            "of equals, above, at_least, below, at_most, contains, begins_with, ends_with, one_of, "
            "exists}, {\"tag\": NAME or a list of them}, {\"topic\": ID, and perhaps is: in, out "
            "or pending}, {\"segment\": ID} or {\"did\": DEED, and perhaps template, sequence or "
            "broadcast; since or before; times}. A value is a text, a number, true, false or "
            "{\"moment\": \"30 days ago\"}.");
        schema.close_object();
        return text;
    });
}

}  // namespace mailroom::table
