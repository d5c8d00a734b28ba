// The workloads as LangGraph.js does them, by its public interface.
// Arguments: workload, case, repetitions, and how long to warm up (an ISO duration in seconds).
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Annotation, END, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";

const WARM_UP_STEPS = 100;
const DOCUMENTS = 25;

const [workload, name, repetitionsText, warmUpText] = process.argv.slice(2);
const [kind, ...numberTexts] = name.split("-");
const numbers = numberTexts.map(Number);
const repetitions = Number(repetitionsText);
const isBrief = repetitions <= 5;
const MOST_MILLIS = isBrief ? 1_200 : 6_000;
const warmUpMillis = Number(/^PT([0-9.]+)S$/.exec(warmUpText)[1]) * 1_000;

const found = new Map();
const wrong = new Map();

function add(variant, metric, value) {
  const key = `${variant} ${metric}`;
  if (!found.has(key)) found.set(key, { variant, metric, values: [] });
  found.get(key).values.push(value);
}

function check(variant, expected, actual) {
  const [wanted, got] = [JSON.stringify(expected), JSON.stringify(actual)];
  if (wanted !== got && !wrong.has(variant)) {
    wrong.set(variant, `expected ${wanted.slice(0, 80)}, found ${String(got).slice(0, 80)}`);
  }
}

function print() {
  for (const { variant, metric, values } of found.values()) {
    const what = { workload, case: name, system: "langgraphjs", variant, metric };
    console.log(JSON.stringify({ ...what, wrong: wrong.get(variant) ?? "", values }));
  }
}

async function span(body) {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await body();
  const micros = (performance.now() - start) * 1e3;
  const used = process.cpuUsage(cpu);
  return { micros, cpuMicros: used.user + used.system };
}

function addSpan(variant, unit, { micros, cpuMicros }, count) {
  add(variant, `us_per_${unit}`, micros / count);
  add(variant, `cpu_us_per_${unit}`, cpuMicros / count);
}

/** The rule of WarmUp.java: until the medians of two windows differ by at most 5 %. */
/** The rule of WarmUp.java. V8 does not tell how long its compilers work. */
async function warmUp(variant, units, body) {
  const [cpuBegin, wallBegin] = [process.cpuUsage(), performance.now()];
  const elapsed = () => {
    const cpu = process.cpuUsage(cpuBegin);
    return Math.max((performance.now() - wallBegin) / 2, (cpu.user + cpu.system) / 1e3);
  };
  const first = (await span(body)).micros;
  const medians = [];
  let still = false;
  while (!still && elapsed() < warmUpMillis) {
    const [begin, rounds] = [elapsed(), []];
    const end = Math.min(warmUpMillis, begin + Math.max(400, begin / 5));
    do rounds.push((await span(body)).micros);
    while (elapsed() < end);
    rounds.sort((a, b) => a - b);
    medians.push(rounds[Math.floor(rounds.length / 2)]);
    const [before, last] = [medians.slice(0, -3), medians.slice(-3)];
    still = elapsed() >= 2_000 && Math.min(...before) <= 1.05 * Math.min(...last);
  }
  add(variant, "first_us", first / units);
  add(variant, "warm_us", (medians.at(-1) ?? first) / units);
  add(variant, "warm_up_s", elapsed() / 1e3);
  add(variant, "warm_up_still", still ? 1 : 0);
}

async function repeat(variant, unit, count, expected, body) {
  const latest = performance.now() + MOST_MILLIS;
  for (let i = 0; i < repetitions; i++) {
    let result;
    addSpan(variant, unit, await span(async () => (result = await body())), count);
    check(variant, expected, result);
    if (performance.now() > latest) return;
  }
}

const message = (i) => `${String(i).padStart(8, "0")}:${"x".repeat(1_015)}`;

const Count = Annotation.Root({ n: Annotation() });

function counting(steps, millis) {
  return new StateGraph(Count)
    .addNode("count", async (state) => {
      if (millis > 0) await new Promise((done) => setTimeout(done, millis));
      return { n: state.n + 1 };
    })
    .addEdge(START, "count")
    .addConditionalEdges("count", (state) => (state.n < steps ? "count" : END), ["count", END])
    .compile();
}

