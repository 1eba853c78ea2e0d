// A browser and a server for a test file. MAILROOM_BINARY names the server; the browser is Debian's.
import { chromium } from "playwright-core";

import { startServer } from "../wire/js/server.mjs";

export const key = "a-key-for-the-browser-tests-1";
export const phone = { width: 375, height: 700 };

export async function startBrowser() {
  // As root, which CI is, Chromium runs only without its own sandbox. It loads our pages alone.
  return chromium.launch({
    executablePath: process.env.MAILROOM_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage"],
  });
}

// Resolves to the server, with `post(mail)` that resolves to the id of the mail.
export async function startMailroom() {
  const server = await startServer({ MAILROOM_ADMIN_KEY: key });
  server.post = async (mail) => {
    const answer = await fetch(`${server.http}/v1/emails`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
      body: JSON.stringify({ from: "Shop <shop@example.com>", to: "ann@example.org", ...mail }),
    });
    if (answer.status !== 202) throw new Error(await answer.text());
    return (await answer.json()).id;
  };
  return server;
}
