// Opens a built site from disk in Chromium, as a reader would, and says what is wrong with it:
// node check.mjs SITE SCREENSHOTS. Lines that begin with "long: " are figures.
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [site, screens] = process.argv.slice(2).map((folder) => resolve(folder));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const queries = JSON.parse(readFileSync(new URL("queries.json", import.meta.url), "utf8"));
const faults = [];
let checks = 0;

// One page of each kind.
const pages = [
  "index.html", "start/first-agent.html", "agents/tools.html", "graphs/state-nodes-edges.html",
  "operations/command-line.html", "operations/your-own-parts.html", "reference/rag.html",
  "reference/glossary.html", "cookbook/index.html", "project/benchmarks.html", "project/changelog.html",
  firstFile("source", ".java.html"), "search.html?q=budget", "api/index.html",
  "api/dev.superstep.graph/dev/superstep/graph/Graph.html",
  "api/dev.superstep.graph/dev/superstep/graph/package-summary.html",
];
const sizes = [[360, 740], [1440, 900]];

/** The first file below a folder of the site whose name ends so. */
function firstFile(folder, ending) {
  const found = readdirSync(join(site, folder), { recursive: true })
    .map(String).filter((name) => name.endsWith(ending)).sort()[0];
  return join(folder, found ?? "none" + ending);
}

const address = (page) => "file://" + join(site, page);

function fault(text) {
  faults.push(text);
  console.log("fault: " + text);
}

/** A page whose errors and requests to a network are faults. */
async function open(browser, width, height, theme) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: theme });
  const page = await context.newPage();
  const where = () => relative(site, new URL(page.url()).pathname) + ` (${width}, ${theme})`;
  page.on("console", (message) => {
    if (message.type() === "error") fault(`${where()}: the console says: ${message.text()}`);
  });
  page.on("pageerror", (error) => fault(`${where()}: ${error}`));
  page.on("request", (request) => {
    if (!/^(file|data|blob):/.test(request.url())) fault(`${where()}: asks for ${request.url()}`);
  });
  return page;
}

async function accessible(page, name) {
  await page.evaluate(axe);
  // Without preloading, in which axe fetches style sheets; no page from disk may do that.
  const { violations } = await page.evaluate(() => axe.run({ preload: false }));
  for (const { id, impact, nodes } of violations) {
    if (impact !== "serious" && impact !== "critical") continue;
    fault(`${name}: ${impact}, ${id}, ${nodes.length} times, first ${nodes[0].html.slice(0, 200)}`);
  }
  checks++;
}

/** The page itself must not be wider than the screen; tables and code scroll in themselves. */
async function fits(page, name) {
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wider > 0) fault(`${name}: ${wider} pixels wider than the screen`);
}

async function shoot(page, name) {
  await page.screenshot({ path: join(screens, name.replaceAll(/[^\w-]+/g, "_") + ".png") });
}

async function look(browser, [width, height], theme) {
  const page = await open(browser, width, height, theme);
  for (const path of pages) {
    if (!existsSync(join(site, path.replace(/\?.*/, "")))) {
      if (theme === "light" && width === 360) fault(`${path} is not there`);
      continue;
    }
    const name = `${width}-${theme}-${path.replace(".html", "")}`;
    await page.goto(address(path));
    if (path.startsWith("search")) await page.waitForSelector(".find-list li");
    await accessible(page, name);
    await fits(page, name);
    await shoot(page, name);
    if (/tools|rag/.test(path)) await shootWide(page, name);
  }
  await page.goto(address("index.html"));
  await page.keyboard.press("/");
  await page.fill("#find-dialog input", "budget");
  await page.waitForSelector("#find-dialog li");
  await accessible(page, `${width}-${theme}-dialog`);
  await shoot(page, `${width}-${theme}-dialog`);
  await page.context().close();
}

/** Where a page's widest table or block of code stands. */
async function shootWide(page, name) {
  await page.evaluate(() => {
    const boxes = [...document.querySelectorAll("article table, article pre")];
    boxes.sort((a, b) => b.scrollWidth - a.scrollWidth)[0]?.scrollIntoView({ behavior: "instant", block: "center" });
  });
  await shoot(page, name + "-wide");
}

async function search(browser) {
  const page = await open(browser, 1440, 900, "light");
  await page.goto(address("index.html"));
  for (const [query, expected] of Object.entries(queries)) {
    await page.goto(address("search.html?q=" + encodeURIComponent(query)));
    await page.waitForFunction(() => document.querySelector(".find-list li, .find-status:not(:empty)"));
    const hits = await page.$$eval(".find-list li > a", (links) => links.slice(0, 3).map((a) => a.getAttribute("href")));
    const isFound = hits.some((hit) => new RegExp(`^(${expected})[^/]*`).test(hit));
    console.log(`search: ${query}: ${hits.join(", ")}`);
    if (!isFound) fault(`"${query}" finds ${hits.join(", ") || "nothing"}, not ${expected}`);
    checks++;
  }
  await page.context().close();
}

/** Search with the keyboard alone, on a page in a folder. */
async function type(browser) {
  const page = await open(browser, 1440, 900, "light");
  await page.goto(address("agents/tools.html"));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("when nodes fail trying again", { delay: 5 });
  await page.waitForFunction(() => document.querySelector("#find-dialog li a")?.hash === "#trying-again");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/when-nodes-fail.*#trying-again/);
  await page.waitForFunction(() => {
    const { top } = document.getElementById("trying-again").getBoundingClientRect();
    return top >= 0 && top < 300;
  });
  await page.keyboard.press("/");
  await page.keyboard.press("Escape");
  if (await page.evaluate(() => document.getElementById("find-dialog").open)) fault("Escape leaves the search open");
  checks++;
  await page.context().close();
}

/** On a narrow screen, the navigation opens with the keyboard, and shows the parts. */
async function drawer(browser) {
  const page = await open(browser, 360, 740, "dark");
  await page.goto(address("agents/tools.html"));
  await page.focus(".nav-overlay-icon");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector(".sidebar-drawer").getBoundingClientRect().left >= 0);
  await shoot(page, "360-dark-navigation");
  const current = await page.textContent(".parts [aria-current]");
  if (current !== "Tools") fault(`the navigation shows ${current} as the current page`);
  checks++;
  await page.context().close();
}

mkdirSync(screens, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.SUPERSTEP_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
try {
  await search(browser);
  await type(browser);
  await drawer(browser);
  for (const size of sizes) for (const theme of ["light", "dark"]) await look(browser, size, theme);
} finally {
  await browser.close();
}
const bytes = readdirSync(site, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  .reduce((sum, entry) => sum + statSync(join(entry.parentPath ?? entry.path, entry.name)).size, 0);
console.log(`long: ${pages.length} pages, ${Object.keys(queries).length} searches, ${checks} checks, ` +
  `${faults.length} faults, site of ${Math.round(bytes / 1e6)} MB`);
process.exit(faults.length ? 1 : 0);