async function loop() {
  const [steps] = numbers;
  const short = counting(WARM_UP_STEPS, 0);
  await warmUp("invoke", WARM_UP_STEPS, () => short.invoke({ n: 0 }, { recursionLimit: WARM_UP_STEPS + 10 }));
  const graph = counting(steps, 0);
  const run = async () => (await graph.invoke({ n: 0 }, { recursionLimit: steps + 10 })).n;
  await repeat("invoke", "step", steps, steps, run);
}

async function chain() {
  const [nodes, runs] = numbers;
  const definition = new StateGraph(Count);
  for (let i = 0; i < nodes; i++) definition.addNode(`n${i}`, (state) => ({ n: state.n + 1 }));
  definition.addEdge(START, "n0");
  for (let i = 0; i + 1 < nodes; i++) definition.addEdge(`n${i}`, `n${i + 1}`);
  definition.addEdge(`n${nodes - 1}`, END);
  const graph = definition.compile();
  await warmUp("invoke", nodes, () => graph.invoke({ n: 0 }));
  await repeat("invoke", "step", nodes * runs, nodes * runs, async () => {
    let sum = 0;
    for (let i = 0; i < runs; i++) sum += (await graph.invoke({ n: 0 })).n;
    return sum;
  });
}

const Items = Annotation.Root({
  items: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  i: Annotation(),
});

async function fanOut() {
  const [sends] = numbers;
  const graph = new StateGraph(Items)
    .addNode("plan", () => ({}))
    .addNode("task", (state) => ({ items: [`item-${state.i}`] }))
    .addEdge(START, "plan")
    .addConditionalEdges(
      "plan",
      () => Array.from({ length: sends }, (_, i) => new Send("task", { i })),
      ["task"],
    )
    .addEdge("task", END)
    .compile();
  const run = async () => (await graph.invoke({})).items;
  await warmUp("send", sends, run);
  const expected = Array.from({ length: sends }, (_, i) => `item-${i}`);
  await repeat("send", "send", sends, expected, run);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "superstep-bench-"));
