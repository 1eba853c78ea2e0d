// layout and block, cycles in groups, and partials with aliases.
const partials = {
  base: '<{% block head %}H{% endblock %}|{% block body %}B{% endblock %}|{{ title }}>',
  open: '({% block %}default{% endblock %})',
  middle: '{% layout "base" %}{% block head %}M[{{ block.super }}]{% endblock %}ignored',
  deeper: '{% layout "middle" %}{% block body %}D[{{ block.super }}]{% endblock %}',
  looped: '{% for i in (1..2) %}{% block row %}{{ i }}{% endblock %};{% endfor %}',
  both: '[{{ a }},{{ b }},{{ both }},{{ item }}]', item: '<{{ item }}>',
  cycling: '{% cycle "x", "y" %}', above: '<{{ block.super }}>',
  quoted: '<{% block "body" %}B{% endblock %}|{% block \'foot\' %}F{% endblock %}>',
  counting: '{% for i in (1..2) %}{{ i }}{{ i }}{% endfor %}x', testing: '{% if yes %}1{{ pi }}{% endif %}3', capturing: '{% capture x %}1{{ pi }}{% endcapture %}{{ x }}',
};

const layouts = [
  '{% layout "base" %}', '{% layout "base" %}text', '{% layout "base" %}{% block body %}mine{% endblock %}', '{% layout "base" %}{% block body %}{{ block.super }}+{% endblock %}',
  '{% layout "base", title: "T" %}{% block head %}{{ title }}{% endblock %}', '{% layout "base" title: name %}', '{% layout "open" %}all of it', '{% layout "open" %}{% block %}this{% endblock %}that',
  '{% layout "open" %}{% block x %}lost{% endblock %}kept', '{% layout "middle" %}', '{% layout "middle" %}{% block head %}T[{{ block.super }}]{% endblock %}', '{% layout "deeper" %}{% block body %}T[{{ block.super }}]{% endblock %}',
  '{% layout none %}{% block a %}x{% endblock %}y', '{% block a %}x{% endblock %}y', '{% block a %}x{{ block.super }}{% endblock %}', '{% assign l = "base" %}{% layout l %}{% block body %}v{% endblock %}',
  '{% layout "ba{{ "se" }}" %}{% block body %}v{% endblock %}', '{% assign v = 1 %}{% layout "base" %}{% assign v = 2 %}{% block body %}{{ v }}{% endblock %}', 'before{% layout "base" %}after', '{% layout "looped" %}{% block row %}r{{ i }}{% endblock %}',
  '{% layout "nowhere" %}', '{% layout %}', '{% layout "base" %}{% block body %}', '{% block a %}{% block b %}x{% endblock %}{% endblock %}', '{% layout "base" %}{% block body %}1{% endblock %}{% block body %}2{{ block.super }}{% endblock %}',
  '{% layout "base" %}{% for i in list %}{% block body %}{{ i }}{% endblock %}{% endfor %}', '{% if yes %}{% block a %}x{% endblock %}{% endif %}', '{% include "base" %}', '{% render "base" %}', '{% layout "base" %}{% block head %}{% render "base" %}{% endblock %}',
  '{% layout "open" %}{% include "item" %}', '{{ block.super }}', '{% layout "base" %}{% block body %}{% include "open" %}{% endblock %}',
  '{% layout "quoted" %}', '{% layout "quoted" %}{% block "body" %}Dear Ann{% endblock %}', '{% layout "quoted" %}{% block "foot" %}{{ block.super }}!{% endblock %}{% block "body" %}b{% endblock %}', '{% layout "quoted" %}{% block foot %}f{% endblock %}',
  "{% layout 'quoted' %}{% block 'body' %}q{% endblock %}", '{% layout "base" %}{% block "body" %}x{% endblock %}', '{% layout "base" %}{% block -body %}x{% endblock %}', '{% layout "base" %}{% block body-2 %}x{% endblock %}', '{% layout "base" %}{% block body, head %}x{% endblock %}',
  '{% layout "base" %}{% block: body %}x{% endblock %}', '{% layout "open" %}{% block "" %}x{% endblock %}y', '{% layout "open" %}{% block "é" %}x{% endblock %}y', '{% block "a" %}x{% endblock %}', '{% block 1 %}x{% endblock %}',
  '{% layout "base" %}{% block body %}{% assign k = "super" %}{{ block[k] }}{% endblock %}', '{% layout "base" %}{% block body %}{{ block["super"] }}{% endblock %}', '{% layout "base" %}{% block body %}{% assign k = "other" %}{{ block[k] }}{% endblock %}', '{% layout "base" %}{% block body %}{% assign b = block %}{{ b.super }}{% endblock %}', '{% layout "base" %}{% block body %}{% include "above" %}{% endblock %}',
  '{% layout "base" %}{% break %}{% block head %}z{% endblock %}', '{% layout "base" %}{% block head %}z{% endblock %}{% break %}', '{% layout "counting" %}{% break %}', '{% layout "counting" %}{% continue %}', '{% layout "testing" %}{% break %}', '{% layout "capturing" %}{% break %}', '{% layout none %}a{% break %}b',
  '{% layout "base" %}{% block body %}q{% break %}{{ pi }}{% endblock %}', '{% layout "base" %}{% for i in list %}{% break %}{% endfor %}{% block body %}z{% endblock %}', '{% layout "middle" %}{% break %}', '{% layout "open" %}u{% break %}v', '{% layout "base" %}{% block head %}{% render "item" %}{% endblock %}{% continue %}',
];

