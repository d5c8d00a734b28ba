// Checks of single parts of the studio.
import { accessible, check, expected, open, requests, send, server, settled, shoot, start, studio, threadOf } from "./tools.mjs";

/** The supersteps inside of tasks unfold below the one around them, each with its state. */
export async function inside(page, thread) {
  // A page that was there while the run was at work has unfolded it by itself.
  await page.goto("about:blank");
  await page.goto(`${studio}#/threads/${thread}`);
  const unfold = page.getByRole("button", { name: "Unfold the 6 supersteps inside of superstep 2" });
  await unfold.click();
  await page.getByRole("button", { name: /^Superstep\s*1\s*research#1 › find/ }).click();
  const panel = page.getByRole("region", { name: "Checkpoint" });
  await panel.getByText("2/research/1").waitFor();
  await panel.getByText("about present").first().waitFor();
  check(/[?&]task=/.test(page.url()), "the address does not name the task");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelectorAll(".step.is-selected").length === 1);
  await shoot(page, "inside");
  await accessible(page, "a superstep inside of a task");
  const address = page.url();
  await page.goto("about:blank");
  await page.goto(address);
  // Whoever is sent the address sees the same.
  await page.getByRole("region", { name: "Checkpoint" }).getByText("Inside of task").waitFor();
  await page.locator(".step.is-selected").waitFor();
}

/** What a tool was asked and what it answered is shown as text, also of an agent inside of a graph. */
export async function calls(page) {
  const thread = await start("desk", { topic: "Oslo" });
  check(await settled(thread) === "idle", "the agent inside has not ended");
  await page.goto(`${studio}#/threads/${thread}?tab=tools`);
  const row = page.getByRole("group", { name: "Tool calls" }).getByRole("button", { name: /search/ });
  check((await row.textContent()).includes("ask › searcher"), "the call does not say where it was made");
  await row.press("Enter");
  const call = page.getByRole("region", { name: "Call of search" });
  await call.getByText("Oslo", { exact: true }).waitFor();
  const result = call.getByRole("group", { name: "Result" });
  check((await result.textContent()).startsWith("<b>found</b> Oslo"), "the result is not shown as it is");
  check((await result.textContent()).length < 3000, "a long result is not shortened");
  await shoot(page, "calls");
  await accessible(page, "a call of a tool");
  await call.getByRole("button", { name: "Show all 5,013 characters" }).click();
  check((await result.textContent()).length === 5013, "the result is not shown whole");
  await row.press("Enter");
  await call.waitFor({ state: "detached" });
  return thread;
}

/** Calls of tools wait for decisions: each kind of decision is made in its form, and counts. */
export async function reviews(page, kinds) {
  for (const kind of kinds) {
    const thread = await start("clerk", { messages: [{ type: "human", content: "Pay order 17 back." }] });
    await settled(thread);
    await page.goto(`${studio}#/threads/${thread}`);
    const question = page.getByRole("region", { name: "Open questions" });
    await question.getByRole("group", { name: "Call of pay" }).waitFor();
    await question.getByRole("button", { name: "Send decision" }).click();
    await question.getByText("Decide on this call.").waitFor();
    await question.getByRole("radio", { name: new RegExp("^" + kind, "i") }).check();
    if (kind === "edit") {
      await question.getByLabel("Number").fill("18.5");
      await question.evaluate((part) => part.querySelector("form").setAttribute("novalidate", ""));
      await question.getByRole("button", { name: "Send decision" }).click();
      await question.getByText("must be integer").waitFor();
      await question.getByLabel("Number").fill("18");
      await shoot(page, "review");
      await accessible(page, "a review of a call");
    }
    if (kind === "reject") await question.getByLabel(/^Why/).fill("It is not broken.");
    if (kind === "respond") await question.getByLabel("Answer to the model").fill("I paid it by hand.");
    await question.getByRole("button", { name: "Send decision" }).click();
    await question.waitFor({ state: "detached" });
    check(await settled(thread) === "idle", `after ${kind} the agent has not ended`);
    const { values } = await send("GET", `/superstep/threads/${thread}/state`);
    const said = JSON.stringify(values);
    const wanted = { approve: "paid 17", edit: "paid 18", reject: "It is not broken.", respond: "I paid it by hand." }[kind];
    check(said.includes(`The clerk says: `) && said.includes(wanted), `after ${kind} the conversation is ${said}`);
    if (kind !== "approve") check(!said.includes("paid 17"), `after ${kind} the call was made`);
  }
}

/** A run that waits for ever is stopped by a button, and can be continued. */
export async function cancel(page) {
  const thread = await start("slow", {});
  await page.goto(`${studio}#/threads/${thread}`);
  await page.getByRole("region", { name: "Graph slow" }).getByLabel("wait: is running").waitFor();
  await page.getByRole("button", { name: "Cancel the run" }).click();
  await page.getByRole("button", { name: "Continue" }).waitFor();
  await page.getByRole("button", { name: "Cancel the run" }).waitFor({ state: "detached" });
  check(await settled(thread) !== "busy", "the run goes on");
  const runs = await send("GET", `/threads/${thread}/runs`);
  check(runs[0].status === "interrupted", `the run is ${runs[0].status}`);
}

/** The graph of a text follows what is typed; while the text has errors, it stays as it was, and says so. */
export async function preview(page) {
  await page.goto(`${studio}#/graphs/report/edit`);
  const area = page.getByLabel("Text of report");
  const drawn = page.getByRole("region", { name: "Graph report as it is written" });
  await drawn.getByLabel("write: has not run").waitFor();
  const before = await area.inputValue();
  await area.fill(before.replace("next write", "next wrote"));
  await page.getByText("The text has errors: this is the graph before them").waitFor();
  check(await drawn.getByLabel("write: has not run").count() === 1, "the last good graph is gone");
  await accessible(page, "a text with errors");
  await area.fill(before.replace("next write", "next file").replace("node write {", "node file {"));
  await drawn.getByLabel("file: has not run").waitFor();
  await page.getByText("The graph as the text says it").waitFor();
  check(await drawn.getByLabel("write: has not run").count() === 0, "the graph has a node that the text has not");
  await shoot(page, "preview");
  await page.getByRole("button", { name: "Discard" }).click();
  await drawn.getByLabel("write: has not run").waitFor();
  check(await area.inputValue() === before, "the change was not discarded");
}

/** A server that dies and comes back: the page says so, and goes on by itself after the last event that it has. */
export async function restart(page) {
  const thread = await start("sale", {});
  await settled(thread);
  await page.goto(`${studio}#/threads/${thread}?tab=events`);
  await page.getByText("interrupt.raised").waitFor();
  await page.getByRole("status").getByText("live").waitFor();
  await page.evaluate(() => { window.isStill = true; });
  const last = Number((await page.locator(".event-list .no").allTextContents()).at(-1));
  const known = expected.messages;
  expected.messages = /./;
  await server("stop");
  await page.getByText("The connection to the server is lost.").waitFor();
  await page.getByRole("status").getByText("reconnecting").waitFor();
  await accessible(page, "a page without its server");
  requests.length = 0;
  await server("start");
  await page.getByRole("status").getByText("live").waitFor({ timeout: 30_000 });
  await page.getByText("The connection to the server is lost.").waitFor({ state: "detached" });
  expected.messages = known;
  const streams = requests.filter((each) => each.headers()["accept"] === "text/event-stream");
  check(streams.at(-1)?.headers()["last-event-id"] === String(last), `the page goes on after ${streams.at(-1)?.headers()["last-event-id"]}, not ${last}`);
  const { questions } = await send("GET", `/superstep/threads/${thread}/questions`);
  await send("POST", `/threads/${thread}/runs`, {
    assistant_id: "sale", command: { resume: { [questions[0].id]: { price: 3, size: "SMALL" } } },
  });
  await page.getByText("run.completed").waitFor();
  check(await page.evaluate(() => window.isStill === true), "the page was loaded again");
  const offsets = (await page.locator(".event-list .no").allTextContents()).map(Number);
  check(offsets[0] === 1 && offsets.every((offset, i) => i === 0 || offset === offsets[i - 1] + 1), `the events have the offsets ${offsets}`);
}

/** A server that asks for a key: the page asks for it, keeps it in its tab, and shows it to nobody else. */
export async function keys(browser, page, key) {
  await page.goto(studio);
  const dialog = page.getByRole("dialog", { name: "API key" });
  await dialog.getByText("This server asks for a key or a token.").waitFor();
  await accessible(page, "a page that asks for a key");
  await dialog.getByLabel("Key or token").fill("not-the-key-of-anybody");
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await dialog.getByText("The server does not know this key").waitFor();
  await dialog.getByLabel("Key or token").fill(key);
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await page.getByText("No threads yet").waitFor();
  await page.getByRole("button", { name: "Start a run" }).click();
  const starts = page.getByRole("dialog", { name: "Start a run" });
  await starts.getByLabel("Graph").selectOption("sale");
  await accessible(page, "the form of a run");
  await starts.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/#\/threads\//);
  await page.getByRole("region", { name: "Open questions" }).getByLabel("Price").waitFor();
  await page.getByRole("status").getByText("live").waitFor();
  check(requests.every((each) => !decodeURIComponent(each.url()).includes(key)), "an address has the key");
  check(!page.url().includes(key), "the address of the page has the key");
  check(requests.some((each) => each.headers()["x-api-key"] === key), "no request shows the key");
  const kept = await page.evaluate(() => ({ local: JSON.stringify(localStorage), cookies: document.cookie }));
  check(!kept.local.includes(key) && !kept.cookies.includes(key), "the key is kept beyond the tab");
  const thread = threadOf(page);
  const other = await open(browser);
  await other.goto(`${studio}#/threads/${thread}`);
  await other.getByRole("dialog", { name: "API key" }).waitFor();
  await other.keyboard.press("Escape");
  check(await other.getByText("Price").count() === 0, "another tab sees the thread without a key");
  await page.getByRole("button", { name: "API key set" }).click();
  await dialog.getByRole("button", { name: "Forget the key" }).click();
  await dialog.getByText("This server asks for a key or a token.").waitFor();
}