process.on("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
let stores = 0;

function saver() {
  if (kind === "none") return undefined;
  if (kind === "memory") return new MemorySaver();
  return SqliteSaver.fromConnString(path.join(folder, `${stores++}.db`));
}

/** What the newest store takes. */
function diskBytes() {
  const sizes = fs
    .readdirSync(folder)
    .filter((file) => file.startsWith(`${stores - 1}.db`))
    .map((file) => fs.statSync(path.join(folder, file)).size);
  return sizes.reduce((a, b) => a + b, 0);
}

async function converse(steps, shown) {
  const stamps = [];
  const State = Annotation.Root({
    messages: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  const graph = new StateGraph(State)
    .addNode("say", () => {
      stamps.push(performance.now());
      return { messages: [message(stamps.length - 1)] };
    })
    .addEdge(START, "say")
    .addConditionalEdges("say", (s) => (s.messages.length < steps ? "say" : END), ["say", END])
    .compile({ checkpointer: saver() });
  const how = { recursionLimit: steps + 10, configurable: { thread_id: "conversation" } };
  let out;
  const took = await span(async () => (out = await graph.invoke({}, how)));
  if (!shown) return;
  check("invoke", steps, out.messages.length);
  add("invoke", "wall_ms", took.micros / 1e3);
  addSpan("invoke", "step", took, steps);
  for (let i = 1; i < steps; i++) add("invoke", "step_us", (stamps[i] - stamps[i - 1]) * 1e3);
  const tenth = Math.max(2, Math.floor(steps / 10));
  const last = stamps[steps - 1] - stamps[steps - tenth];
  add("invoke", "growth", last / (stamps[tenth - 1] - stamps[0]));
  if (kind === "sqlite") add("invoke", "disk_bytes", diskBytes());
}

async function conversation() {
  await warmUp("invoke", WARM_UP_STEPS, () => converse(WARM_UP_STEPS, false));
  await converse(numbers[0], true);
}

async function concurrent() {
  const [runs, steps, millis] = numbers;
  const graph = counting(steps, millis);
  const run = async (count) => {
    const states = await Promise.all(Array.from({ length: count }, () => graph.invoke({ n: 0 })));
    return states.reduce((sum, state) => sum + state.n, 0);
  };
  await warmUp("promises", 50 / runs, () => run(50));
  const latest = performance.now() + MOST_MILLIS;
  for (let i = 0; i < repetitions && performance.now() < latest; i++) {
    let sum;
    const took = await span(async () => (sum = await run(runs)));
    check("promises", runs * steps, sum);
    add("promises", "wall_ms", took.micros / 1e3);
    add("promises", "cpu_ms", took.cpuMicros / 1e3);
  }
  add("promises", "peak_bytes", process.resourceUsage().maxRSS * 1_024);
}

async function heapUsed() {
  let least = Infinity;
  for (let i = 0; i < 4; i++) {
    globalThis.gc();
    await new Promise((done) => setTimeout(done, 80));
    const memory = process.memoryUsage();
    least = Math.min(least, memory.heapUsed + memory.external);
  }
  return least;
}

async function park(threads, shown) {
  const State = Annotation.Root({ n: Annotation(), about: Annotation() });
  const graph = new StateGraph(State)
    .addNode("draft", (state) => ({ n: state.n + 1 }))
    .addNode("ask", (state) => ({ n: state.n + 1 }))
    .addEdge(START, "draft")
    .addEdge("draft", "ask")
    .addEdge("ask", END)
    .compile({ checkpointer: saver(), interruptBefore: ["ask"] });
  const thread = (i) => ({ configurable: { thread_id: `thread-${i}` } });
  const before = shown ? await heapUsed() : 0;
  const parked = await span(async () => {
    for (let i = 0; i < threads; i++) await graph.invoke({ n: 0, about: `thing ${i}` }, thread(i));
  });
  const after = shown ? await heapUsed() : 0;
  let sum = 0;
  const resumed = await span(async () => {
    for (let i = 0; i < threads; i++) sum += (await graph.invoke(null, thread(i))).n;
  });
  if (!shown) return;
  check("interrupt-before", 2 * threads, sum);
  addSpan("interrupt-before", "park", parked, threads);
  addSpan("interrupt-before", "resume", resumed, threads);
  if (kind === "memory") {
    add("interrupt-before", "heap_bytes_per_thread", (after - before) / threads);
  }
  if (kind === "sqlite") add("interrupt-before", "disk_bytes", diskBytes());
}

async function parked() {
  await warmUp("interrupt-before", 100, () => park(100, false));
  await park(isBrief ? Math.min(numbers[0], 1_000) : numbers[0], true);
}

function documentOf(number) {
  const points = (place) =>
    Array.from({ length: 6 }, (_, i) => ({
      number: number * i,
      text: `a point about ${place} that is to be kept`,
      open: i > 2,
    }));
  return {
    title: `document ${number}`,
    sections: Array.from({ length: 8 }, (_, i) => ({ name: `section ${i}`, points: points(i) })),
    notes: Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`note-${i}`, `what was noted on ${number + i}`]),
    ),
  };
}

async function widen(variant, steps, shown) {
  const names = Array.from({ length: DOCUMENTS }, (_, i) => `document-${i}`);
  const channels = Object.fromEntries(names.map((channel) => [channel, Annotation()]));
  const graph = new StateGraph(Annotation.Root({ n: Annotation(), ...channels }))
    .addNode("step", ({ n }) =>
      variant === "one"
        ? { n: n + 1, [`document-${n % DOCUMENTS}`]: documentOf(n) }
        : { n: n + 1 },
    )
    .addEdge(START, "step")
    .addConditionalEdges("step", (state) => (state.n < steps ? "step" : END), ["step", END])
    .compile({ checkpointer: saver() });
  const input = Object.fromEntries(names.map((channel, i) => [channel, documentOf(i)]));
  const how = { recursionLimit: steps + 10, configurable: { thread_id: "wide" } };
  let out;
  const took = await span(async () => (out = await graph.invoke({ n: 0, ...input }, how)));
  if (!shown) return;
  const first = variant === "one" ? Math.floor((steps - 1) / DOCUMENTS) * DOCUMENTS : 0;
  check(variant, documentOf(first), out["document-0"]);
  addSpan(variant, "step", took, steps);
  if (kind === "sqlite") add(variant, "disk_bytes", diskBytes());
}