const cycles = [
  '{% cycle "g": "a", "b" %}{% cycle "g": "a", "b" %}{% cycle "g": "a", "b" %}', '{% cycle "g": "a", "b" %}{% cycle "g": "x", "y" %}{% cycle "g": "a", "b" %}', '{% cycle "g": "a", "b" %}{% cycle "g": "a", "b", "c" %}{% cycle "g": "a", "b" %}',
  '{% cycle "g":"a","b" %}{% cycle "g": "a", "b" %}', '{% cycle "g" : "a" , "b" %}{% cycle "g": "a", "b" %}', '{% cycle name: 1, 2 %}{% cycle "Ann": 1, 2 %}', '{% cycle 1: "a", "b" %}{% cycle 1: "a", "b" %}{% cycle "1": "a", "b" %}',
  '{% cycle missing: "a", "b" %}{% cycle "a", "b" %}', '{% cycle nil: "a", "b" %}{% cycle "null": "a", "b" %}', '{% cycle user.first: name, pi %}{% cycle name: name, pi %}', '{% cycle list: "a", "b" %}{% cycle "3,1,2": "a", "b" %}',
  '{% for i in (1..4) %}{% cycle i: "a", "b" %}{% endfor %}', '{% for i in (1..4) %}{% assign g = i | modulo: 2 %}{% cycle g: "a", "b", "c" %}{% endfor %}', '{% cycle "g": %}', '{% cycle "g":, "a" %}', '{% cycle "a" "b" %}{% cycle "a" "b" %}',
  '{% cycle "g": "a" | upcase, "b" %}{% cycle "g": "a" | upcase, "b" %}', '{% cycle "g": "a", "b", %}{% cycle "g": "a", "b", %}', '{% cycle ,"a", "b" %}', '{% cycle "a", "b" %}{% render "cycling" %}{% render "cycling" %}{% include "cycling" %}{% include "cycling" %}',
  '{% cycle  "a",   "b" %}{% cycle "a", "b" %}', '{% cycle "a","b" %}{% cycle "a", "b" %}', "{% cycle 'a', 'b' %}{% cycle \"a\", \"b\" %}", '{% cycle yes: "a", "b" %}{% cycle "true": "a", "b" %}', '{% cycle object: "a", "b" %}', '{% cycle  "a", "b" %}{% cycle "a", "b" %}', '{%cycle "a", "b"%}{% cycle "a", "b" %}', '{% cycle empty: "a", "b" %}{% cycle blank: "a", "b" %}',
];

const aliases = [
  '{% render "both" for list as a with name as b %}', '{% render "both" with name as b for list as a %}', '{% render "both" with name as a for list as a %}', '{% render "both" for list as a, with name as b %}', '{% render "both" with name as a with pi as b %}',
  '{% render "both" for list as a for texts as b %}', '{% render "both" with name for list as a %}', '{% render "both" with name as a, b: 2 %}', '{% render "both" for list as a, b: 2 %}', '{% render "both" with name as a, a: 2 %}',
  '{% render "both" for list as a with name as b, item: 9 %}', '{% render "item" for list as item with name as item %}', '{% render "both" with: name as a %}', '{% render "both" for object as a with name as b %}', '{% render "both" for none as a with name as b %}',
  '{% render "both" with missing as a %}', '{% render "both", with name as a %}', '{% render "both" as a %}', '{% render "both" with name as %}', '{% render "both" with name as a b: 1 %}', '{% render "both" with (1..2) as a for (3..4) as b %}',
];

export function layoutRows() {
  return [...layouts, ...cycles, ...aliases].map((template) => ({ template, partials }));
}
