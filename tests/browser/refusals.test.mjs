// What the page does when the server does not let somebody in, or is gone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { key, startBrowser, startMailroom } from "./page.mjs";

let browser, server;
before(async () => {
  [browser, server] = await Promise.all([startBrowser(), startMailroom()]);
});
after(async () => {
  await browser?.close();
});

test("a wrong key is asked for again, and a server that went away is told", async () => {
  const page = await browser.newPage();
  await page.goto(server.http);
  await page.fill("#key", "not the key of anybody");
  await page.click("#ask button");
  await page.getByText("not known").waitFor();
  assert.equal(await page.locator("#ask").isVisible(), true);
  await page.fill("#key", key);
  await page.click("#ask button");
  await page.getByText("No mail was captured yet").waitFor();
  await server.stop();
  await page.getByText("cannot be reached").waitFor();
  assert.equal(await page.locator("#live").innerText(), "");
});