async function wide() {
  for (const variant of ["one", "count"]) {
    await warmUp(variant, 20, () => widen(variant, 20, false));
    await widen(variant, numbers[0], true);
  }
}

/** The documents of W13, which are made before. */
function documentsOf(sections) {
  const made = (number) => {
    const document = documentOf(number);
    const { points } = document.sections[0];
    return {
      ...document,
      sections: Array.from({ length: sections }, (_, i) => ({ name: `section ${i}`, points })),
    };
  };
  const from = (begin, length) => Array.from({ length }, (_, i) => made(begin + i));
  return { inputs: from(0, 10), changes: from(10, 40) };
}

async function keepDocuments(variant, { inputs, changes }, steps, shown) {
  const channels = Object.fromEntries(inputs.map((_, i) => [`document-${i}`, Annotation()]));
  const graph = new StateGraph(Annotation.Root({ n: Annotation(), ...channels }))
    .addNode("step", ({ n }) => ({ n: n + 1, [`document-${n % 10}`]: changes[n % 40] }))
    .addEdge(START, "step")
    .addConditionalEdges("step", (state) => (state.n < steps ? "step" : END), ["step", END])
    .compile({ checkpointer: saver() });
  const given = Object.fromEntries(inputs.map((made, i) => [`document-${i}`, made]));
  const how = { recursionLimit: steps + 10, configurable: { thread_id: "documents" } };
  if (variant !== "none") how.durability = variant;
  let out;
  const took = await span(async () => (out = await graph.invoke({ n: 0, ...given }, how)));
  if (!shown) return;
  check(variant, changes[(Math.floor((steps - 1) / 10) * 10) % 40], out["document-0"]);
  addSpan(variant, "step", took, steps);
  if (kind === "sqlite") add(variant, "disk_bytes", diskBytes());
}

async function documents() {
  const [steps, sections] = numbers;
  const made = documentsOf(sections);
  for (const variant of kind === "none" ? ["none"] : ["sync", "async", "exit"]) {
    await warmUp(variant, 20, () => keepDocuments(variant, made, 20, false));
    const latest = performance.now() + MOST_MILLIS / 3;
    for (let i = 0; i < repetitions && performance.now() < latest; i++) {
      await keepDocuments(variant, made, steps, true);
    }
  }
}

async function shortRuns() {
  const [callers] = numbers;
  const steps = 10;
  const batch = async (runs, most) => {
    const graph = new StateGraph(Count)
      .addNode("count", (state) => ({ n: state.n + 1 }))
      .addEdge(START, "count")
      .addConditionalEdges("count", (state) => (state.n < steps ? "count" : END), ["count", END])
      .compile({ checkpointer: saver() });
    const end = performance.now() + most;
    const all = [];
    const call = async (caller) => {
      for (let i = 0; i < runs && performance.now() < end; i++) {
        const begin = performance.now();
        const out = await graph.invoke({ n: 0 }, { configurable: { thread_id: `t-${caller}-${i}` } });
        all.push((performance.now() - begin) * 1e3);
        check("invoke", steps, out.n);
      }
    };
    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
    return all;
  };
  await warmUp("invoke", callers * 5, () => batch(5, 3_600_000));
  let took;
  const most = isBrief ? 2_000 : 6_000;
  const all = await span(async () => (took = await batch(Math.floor(20_000 / callers), most)));
  add("invoke", "runs_per_s", (took.length / all.micros) * 1e6);
  addSpan("invoke", "run", all, took.length);
  for (const each of took) add("invoke", "run_us", each);
  took.sort((a, b) => a - b);
  add("invoke", "run_p99_us", took[Math.floor(took.length * 0.99)]);
}

