// Uses the chats in Chromium as a person would: node check.mjs, with the server's address in SUPERSTEP_URL. The pages
// are of another origin than the server, as those of an application are.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { buildSync } from "esbuild";
import { chromium } from "playwright-core";

const api = process.env.SUPERSTEP_URL;
const PAGES = process.env.SUPERSTEP_PAGES ?? "http://app.localhost:3000";
const only = process.argv[2];
const scripts = {};
for (const name of ["chat", "earlier"]) {
  const built = buildSync({
    entryPoints: [`${name}.tsx`], bundle: true, write: false, format: "esm", jsx: "automatic", logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  scripts[name] = built.outputFiles[0].text;
}

const HTML =
  '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><div id="root"></div>' +
  '<script type="module" src="app.js"></script>';
const pages = createServer((request, response) => {
  const [, name, file] = new URL(request.url, PAGES).pathname.split("/");
  const isScript = file === "app.js";
  response.setHeader("content-type", isScript ? "text/javascript; charset=utf-8" : "text/html");
  response.end(isScript ? scripts[name] : HTML);
});
await new Promise((listening) => pages.listen(Number(new URL(PAGES).port), "127.0.0.1", listening));

const browser = await chromium.launch({
  executablePath: process.env.SUPERSTEP_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-dev-shm-usage"],
});

async function open(name) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of 404/.test(message.text())) page.faults.push(message.text());
  });
  await page.goto(`${PAGES}/${name}/?api=${encodeURIComponent(api)}`);
  return page;
}

const send = async (page, text) => {
  await page.getByLabel("Message").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
};
const texts = (page, kind) => page.locator(`li.${kind}`).evaluateAll((all) => all.map((one) => one.firstChild.textContent));
const idle = (page) => page.waitForFunction(() => document.getElementById("state").textContent === "idle");

/** All states of the last answer while it is said. */
const watch = (page) =>
  page.evaluate(() => {
    window.said = new Set();
    new MutationObserver(() => {
      const last = [...document.querySelectorAll("li.ai")].at(-1);
      if (last) window.said.add(last.firstChild?.textContent ?? "");
    }).observe(document.getElementById("root"), { subtree: true, childList: true, characterData: true });
  });

async function flow(name) {
  const page = await open(name);
  await watch(page);
  const story = "tell me a story of many words that arrive one after the other";
  await send(page, story);
  await page.locator("li.ai", { hasText: `You said: ${story}` }).waitFor();
  await idle(page);
  const said = await page.evaluate(() => window.said.size);
  assert.ok(said > 3, `${name}: the answer was shown in ${said} states`);

  await send(page, "find 7");
  await page.locator("li.ai", { hasText: "It is here 7." }).waitFor();
  await idle(page);
  await page.locator("p.call", { hasText: 'find {"number":"7"}' }).waitFor();

  await send(page, "pay 9");
  await page.getByText('pay {"number":"9"}?').waitFor();
  await idle(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.locator("li.ai", { hasText: "It is paid 9." }).waitFor();
  await idle(page);
  assert.equal(await page.getByRole("button", { name: "Approve" }).count(), 0);

  page.once("dialog", (dialog) => dialog.accept("something else"));
  await page.locator("li.human", { hasText: "find 7" }).getByRole("button", { name: "Edit" }).click();
  await page.locator("li.ai", { hasText: "You said: something else" }).waitFor();
  await idle(page);

  // Until then, @langchain/react 1.1.0 shows the branch that was left beside the new one (its SDK takes lower steps for
  // a replay).
  await page.reload();
  await page.locator("li.ai", { hasText: "You said: something else" }).waitFor();
  assert.deepEqual(await texts(page, "human"), [story, "something else"]);

  const long = Array.from({ length: 60 }, (_, i) => `word${i}`).join(" ");
  await send(page, long);
  await page.locator("li.ai", { hasText: "word3" }).waitFor();
  await page.reload();
  await page.locator("li.ai", { hasText: "word59" }).waitFor();
  await idle(page);
  assert.equal((await texts(page, "ai")).filter((text) => text.includes("word59")).length, 1);
  assert.deepEqual(page.faults, [], name);
  assert.equal(await page.getByRole("alert").count(), 0);
  console.log(`ok ${name}`);
}

try {
  for (const name of Object.keys(scripts)) if (!only || only === name) await flow(name);
} finally {
  await browser.close();
  pages.close();
}
