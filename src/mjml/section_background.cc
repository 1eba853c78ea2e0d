// The background of a section: as CSS, and drawn in VML for Outlook.
#include "mjml/components.h"

#include <string>

namespace mailroom::mjml {
namespace {

struct Position {
    std::string x, y;
};

bool is_vertical(std::string_view word) { return word == "top" || word == "bottom"; }

// "top center" and "center top" are the same.
Position position_of(std::string_view text) {
    const auto space = text.find(' ');
    const std::string first(text.substr(0, space));
    if (space == text.npos)
        return is_vertical(first) ? Position{"center", first} : Position{first, "center"};
    const std::string second(text.substr(space + 1));
    if (second.find(' ') != second.npos) return {"center", "top"};
    const bool second_is_horizontal = second == "left" || second == "right";
    if (is_vertical(first) || (first == "center" && second_is_horizontal)) return {second, first};
    return {first, second};
}

Position position_of(const Item& section) {
    auto position = position_of(section.get("background-position").value_or(""));
    if (section.has_text("background-position-x")) {
        position.x = *section.get("background-position-x");
    }
    if (section.has_text("background-position-y")) {
        position.y = *section.get("background-position-y");
    }
    return position;
}

std::string shorthand(const Item& section, const std::string& position) {
    std::string text(section.get("background-color").value_or(""));
    auto append = [&](std::string_view part) {
        if (!part.empty()) text.append(text.empty() ? "" : " ").append(part);
    };
    append("url('" + std::string(*section.get("background-url")) + "')");
    append(position);
    append("/ " + std::string(section.get("background-size").value_or("")));
    append(section.get("background-repeat").value_or(""));
    return text;
}

bool is_percentage(std::string_view text) {
    if (!text.ends_with('%')) return false;
    text.remove_suffix(1);
    const auto dot = text.find('.');
    auto are_digits = [](std::string_view digits) {
        return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
    };
    if (dot == text.npos) return are_digits(text);
    return are_digits(text.substr(0, dot)) && are_digits(text.substr(dot + 1));
}

// Of the whole: 0 to 1.
double part(std::string_view word, double otherwise) {
    if (word == "left" || word == "top") return 0;
    if (word == "center") return 0.5;
    if (word == "right" || word == "bottom") return 1;
    return is_percentage(word) ? leading_integer(word).value_or(0) / 100 : otherwise;
}

// Outlook measures from the middle, except for what is repeated.
std::string drawn_position(const Position& position, bool is_repeated) {
    auto place = [&](double part_of_whole) {
        return number_text(is_repeated ? part_of_whole : (-50 + part_of_whole * 100) / 100);
    };
    return place(part(position.x, 0.5)) + ", " + place(part(position.y, 0));
}

void set_drawn_size(Tag& fill, std::string_view size) {
    if (size == "auto") return;
    if (size == "cover" || size == "contain") {
        fill.set("size", "1,1").set("aspect", size == "cover" ? "atleast" : "atmost");
        return;
    }
    std::string with_comma(size);
    const bool has_height = with_comma.find(' ') != with_comma.npos;
    for (auto& c : with_comma) c = c == ' ' ? ',' : c;
    fill.set("size", with_comma);
    if (!has_height) fill.set("aspect", "atmost");
}

Tag drawn_fill(const Item& section) {
    const auto size = section.get("background-size").value_or("");
    const auto repeat = section.get("background-repeat");
    const bool is_auto = size == "auto";
    const auto place = drawn_position(position_of(section), repeat == "repeat");
    Tag fill("v:fill");
    // Outlook does not know an image's own size.
    fill.set("origin", is_auto ? "0.5, 0" : place).set("position", is_auto ? "0.5, 0" : place);
    fill.set("src", section.get("background-url")).set("color", section.get("background-color"));
    fill.set("type", repeat == "no-repeat" && !is_auto ? "frame" : "tile");
    set_drawn_size(fill, size);
    return fill;
}

}  // namespace

void take_background(Style& style, const Item& section) {
    if (!section.has_text("background-url")) {
        style.add("background", section.get("background-color"));
        style.add("background-color", section.get("background-color"));
        return;
    }
    const auto position = position_of(section);
    const auto text = position.x + " " + position.y;
    style.add("background", shorthand(section, text)).add("background-position", text);
    take(style, section.attributes, {"background-repeat", "background-size"});
}

void begin_drawn_background(Page& page, const Item& section) {
    Style style;
    if (section.attributes.is("full-width", "full-width")) {
        style.add("mso-width-percent", "1000");
    } else {
        style.add("width", section.context.width);
    }
    Tag area("v:rect");
    area.style(style).set("xmlns:v", "urn:schemas-microsoft-com:vml");
    area.set("fill", "true").set("stroke", "false");
    page.begin_outlook();
    page << area << drawn_fill(section).closed()
         << "<v:textbox style=\"mso-fit-shape-to-text:true\" inset=\"0,0,0,0\">";
    page.end_outlook();
}

void end_drawn_background(Page& page) {
    page.begin_outlook();
    page << "</v:textbox></v:rect>";
    page.end_outlook();
}

}  // namespace mailroom::mjml