const RESULTS = {
  one: "1",
  chain: "10",
  fanout: "100",
  agent: "The last was 1.",
  memory: "2",
  sqlite: "2",
};

async function firstRun() {
  const small = path.join(import.meta.dirname, "small.mjs");
  const expected = `result ${RESULTS[kind]} in `;
  for (let i = -1; i < 5; i++) {
    const file = path.join(folder, `first-${i}.db`);
    const start = performance.now();
    const run = spawnSync(process.execPath, ["--no-warnings", small, kind, file], {
      encoding: "utf8",
    });
    const millis = performance.now() - start;
    const line = run.stdout.trim();
    const right = line.startsWith(expected);
    check("plain", expected, right ? expected : line + run.stderr.slice(-200));
    if (i >= 0) add("plain", "ms", millis);
    if (i < 0 || !right) continue;
    const [whole, afterImports] = line.slice(expected.length).split(" with ").map(Number);
    add("plain", "run_ms", whole);
    add("plain", "after_imports_ms", afterImports);
  }
}

async function program() {
  const smallest = path.join(import.meta.dirname, "smallest.mjs");
  for (let i = -1; i < repetitions; i++) {
    const start = performance.now();
    const run = spawnSync(process.execPath, ["--no-warnings", smallest], { encoding: "utf8" });
    const millis = performance.now() - start;
    check("plain", "result 2", run.stdout.trim());
    if (i >= 0) add("plain", "ms", millis);
  }
}

/** Asks for one sum after the other, by the number of answers that it was shown. */
class Calling extends BaseChatModel {
  constructor(calls) {
    super({});
    this.calls = calls;
  }

  _llmType() {
    return "calling";
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const done = Math.floor((messages.length - 2) / 2);
    const usage_metadata = { input_tokens: 100, output_tokens: 10, total_tokens: 110 };
    const message =
      done < this.calls
        ? new AIMessage({
            content: "",
            tool_calls: [{ id: `call-${done}`, name: "add", args: { a: done, b: done + 1 } }],
            usage_metadata,
          })
        : new AIMessage({ content: `The last was ${messages.at(-1).content}.`, usage_metadata });
    return { generations: [{ text: "", message }] };
  }
}

async function agent() {
  const [calls] = numbers;
  const number = { type: "integer" };
  const add = tool(async ({ a, b }) => String(a + b), {
    name: "add",
    description: "Adds.",
    schema: {
      type: "object",
      properties: { a: number, b: number },
      required: ["a", "b"],
      additionalProperties: false,
    },
  });
  let runs = 0;
  const graph = createReactAgent({
    llm: new Calling(calls),
    tools: [add],
    prompt: "Add what you are given.",
    checkpointer: saver(),
  });
  const run = async () => {
    const how = { recursionLimit: 2 * calls + 10, configurable: { thread_id: `loop-${runs++}` } };
    const out = await graph.invoke({ messages: [{ role: "user", content: "Go." }] }, how);
    return out.messages.at(-1).content;
  };
  await warmUp("react-agent", calls, run);
  await repeat("react-agent", "call", calls, `The last was ${2 * calls - 1}.`, run);
}

const workloads = {
  "W1 loop": loop,
  "W1 chain": chain,
  "W2 sends": fanOut,
  "W3 none": conversation,
  "W3 memory": conversation,
  "W3 sqlite": conversation,
  "W4 runs": concurrent,
  "W5 memory": parked,
  "W5 sqlite": parked,
  "W6 program": program,
  "W8 none": agent,
  "W8 memory": agent,
  "W9 none": wide,
  "W9 memory": wide,
  "W9 sqlite": wide,
  "W13 none": documents,
  "W13 memory": documents,
  "W13 sqlite": documents,
  "W14 memory": shortRuns,
  "W14 sqlite": shortRuns,
  ...Object.fromEntries(Object.keys(RESULTS).map((program) => [`W15 ${program}`, firstRun])),
};
const chosen = workloads[`${workload} ${kind}`];
if (!chosen) throw new Error(`Error: langgraphjs has no ${workload} ${name}`);
await chosen();
print();
