// Uses a studio in Chromium as a person would, and says what is wrong with it: node check.mjs ADDRESS SCREENSHOTS
// [smoke | keys KEY | full | long | diverged THREAD]. Lines that begin with "long: " are figures; after a line that
// begins with "server: " the test does something with the server. That is the one of the tests, with its graphs.
import { loadavg } from "node:os";
import { join } from "node:path";
import { calls, cancel, inside, keys, preview, restart, reviews } from "./parts.mjs";
import { accessible, address, check, counted, fault, faults, fits, given, launch, open, screens, send, settled, shoot, size, start, studio } from "./tools.mjs";

/** Starts a run with the form, watches it on its graph, and answers what it asks. */
async function watchAndAnswer(page) {
  await page.goto(studio);
  await page.getByRole("button", { name: "Start a run" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Graph").selectOption("report");
  await dialog.getByLabel("Topic").fill("Whales");
  await dialog.getByRole("button", { name: "Start", exact: true }).click();
  await page.waitForURL(/#\/threads\//);
  const graph = page.getByRole("region", { name: "Graph report" });
  await graph.getByLabel("review: asks a question").waitFor();
  check(await graph.getByLabel("plan: is done").count() === 1, "the first node is not shown as done");
  check(await graph.getByLabel("research: is done, 3 of 3 tasks").count() === 1, "the fan-out is not counted");
  check(await graph.getByLabel(/^find: is done/).count() === 1, "the subgraph did not unfold");
  await shoot(page, "watch");
  await accessible(page, "a run that asks");
  const question = page.getByRole("region", { name: "Open questions" });
  check((await question.textContent()).includes("Publish the report with 4 notes?"), "the question has no text");
  await question.getByLabel("Note").fill("well done");
  await question.getByRole("button", { name: "Approve" }).click();
  await graph.getByLabel("publish: is done").waitFor();
  await question.waitFor({ state: "detached" });
  const thread = decodeURIComponent(new URL(page.url()).hash.match(/threads\/([^?]+)/)[1]);
  check(await settled(thread) === "idle", "the run has not ended");
  return thread;
}

/** A form of a record, with a rule that is broken first. */
async function answerForm(page) {
  const thread = await start("sale", {});
  await page.goto(`${studio}#/threads/${thread}`);
  const question = page.getByRole("region", { name: "Open questions" });
  await question.getByLabel("Price").fill("1.5");
  await question.getByLabel("Size").selectOption("LARGE");
  await question.evaluate((part) => part.querySelector("form").setAttribute("novalidate", ""));
  await question.getByRole("button", { name: "Answer" }).click();
  await question.getByText("must be integer").waitFor();
  await question.getByLabel("Price").fill("15");
  await question.getByRole("button", { name: "Answer" }).click();
  await page.getByRole("region", { name: "Graph sale" }).getByLabel("ask: is done").waitFor();
  const state = await send("GET", `/superstep/threads/${thread}/state`);
  check(JSON.stringify(state.values.offer) === '{"price":15,"size":"LARGE"}' || state.values.offer?.price === 15, `the answer is ${JSON.stringify(state.values)}`);
}

/** Goes through the timeline by keyboard, forks an older superstep, edits the state there, and goes on. */
async function forkAndEdit(page, thread) {
  await page.goto(`${studio}#/threads/${thread}`);
  const steps = page.locator(".step:not([disabled])");
  await steps.first().click();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelectorAll(".step.is-selected").length === 1);
  await page.getByRole("heading", { name: "Superstep 2" }).waitFor();
  check(/\?at=/.test(page.url()), "the address does not name the checkpoint");
  await page.getByText("notes › 1").waitFor();
  await shoot(page, "timeline");
  await page.getByRole("button", { name: "Fork from here" }).click();
  await page.getByRole("button", { name: "Make the new thread" }).click();
  await page.waitForFunction((old) => !location.hash.includes(old), thread);
  await page.getByText("begins from an older checkpoint").waitFor();
  await page.getByRole("button", { name: "Edit state" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Channel").selectOption("budget");
  await dialog.getByLabel(/^Value/).fill('"many"');
  await dialog.getByText("must be integer").waitFor();
  await dialog.getByLabel(/^Value/).fill("7");
  await dialog.getByLabel("Channel").selectOption("notes");
  await dialog.getByLabel(/^Value/).fill('["edited by hand"]');
  await shoot(page, "edit");
  await accessible(page, "the editor of the state");
  await dialog.getByRole("button", { name: "Save the state" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Edit", exact: true }).waitFor();
  const fork = decodeURIComponent(new URL(page.url()).hash.match(/threads\/([^?]+)/)[1]);
  const { values } = await send("GET", `/superstep/threads/${fork}/state`);
  check(values.budget === 7 && values.notes[0] === "edited by hand", `the edit left ${JSON.stringify(values)}`);
  const before = await send("GET", `/superstep/threads/${thread}/state`);
  check(before.values.budget !== 7, "the fork changed the thread that it began from");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("region", { name: "Open questions" }).getByRole("button", { name: "Approve" }).click();
  await page.getByRole("region", { name: "Graph report" }).getByLabel("publish: is done").waitFor();
  return fork;
}

async function rewind(page, thread) {
  await page.goto(`${studio}#/threads/${thread}`);
  await page.locator(".step:not([disabled])").first().click();
  await page.getByRole("button", { name: "Rewind to here" }).click();
  // The fork that is rewound has begun from one itself.
  await page.getByText("begins from an older checkpoint").nth(1).waitFor();
  const { checkpoint } = await send("GET", `/superstep/threads/${thread}/state`);
  check(checkpoint.origin?.kind === "rewind", `after a rewind the newest is ${JSON.stringify(checkpoint)}`);
}

/** @param diverges whether the server's graph now does something else than when the thread ran */
async function replay(page, thread, diverges) {
  await page.goto(`${studio}#/threads/${thread}`);
  await page.getByRole("button", { name: "Replay to here" }).click();
  const result = page.locator(".replay");
  await result.waitFor();
  const text = await result.textContent();
  check(text.includes(diverges ? "The replay diverges." : "The replay agrees."), `the replay says ${text}`);
  if (diverges) {
    check(text.includes("published: approved") && text.includes("printed: approved"), `the divergence shows ${text}`);
    await shoot(page, "replay");
    await accessible(page, "a replay that diverges");
  }
}

async function compare(page, a, b) {
  await page.goto(studio);
  for (const thread of [a, b]) await page.getByLabel(`Compare thread ${thread}`).check();
  await page.getByRole("button", { name: /^Compare \(2/ }).click();
  await page.getByRole("region", { name: "Difference of the states" }).getByText("notes ›").first().waitFor();
  await shoot(page, "compare");
  await accessible(page, "two threads beside each other");
}

async function edit(page) {
  await page.goto(`${studio}#/graphs/report/edit`);
  const area = page.getByLabel("Text of report");
  const before = await area.inputValue();
  await area.fill(before.replace("next write", "next wrote"));
  const findings = page.getByRole("region", { name: "Findings" });
  await findings.getByText(/wrote/).first().waitFor();
  await findings.getByRole("button").first().click();
  const selected = await area.evaluate((box) => box.value.slice(box.selectionStart, box.selectionEnd));
  check(selected === "wrote", `the finding selects ${selected}`);
  await shoot(page, "rag");
  await accessible(page, "the editor of a text");
  const after = before.replace("Refund this?", "Shall we refund this?");
  await area.fill(after);
  await page.getByText("no errors").waitFor();
  await page.getByRole("button", { name: /Review and save/ }).click();
  const dialog = page.getByRole("dialog");
  check((await dialog.locator(".line.is-added").allTextContents()).join().includes("Shall we refund"), "the difference does not show the new line");
  await shoot(page, "rag-save");
  await dialog.getByRole("button", { name: "Approve and save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("The server runs the older text until its next start.").waitFor();
  const file = await send("GET", "/superstep/rag/report");
  check(file.text === after, "the file was not written");
  const refused = await fetch(address + "/superstep/rag/report", {
    method: "PUT", headers: { "content-type": "application/json" }, body: JSON.stringify({ text: before, digest: "old" }),
  });
  check(refused.status === 409, `a change of an older text is answered by ${refused.status}`);
}

/** What failed is shown with what to do; tools and costs of an agent are counted. */
async function figures(page) {
  const broken = await start("broken", {});
  await settled(broken);
  await page.goto(`${studio}#/threads/${broken}`);
  await page.getByRole("region", { name: "Failures" }).getByText("fill it and continue").first().waitFor();
  await page.getByRole("region", { name: "Graph broken" }).getByLabel("second: failed").waitFor();
  await accessible(page, "a run that failed");
  const agent = await start("traveller", { messages: [{ type: "human", content: "How is Oslo?" }] });
  check(await settled(agent) === "idle", "the agent has not ended");
  await page.goto(`${studio}#/threads/${agent}?tab=tools`);
  await page.getByRole("group", { name: "Tool calls" }).getByText("weather").waitFor();
  await page.locator(".meter", { hasText: "Cost" }).getByText("0.0250 USD").waitFor();
  await page.locator(".meter", { hasText: "Tokens" }).getByText("2,500").waitFor();
  await shoot(page, "agent");
}

/** Events go on without a gap after the connection was lost. */
async function reconnect(page) {
  const thread = await start("sale", {});
  await settled(thread);
  await page.goto(`${studio}#/threads/${thread}?tab=events`);
  await page.getByText("interrupt.raised").waitFor();
  await page.context().setOffline(true);
  const { questions } = await send("GET", `/superstep/threads/${thread}/questions`);
  await send("POST", `/threads/${thread}/runs`, {
    assistant_id: "sale", command: { resume: { [questions[0].id]: { price: 3, size: "SMALL" } } },
  });
  await settled(thread);
  await page.context().setOffline(false);
  await page.getByText("run.completed").waitFor();
  const offsets = (await page.locator(".event-list .no").allTextContents()).map(Number);
  check(offsets.every((offset, i) => i === 0 || offset === offsets[i - 1] + 1), `the events have the offsets ${offsets}`);
}

async function look(browser, threads) {
  for (const [width, height] of [[360, 740], [400, 800], [900, 900], [1600, 1000]]) {
    for (const theme of ["light", "dark"]) {
      const page = await open(browser, width, height, theme);
      for (const [name, hash] of Object.entries(threads)) {
        await page.goto(studio + hash);
        await page.waitForLoadState("networkidle").catch(() => {});
        await page.waitForTimeout(400);
        await accessible(page, `${name} ${width} ${theme}`);
        await fits(page, `${name} ${width} ${theme}`);
        const head = await page.locator(".page-head").first().boundingBox();
        check(head === null || head.height < 76, `the head of ${name} takes ${head?.height} px at ${width} px`);
        await page.screenshot({ path: join(screens, `${name}-${width}-${theme}.png`), fullPage: width === 360 });
      }
      await page.context().close();
    }
  }
}

/** A thread with 100,000 events: frames while they arrive, and while one scrolls through them. */
async function many(page, supersteps) {
  const thread = await start("many", { budget: supersteps });
  await page.goto(`${studio}#/threads/${thread}?tab=events`);
  await page.getByRole("group", { name: "Events" }).waitFor();
  await frames(page);
  await settled(thread);
  await page.waitForFunction((least) => Number(document.querySelector(".events [role=status]")?.textContent.replace(/\D/g, "")) >= least,
    supersteps * 4, { timeout: 300_000 });
  const live = await frames(page);
  await page.reload();
  await page.waitForFunction((least) => Number(document.querySelector(".events [role=status]")?.textContent.replace(/\D/g, "")) >= least,
    supersteps * 4, { timeout: 300_000 });
  await frames(page);
  await page.evaluate(async () => {
    const box = document.querySelector(".events .scroll");
    for (let i = 0; i < 300; i++) {
      box.scrollTop = (box.scrollHeight * ((i * 37) % 300)) / 300;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  const scrolled = await frames(page);
  const shown = await page.locator(".event-list li").count();
  check(shown < 200, `${shown} events are drawn at once`);
  await page.getByRole("tab", { name: /Timeline/ }).click();
  await page.waitForTimeout(300);
  await frames(page);
  await page.evaluate(async () => {
    const box = document.querySelector(".panel .scroll");
    for (let i = 0; i < 200; i++) {
      box.scrollTop = (box.scrollHeight * ((i * 37) % 200)) / 200;
      await new Promise((done) => requestAnimationFrame(done));
    }
  });
  const timeline = await frames(page);
  console.log(`long: load average ${loadavg().map((each) => each.toFixed(1)).join(" ")}`);
  console.log(`long: ${supersteps * 4} events, frames of 95 %: ${live} ms while they came, ${scrolled} ms scrolling events, ${timeline} ms scrolling supersteps`);
  for (const [what, time] of Object.entries({ live, scrolled, timeline })) {
    if (size === "long") check(time < 50, `95 % of the frames took ${time} ms (${what})`);
  }
  await shoot(page, "many");
}

/** Returns the time within which 95 % of the frames since the last call were drawn, and counts anew. */
async function frames(page) {
  return page.evaluate(() => {
    const times = (window.frameTimes ??= []);
    if (!window.frameLoop) {
      window.frameLoop = true;
      let last = performance.now();
      const tick = () => {
        const now = performance.now();
        window.frameTimes.push(now - last);
        last = now;
        requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
    }
    const sorted = [...times].sort((a, b) => a - b);
    window.frameTimes = [];
    return Math.round(10 * (sorted[Math.floor(sorted.length * 0.95)] ?? 0)) / 10;
  });
}

async function everything(page) {
  const thread = await watchAndAnswer(page);
  console.log("thread: " + thread);
  await inside(page, thread);
  await answerForm(page);
  await reviews(page, ["approve", "edit", "reject", "respond"]);
  await cancel(page);
  const fork = await forkAndEdit(page, thread);
  await replay(page, thread, false);
  await compare(page, thread, fork);
  await preview(page);
  await edit(page);
  await figures(page);
  const called = await calls(page);
  await reconnect(page);
  await rewind(page, fork);
  const asks = await start("report", { topic: "Ships", budget: 5 });
  await settled(asks);
  const reviewed = await start("clerk", { messages: [{ type: "human", content: "Pay order 17 back." }] });
  await settled(reviewed);
  await look(browser, { threads: "#/threads", thread: `#/threads/${asks}`, review: `#/threads/${reviewed}`, tools: `#/threads/${called}?tab=tools`, graphs: "#/graphs", graph: "#/graphs/report",
    edit: "#/graphs/report/edit", compare: `#/compare?a=${thread}&b=${fork}` });
  await many(page, size === "long" ? 25_000 : 500);
}

const browser = await launch();
try {
  const page = await open(browser);
  switch (size) {
    case "diverged":
      await replay(page, given, true);
      break;
    case "keys":
      await keys(browser, page, given);
      break;
    case "smoke":
      await inside(page, await watchAndAnswer(page));
      await calls(page);
      await cancel(page);
      await restart(page);
      break;
    default:
      await everything(page);
  }
} catch (error) {
  fault(String(error?.stack ?? error));
  for (const context of browser.contexts()) {
    for (const page of context.pages()) await page.screenshot({ path: join(screens, "fault.png") }).catch(() => {});
  }
} finally {
  await browser.close();
}
console.log(`long: ${counted.checks} checks, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
