// Rules for what styles at the elements cannot do.
#include "mjml/components.h"
#include "mjml/frame.h"

namespace mailroom::mjml {
namespace {

std::string below(std::string_view breakpoint) {
    return "@media only screen and (max-width:" + one_less(breakpoint) + ") {\n";
}

std::string image_style(std::string_view breakpoint) {
    return below(breakpoint) +
           "table.mj-full-width-mobile { width: 100% !important; }\n"
           "td.mj-full-width-mobile { width: auto !important; }\n"
           "}\n";
}

// Everything hangs on the checkbox that comes first; programs that drop it show the links.
std::string navbar_style(std::string_view breakpoint) {
    const std::string box = ".mj-menu-checkbox[type=\"checkbox\"]";
    return "noinput.mj-menu-checkbox "
           "{ display:block!important; max-height:none!important; visibility:visible!important; "
           "}\n" +
           below(breakpoint) +                                          //
           box + " ~ .mj-inline-links { display:none!important; }\n" +  //
           box + ":checked ~ .mj-inline-links, " + box +
           " ~ .mj-menu-trigger { display:block!important; max-width:none!important; "
           "max-height:none!important; font-size:inherit!important; }\n" +
           box + " ~ .mj-inline-links > a { display:block!important; }\n" +  //
           box + ":checked ~ .mj-menu-trigger .mj-menu-icon-close { display:block!important; }\n" +
           box + ":checked ~ .mj-menu-trigger .mj-menu-icon-open { display:none!important; }\n}\n";
}

// Hidden only where `:checked` is understood, and not in Thunderbird, which does not switch.
std::string accordion_style() {
    const std::string box = "input.mj-accordion-checkbox";
    auto rule = [&](std::string_view state, std::string_view what, std::string_view display) {
        return box + std::string(state) + " + * .mj-accordion-" + std::string(what) +
               " { display:" + std::string(display) + "; }\n";
    };
    const std::string thunderbird = ".moz-text-html " + box + " + * .mj-accordion-";
    return "noinput.mj-accordion-checkbox { display:block!important; }\n"
           "@media yahoo, only screen and (min-width:0) {\n"
           ".mj-accordion-element { display:block; }\n" +
           box + ", .mj-accordion-less { display:none!important; }\n" +  //
           box +
           " + * .mj-accordion-title { cursor:pointer; touch-action:manipulation; "
           "-webkit-user-select:none; -moz-user-select:none; user-select:none; }\n" +
           box + " + * .mj-accordion-content { overflow:hidden; display:none; }\n" +
           rule("", "more", "block!important") + rule(":checked", "content", "block") +
           rule(":checked", "more", "none!important") +
           rule(":checked", "less", "block!important") + "}\n" +  //
           thunderbird +
           "title { cursor:auto; touch-action:auto; -webkit-user-select:auto; "
           "-moz-user-select:auto; user-select:auto; }\n" +
           thunderbird + "content { overflow:hidden; display:block; }\n" +  //
           thunderbird + "ico { display:none; }\n" +
           // Gmail drops a sheet that ends like this, and would only understand half of it.
           "@goodbye { @gmail }\n";
}

}  // namespace

bool has_head_style(std::string_view tag) {
    return tag == "mj-image" || tag == "mj-navbar" || tag == "mj-accordion";
}

std::string head_style(std::string_view tag, std::string_view breakpoint) {
    if (tag == "mj-image") return image_style(breakpoint);
    if (tag == "mj-navbar") return navbar_style(breakpoint);
    return accordion_style();
}

}  // namespace mailroom::mjml
