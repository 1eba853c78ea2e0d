#include "program/docs_page.h"

namespace mailroom::program {

const std::string_view docs_js = R"js("use strict";

const find = (id) => document.getElementById(id);
let described = {};

// An element with these attributes and children; texts are texts, never markup.
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

function resolved(node) {
  while (node && node.$ref) {
    node = node.$ref.slice(2).split("/").reduce((at, name) => at[name], described);
  }
  return node || {};
}

const name_of = (schema) => (schema.$ref ? schema.$ref.split("/").pop() : "");

// A few words: "list of Mail", "text (date-time)", "text or null".
function kind_of(schema) {
  if (schema.$ref) return name_of(schema);
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return choices.map(kind_of).join(" or ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.type === "array") return "list of " + kind_of(schema.items || {});
  const words = { string: "text", integer: "whole number", boolean: "true or false" };
  const types = [].concat(schema.type || "anything").map((type) => words[type] || type);
  return types.join(" or ") + (schema.format ? " (" + schema.format + ")" : "");
}

// The schemas of objects that a schema leads to.
function objects_of(schema) {
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return choices.flatMap(objects_of);
  const whole = resolved(schema);
  if (schema.$ref && (whole.anyOf || whole.oneOf)) return objects_of(whole);
  if (whole.type === "array") return objects_of(whole.items || {});
  if (whole.properties) return [{ name: name_of(schema), whole }];
  if (whole.additionalProperties) return objects_of(whole.additionalProperties);
  return [];
}

// What several choices have in common is shown once.
const different = (objects) => [...new Map(objects.map((one) => [one.whole, one])).values()];

function bounds_of(schema) {
  const words = [];
  if (schema.minimum !== undefined) words.push("at least " + schema.minimum);
  if (schema.maximum !== undefined) words.push("at most " + schema.maximum);
  if (schema.maxItems !== undefined) words.push("at most " + schema.maxItems);
  if (schema.default !== undefined) words.push("usually " + schema.default);
  return words.length ? ", " + words.join(", ") : "";
}

// One member. What it holds is made when somebody opens it, so that what holds itself ends.
function member_line(name, schema, must, about) {
  const head = [make("code", {}, name), " ",
    make("span", { class: "kind" }, kind_of(schema) + bounds_of(schema)),
    must ? make("span", { class: "must" }, " required") : "",
    about ? " " + about : ""];
  const inner = objects_of(schema);
  if (!inner.length) return make("li", {}, ...head);
  const details = make("details", {}, make("summary", {}, ...head));
  details.addEventListener("toggle", () => details.append(...different(inner).map(member_list)),
    { once: true });
  return make("li", {}, details);
}

function member_list({ whole }) {
  const must = whole.required || [];
  return make("ul", { class: "members" },
    ...Object.entries(whole.properties).map(([name, schema]) =>
      member_line(name, schema, must.includes(name), schema.description)));
}

function contents(title, content) {
  return Object.entries(content || {}).flatMap(([type, { schema }]) => {
    const kind = schema ? kind_of(schema) : type;
    return [make("h3", {}, title + " ", make("span", { class: "kind" },
      type === "application/json" ? kind : type)),
      ...(schema ? different(objects_of(schema)).map(member_list) : [])];
  });
}

function parameters_of(operation) {
  const all = operation.parameters || [];
  if (!all.length) return [];
  return [make("h3", {}, "Parameters"), make("ul", { class: "members" }, ...all.map((one) =>
    member_line(one.name, one.schema, one.required,
      [one.in === "query" ? "" : "in the " + one.in + ".", one.description].filter(Boolean)
        .join(" "))))];
}

function answers_of(operation) {
  const good = [], bad = [];
  for (const [status, answer] of Object.entries(operation.responses)) {
    const whole = resolved(answer);
    if (status < "300") {
      good.push(...(whole.content ? contents("Answer " + status, whole.content)
        : [make("h3", {}, "Answer " + status)]));
    } else {
      bad.push(make("li", {}, make("code", {}, status), " " + whole.description));
    }
  }
  return [...good, make("h3", {}, "When it is refused"),
    make("ul", { class: "members fails" }, ...bad)];
}

// The names in a schema, for searching; `seen` are the schemas that were looked at.
function names_in(schema, seen) {
  return objects_of(schema || {}).flatMap(({ whole }) => {
    if (seen.has(whole)) return [];
    seen.add(whole);
    return Object.entries(whole.properties).flatMap(([name, inner]) =>
      [name, ...names_in(inner, seen)]);
  });
}

function words_of(method, path, operation) {
  const bodies = [operation.requestBody, ...Object.values(operation.responses)];
  const members = bodies.flatMap((body) => Object.values(resolved(body).content || {}))
    .flatMap(({ schema }) => names_in(schema, new Set()));
  return [method, path, operation.operationId, operation.summary, operation.description,
    scope_of(operation), ...(operation.parameters || []).map((one) => one.name), ...members]
    .join(" ").toLowerCase();
}

function scope_of(operation) {
  const wanted = operation.security && operation.security[0];
  return wanted ? wanted.key[0] : "";
}

function route_element(method, path, operation) {
  const scope = scope_of(operation);
  const inside = make("div", { class: "inside" });
  const route = make("details", { class: "route", id: operation.operationId },
    make("summary", {},
      make("span", { class: "method " + method }, method), make("span", { class: "path" }, path),
      make("span", { class: "told" }, operation.summary)), inside);
  route.dataset.words = words_of(method, path, operation);
  route.addEventListener("toggle", () => inside.append(
    operation.description ? make("p", {}, operation.description) : "",
    make("span", { class: "scope" }, scope ? "scope " + scope : "no key needed"),
    operation["x-agents"] ? make("span", { class: "scope" }, "for agents, too") : "",
    ...parameters_of(operation), ...contents("Body", operation.requestBody?.content),
    ...answers_of(operation)), { once: true });
  return route;
}

function show_all() {
  const groups = new Map(described.tags.map((tag) => [tag.name, { tag, routes: [] }]));
  for (const [path, methods] of Object.entries(described.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      groups.get(operation.tags[0]).routes.push(
        route_element(method.toUpperCase(), path, operation));
    }
  }
  for (const { tag, routes } of groups.values()) {
    const id = "group-" + tag.name.toLowerCase().replaceAll(" ", "-");
    find("groups").append(make("a", { href: "#" + id }, tag.name));
    find("routes").append(make("section", { id }, make("h2", {}, tag.name),
      make("p", { class: "about" }, tag.description || ""), ...routes));
  }
}

function search() {
  const words = find("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const section of document.querySelectorAll("section")) {
    let any = false;
    for (const route of section.querySelectorAll(".route")) {
      const fits = words.every((word) => route.dataset.words.includes(word));
      route.hidden = !fits;
      any ||= fits;
      count += fits ? 1 : 0;
    }
    section.hidden = !any;
  }
  find("found").textContent = words.length ? count + (count === 1 ? " route" : " routes") : "";
}

function follow_address() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.tagName === "DETAILS") target.open = true;
  target.scrollIntoView();
}

async function begin() {
  const answer = await fetch("/v1/openapi.json");
  if (!answer.ok) throw new Error("the description cannot be read: " + answer.status);
  described = await answer.json();
  find("routes").prepend(make("p", { class: "about" }, described.info.description));
  show_all();
  follow_address();
}

find("words").addEventListener("input", search);
window.addEventListener("hashchange", follow_address);
begin().catch((problem) => find("routes").prepend(make("p", { role: "alert" }, problem.message)));
)js";

}  // namespace mailroom::program
