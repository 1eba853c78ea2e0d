// The page that shows captured mail, as people use it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, afterEach, before, beforeEach, test } from "node:test";

import { key, phone, startBrowser, startMailroom } from "./page.mjs";

let browser, server, context, page, complaints;

before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startMailroom()]);
});
after(async () => {
  await browser?.close();
  await server?.stop();
});
beforeEach(async () => {
  context = await browser.newContext({ acceptDownloads: true });
  page = await context.newPage();
  complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (line) => line.type() === "error" && complaints.push(line.text()));
});
afterEach(async () => {
  await context.close();
  assert.deepEqual(complaints, []);
});

async function signIn() {
  await page.goto(server.http);
  await page.fill("#key", key);
  await page.click("#ask button");
  await page.waitForSelector("#list li, #empty:not([hidden])");
}
const entry = (subject) => page.locator("#list li", { hasText: subject });

test("a mail that is sent while somebody looks appears by itself", async () => {
  await signIn();
  await server.post({ subject: "Just now", text: "x" });
  await entry("Just now").waitFor();
  assert.equal(await entry("Just now").count(), 1);
  await page.waitForFunction(() => document.getElementById("live").textContent === "live");
});

test("words find a mail among many", async () => {
  for (let i = 0; i < 60; i++) await server.post({ subject: `Filler ${i}`, text: "x" });
  await server.post({ subject: "Needle", text: "x", to: "hay@stack.example" });
  await signIn();
  await entry("Needle").waitFor();
  await page.fill("#words", "HAY@STACK");
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 1);
  await entry("Needle").waitFor();
  await page.fill("#words", "not there at all");
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 0);
  await page.getByText("No mail has these words.").waitFor();
  await page.fill("#words", "");
  await page.waitForFunction(() => document.querySelectorAll("#list li").length === 50);
  await page.click("#more");
  await page.waitForFunction(() => document.querySelectorAll("#list li").length > 60);
});

test("HTML, text and source are shown, links open beside, and scripts do not run", async () => {
  const target = `${server.http}/healthz`;
  await server.post({
    subject: "All views",
    text: "plain words",
    html: `<p>Rich words <a href="${target}">a link</a><script>document.title="gone"</script></p>`,
  });
  await signIn();
  await entry("All views").click();
  const frame = page.frameLocator("#html");
  await frame.getByText("Rich words").waitFor();
  const [opened] = await Promise.all([
    context.waitForEvent("page"),
    frame.getByText("a link").click(),
  ]);
  await opened.waitForLoadState();
  assert.equal(opened.url(), target);
  assert.match(await page.title(), /Captured mail/);
  await page.getByRole("button", { name: "Text" }).click();
  assert.match(await page.locator("#text").innerText(), /plain words/);
  assert.equal(await page.locator("#html").isVisible(), false);
  await page.getByRole("button", { name: "Source" }).click();
  await page.waitForFunction(() => document.getElementById("source").textContent.includes("MIME-Version"));
});

test("an attachment is saved as it was sent", async () => {
  const content = Buffer.from("a,b\n1,2\n");
  await server.post({
    subject: "With a file",
    text: "x",
    attachments: [{ filename: "table.csv", content: content.toString("base64") }],
  });
  await signIn();
  await entry("With a file").click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: /table\.csv/ }).click(),
  ]);
  assert.equal(download.suggestedFilename(), "table.csv");
  assert.deepEqual(await readFile(await download.path()), content);
});

test("on a phone one thing is shown at a time and nothing is wider than the screen", async () => {
  await page.setViewportSize(phone);
  await server.post({
    subject: "W".repeat(120),
    text: "x",
    html: "<table width=1200><tr><td>wide</td></tr></table>",
  });
  await signIn();
  const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  assert.equal(await fits(), true);
  await entry("WWWW").click();
  await page.locator("#mail").waitFor();
  assert.equal(await page.locator("nav").isVisible(), false);
  assert.equal(await fits(), true);
  await page.getByRole("button", { name: "All mails" }).click();
  await page.locator("nav").waitFor();
  assert.equal(await page.locator("#mail").isVisible(), false);
});

test("a mail keeps its address, and a reload stays with it", async () => {
  const id = await server.post({ subject: "Shared", text: "the same words" });
  await signIn();
  await page.goto(`${server.http}/#${id}`);
  await page.getByText("the same words").waitFor();
  await page.reload();
  await page.getByText("the same words").waitFor();
});
