// The page that shows all routes, as people use it.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { phone, startBrowser, startMailroom } from "./page.mjs";

let browser, server, context, page, complaints, elsewhere;

before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startMailroom()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  complaints = [];
  elsewhere = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.http) && !url.startsWith("data:")) elsewhere.push(url);
  });
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints, []);
  assert.deepEqual(elsewhere, []);
});

async function open(place = "") {
  await page.goto(`${server.http}/v1/docs${place}`);
  await page.locator(".route").first().waitFor({ state: "attached" });
}
const shown = () => page.locator(".route:visible");
const isWide = () =>
  page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

test("every route of the description is there, under its group", async () => {
  await open();
  const described = await (await fetch(`${server.http}/v1/openapi.json`)).json();
  const count = Object.values(described.paths).flatMap(Object.keys).length;
  assert.equal(await shown().count(), count);
  assert.equal(await page.locator("#groups a").count(), described.tags.length);
  assert.deepEqual(
    await page.locator("h2").allTextContents(),
    described.tags.map((tag) => tag.name),
  );
});

test("words find routes by path, sentence and member", async () => {
  await open();
  await page.fill("#words", "emails/{id}/cancel");
  await page.waitForFunction(() => document.getElementById("found").textContent === "1 route");
  await page.fill("#words", "may_have_arrived_at");
  await page.locator("#show_mail").waitFor();
  assert.equal(await page.locator("#list_keys").isVisible(), false);
  await page.fill("#words", "nothing has these words");
  await page.waitForFunction(() => document.getElementById("found").textContent === "0 routes");
  await page.fill("#words", "");
  await page.locator("#list_keys").waitFor();
});

test("a route tells its scope, parameters, body, answers and refusals", async () => {
  await open("#send_mails");
  const route = page.locator("#send_mails");
  await route.getByText("scope send").waitFor();
  await route.getByText("Idempotency-Key").waitFor();
  await route.getByText("callback_url").first().waitFor();
  await route.getByText("Answer 202").waitFor();
  await route.getByText("429").waitFor();
  await route.locator("summary", { hasText: "attachments" }).first().click();
  await route.getByText("content_id").first().waitFor();
  await page.goto(`${server.http}/v1/docs#openapi`);
  await page.locator("#openapi").getByText("no key needed").waitFor();
});

test("every route opens, and fits on a phone", async () => {
  await page.setViewportSize(phone);
  await open();
  await page.evaluate(() => {
    for (const route of document.querySelectorAll(".route")) route.open = true;
  });
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".inside")].every((inside) => inside.childElementCount > 1));
  assert.equal(await isWide(), false);
});

test("without its script it says where the same is", async () => {
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const bare = await plain.newPage();
  await bare.goto(`${server.http}/v1/docs`);
  await bare.locator("noscript a").waitFor();
  await plain.close();
});
