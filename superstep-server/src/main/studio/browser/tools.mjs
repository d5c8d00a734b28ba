// What the checks of the studio share: a browser whose faults are counted, and the server behind it.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const [address, folder, size = "full", given = ""] = process.argv.slice(2);
export const screens = resolve(folder);
export const studio = address.replace(/\/$/, "") + "/studio/";
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const faults = [];
export const requests = [];
export const counted = { checks: 0 };
/** Failures of requests that a check brings about itself. */
export const expected = { messages: /status of (401|404|409|422)|ERR_INTERNET_DISCONNECTED/ };

mkdirSync(screens, { recursive: true });

export function launch() {
  return chromium.launch({
    executablePath: process.env.SUPERSTEP_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
}

export function fault(text) {
  faults.push(text);
  console.log("fault: " + text);
}

export function check(isTrue, text) {
  counted.checks++;
  if (!isTrue) fault(text);
}

/** A page whose errors, broken rules of the policy and requests elsewhere are faults. */
export async function open(browser, width = 1600, height = 1000, theme = "light") {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme, bypassCSP: false });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => {
    if (message.type() === "error" && !expected.messages.test(message.text())) fault(`${page.url()}: the console says: ${message.text()}`);
  });
  page.on("pageerror", (error) => fault(`${page.url()}: ${error}`));
  page.on("request", (request) => {
    requests.push(request);
    if (!request.url().startsWith(address) && !/^(data|blob):/.test(request.url())) fault(`asks for ${request.url()}`);
  });
  return page;
}

export async function accessible(page, name) {
  // The policy of the page lets no script in; the devtools do.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run({ preload: false }));
  counted.checks++;
  for (const { id, impact, nodes } of violations) {
    if (impact !== "serious" && impact !== "critical") continue;
    fault(`${name}: ${impact}, ${id}, ${nodes.length} times, first ${nodes[0].html.slice(0, 200)} (${nodes[0].failureSummary.slice(0, 200)})`);
  }
}

export async function fits(page, name) {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(wider <= 0, `${name}: ${wider} pixels wider than the screen`);
}

export async function shoot(page, name) {
  await page.waitForTimeout(250); // for the graph to be in its place; nothing depends on it
  await page.screenshot({ path: join(screens, name + ".png") });
}

let key = "";

/** Shows a key from here on, as another client would. */
export function withKey(shown) {
  key = shown;
}

export async function send(method, path, body) {
  const answer = await fetch(address + path, {
    method, headers: { "content-type": "application/json", ...(key ? { "x-api-key": key } : {}) }, ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Starts a run as another client would. */
export async function start(graph, input) {
  const thread = await send("POST", "/threads", { metadata: { graph_id: graph } });
  await send("POST", `/threads/${thread.thread_id}/runs`, { assistant_id: graph, input, config: { recursion_limit: 100_000 } });
  return thread.thread_id;
}

export async function settled(thread) {
  for (let i = 0; i < 2400; i++) {
    const { status } = await send("GET", `/threads/${thread}`);
    if (status !== "busy") return status;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(`thread ${thread} does not end`);
}

export function threadOf(page) {
  return decodeURIComponent(new URL(page.url()).hash.match(/threads\/([^?]+)/)[1]);
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Asks the test to do something with the server, and waits until it is done. */
export async function server(what) {
  console.log("server: " + what);
  await lines.next();
}
