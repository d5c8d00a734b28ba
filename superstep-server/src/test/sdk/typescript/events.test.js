import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { EVERYTHING, isEnd, lifecycle, of, open, ran, refusal, result, send } from "./events.js";
import { FOO, client, openGate, until } from "./server.js";

const shapes = (events) => events.map((event) => event.params.data.event);

test("the root's lifecycle is first and last, and sequence numbers have no gaps", async () => {
  const { run, events } = await ran("agent", FOO);
  assert.deepEqual(events.map((event) => event.seq), events.map((_, i) => i + 1));
  assert.deepEqual(lifecycle(events), ["running", "completed"]);
  assert.ok(events[0].event_id.startsWith(`synth:${run}:`));
  assert.equal(events.at(-1).params.data.graph_name, "agent");
  assert.ok(events.every((event) => event.type === "event" && event.params.timestamp > 1.7e12));
});

test("checkpoints come right before their values, with their parents", async () => {
  const { thread, events } = await ran("agent", FOO);
  const told = events.filter((event) => ["checkpoints", "values"].includes(event.method));
  assert.deepEqual(
    told.map((event) => event.method),
    ["checkpoints", "checkpoints", "values", "checkpoints", "values", "checkpoints", "values", "checkpoints", "values"],
  );
  const ids = of(events, "checkpoints");
  assert.deepEqual(ids.map((c) => c.step), [-1, 0, 1, 2, 3]);
  assert.deepEqual(ids.slice(1).map((c) => c.parent_id), ids.slice(0, -1).map((c) => c.id));
  const { checkpoints } = await result(thread, "state.listCheckpoints", {});
  assert.deepEqual(checkpoints.map((c) => c.id), ids.map((c) => c.id).reverse());
  assert.deepEqual(of(events, "values").map((v) => v.messages.length), [1, 2, 3, 4]);
});

test("messages are told in content blocks, with the tokens they cost", async () => {
  const { events } = await ran("chat", { messages: "find 7" });
  const messages = events.filter((event) => event.method === "messages");
  const end = messages.findIndex((event) => event.params.data.event === "message-finish");
  assert.deepEqual(shapes(messages.slice(0, end + 1)).join(" ").replace(/( content-block-delta)+/g, " delta"),
    "message-start content-block-start delta content-block-finish content-block-start delta content-block-finish message-finish");
  const [start] = messages;
  assert.equal(start.params.data.role, "ai");
  assert.equal(start.params.data.metadata.provider, "scripted");
  assert.equal(start.params.node, "model");
  const call = messages[end - 1].params.data.content;
  assert.deepEqual(call, { id: "call-7", name: "find", type: "tool_call", args: { number: "7" } });
  assert.equal(messages[end].params.data.usage.total_tokens, 120);
  const last = of(events, "values").at(-1).messages;
  assert.ok(last.some((message) => message.id === start.params.data.id));
});

test("tools begin and end with their calls", async () => {
  const { events } = await ran("chat", { messages: "find 7" });
  const tools = of(events, "tools");
  assert.deepEqual(tools.map((tool) => tool.event), ["tool-started", "tool-finished"]);
  assert.deepEqual(tools[0], { event: "tool-started", tool_call_id: "call-7", tool_name: "find", input: { number: "7" } });
  assert.equal(tools[1].output.content, "here 7");
});

test("updates, tasks and custom events name their nodes", async () => {
  const { events } = await ran("agent", FOO);
  assert.deepEqual(of(events, "updates").map((update) => update.node), ["agent", "tool", "agent"]);
  assert.equal(of(events, "updates")[0].values.messages[0].content, "begin");
  assert.equal(of(events, "tasks").length, 6);
  const chat = await ran("chat", { messages: "hello" }, { channels: ["custom:usage.recorded", "lifecycle"] });
  assert.equal(of(chat.events, "custom")[0].name, "usage.recorded");
  const other = await ran("chat", { messages: "hello" }, { channels: ["custom:other", "lifecycle"] });
  assert.equal(of(other.events, "custom").length, 0);
});

test("graphs inside have namespaces, and begin and end within the run", async () => {
  const { thread, events } = await ran("weather", { city: "SF" });
  assert.deepEqual(lifecycle(events), ["running", "weather_graph started", "weather_graph interrupted", "interrupted"]);
  const inside = events.find((event) => event.params.namespace.length === 1);
  assert.equal(inside.method, "lifecycle");
  const first = events.filter((event) => event.method === "values" && event.params.namespace.length === 1);
  assert.deepEqual(first[0].params.data, { city: "SF" });
  const { run_id: run } = await result(thread, "run.start", { assistant_id: "weather", input: null });
  const stream = await open(thread, { channels: EVERYTHING, since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.deepEqual(lifecycle(rest), ["running", "weather_graph started", "weather_graph completed", "completed"]);
  const { tree } = await result(thread, "agent.getTree", { run_id: run });
  assert.equal(tree.status, "completed");
  assert.equal(tree.graph_name, "weather");
  assert.deepEqual(tree.children.map((child) => [child.graph_name, child.status]), [["weather_graph", "completed"]]);
  const namespace = tree.children[0].namespace;
  const child = await result(thread, "state.get", { namespace });
  assert.equal(child.values.city, "sunny SF");
  assert.equal(child.checkpoint.ns, namespace[0]);
});

test("namespaces, also by node alone, and depth choose events", async () => {
  const { thread } = await ran("weather", { city: "SF" });
  const names = async (filter) => {
    const stream = await open(thread, { channels: ["values", "lifecycle"], ...filter, since: 0 });
    const events = await stream.until((event) => event.params.data.event === "interrupted");
    stream.close();
    return new Set(events.map((event) => event.params.namespace.length));
  };
  assert.deepEqual(await names({ namespaces: [["weather_graph"]] }), new Set([1]));
  assert.deepEqual(await names({ namespaces: [[]] }), new Set([0, 1]));
  assert.deepEqual(await names({ namespaces: [[]], depth: 0 }), new Set([0]));
});

test("a failure ends the run with its message", async () => {
  const { events } = await ran("error", { messages: "x" });
  assert.deepEqual(lifecycle(events), ["running", "failed"]);
  assert.equal(events.at(-1).params.data.error, "Boo!");
});

test("a question is asked, and its answer told before anything else", async () => {
  const { thread, events } = await ran("agent", { ...FOO, interrupt: true });
  assert.deepEqual(lifecycle(events), ["running", "interrupted"]);
  const [asked] = events.filter((event) => event.method === "input.requested");
  assert.equal(asked.params.data.payload, "i want to interrupt");
  assert.ok(of(events, "values").every((values) => !("__interrupt__" in values)));
  assert.ok(of(events, "updates").every((update) => update.node !== "__interrupt__"));
  const id = asked.params.data.interrupt_id;
  assert.equal(await refusal(thread, "input.respond", { namespace: [], interrupt_id: "no", response: 1 }), "no_such_interrupt");
  assert.equal(await refusal(thread, "input.respond", { namespace: [], interrupt_id: id }), "invalid_argument");
  assert.equal(await refusal(thread, "input.respond", { responses: [] }), "invalid_argument");
  await result(thread, "input.respond", {
    namespace: [], interrupt_id: id, response: "go on", metadata: { from: "a test" }, config: { tags: ["x"] },
  });
  const stream = await open(thread, { channels: EVERYTHING, since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.equal(rest[0].params.data.event, "running");
  assert.deepEqual([rest[1].method, rest[1].params.data], ["input.answered", { interrupt_ids: [id] }]);
  assert.deepEqual(lifecycle(rest), ["running", "completed"]);
  assert.equal(of(rest, "values").at(-1).messages.length, 4);
  const [run] = await client.runs.list(thread, { limit: 1 });
  assert.equal(run.metadata.from, "a test");
});

test("an answer can change the state and go to another node in the same superstep", async () => {
  const { thread, events } = await ran("agent", { ...FOO, interrupt: true });
  const id = of(events, "input.requested")[0].interrupt_id;
  const call = { name: "tool", args: {}, id: "c2", type: "tool_call" };
  await result(thread, "input.respond", {
    responses: [{ namespace: [], interrupt_id: id, response: "yes" }],
    update: { messages: [{ type: "ai", content: "and this", id: "m2", tool_calls: [call] }] },
    goto: "tool",
  });
  const stream = await open(thread, { channels: ["lifecycle", "tasks", "values"], since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.deepEqual(lifecycle(rest), ["running", "completed"]);
  const started = of(rest, "tasks").filter((task) => "triggers" in task).map((task) => task.name);
  assert.deepEqual(started.slice(0, 2).sort(), ["agent", "tool"]);
  assert.ok(of(rest, "values").at(-1).messages.some((message) => message.id === "m2"));
});

test("an answer can come with a change of the state alone", async () => {
  const { thread, events } = await ran("agent", { ...FOO, interrupt: true });
  const id = of(events, "input.requested")[0].interrupt_id;
  const update = { messages: [{ type: "human", content: "and this", id: "m2" }] };
  await result(thread, "input.respond", { namespace: [], interrupt_id: id, response: "yes", update });
  const stream = await open(thread, { channels: ["lifecycle", "values"], since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.deepEqual(lifecycle(rest), ["running", "completed"]);
  const contents = of(rest, "values").at(-1).messages.map((message) => message.content);
  assert.deepEqual(contents, ["foo", "and this", "begin", "tool_result", "end"]);
});

test("run.start answers the question of a thread that waits", async () => {
  const { thread, events } = await ran("agent", { ...FOO, interrupt: true });
  await result(thread, "run.start", { assistant_id: "agent", input: "go on" });
  const stream = await open(thread, { channels: EVERYTHING, since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.equal(of(rest, "input.answered").length, 1);
  assert.equal(of(rest, "values").at(-1).messages.length, 4);
});

test("an answer that does not fit its question is refused, and the thread goes on asking", async () => {
  const { thread, events } = await ran("agent", { ...FOO, interrupt: true });
  const id = of(events, "input.requested")[0].interrupt_id;
  const answer = { namespace: [], interrupt_id: id, response: { not: "a text" } };
  assert.equal(await refusal(thread, "input.respond", answer), "invalid_argument");
  assert.equal((await client.threads.get(thread)).status, "interrupted");
  await result(thread, "input.respond", { ...answer, response: "yes" });
  const stream = await open(thread, { channels: ["lifecycle"], since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.equal(lifecycle(rest).at(-1), "completed");
});

test("strict answers to questions that are gone are refused, and others still go through", async () => {
  const { thread, events } = await ran("agent", { ...FOO, interrupt: true });
  const id = of(events, "input.requested")[0].interrupt_id;
  await result(thread, "input.respond", { namespace: [], interrupt_id: "gone", response: 1, strict_resume: true });
  const stream = await open(thread, { channels: ["lifecycle"], since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  const { event, reason, interrupt_ids, pending_ids } = rest.at(-1).params.data;
  assert.deepEqual([event, reason], ["failed", "unknown_interrupt"]);
  assert.deepEqual([interrupt_ids, pending_ids], [["gone"], [id]]);
});

test("state.fork runs from an older checkpoint", async () => {
  const { thread, events } = await ran("agent", FOO);
  const before = of(events, "checkpoints").find((checkpoint) => checkpoint.step === -1).id;
  assert.equal(await refusal(thread, "state.fork", { checkpoint_id: randomUUID() }), "no_such_checkpoint");
  const fork = await result(thread, "state.fork", {
    checkpoint_id: before,
    input: { messages: [{ type: "human", content: "bar", id: "m9" }] },
  });
  assert.equal(fork.thread_id, thread);
  const stream = await open(thread, { channels: ["lifecycle", "values"], since: events.at(-1).seq });
  const rest = await stream.until(isEnd);
  stream.close();
  assert.deepEqual(of(rest, "values").at(-1).messages.map((m) => m.content), ["bar", "begin", "tool_result", "end"]);
});

test("state.get has the values that are asked for, and the checkpoint", async () => {
  const { thread, events } = await ran("agent", FOO);
  const all = await result(thread, "state.get", { namespace: [] });
  assert.equal(all.checkpoint.id, of(events, "checkpoints").at(-1).id);
  assert.equal(all.values.messages.length, 4);
  assert.deepEqual((await result(thread, "state.get", { namespace: [], keys: ["nothing"] })).values, {});
  assert.equal(await refusal(thread, "state.get", { namespace: ["agent:no"] }), "no_such_namespace");
  const { checkpoints } = await result(thread, "state.listCheckpoints", { limit: 2 });
  assert.equal(checkpoints.length, 2);
  const older = await result(thread, "state.listCheckpoints", { limit: 2, before: checkpoints[1].id });
  assert.ok(older.checkpoints[0].id < checkpoints[1].id);
  assert.ok(Date.parse(older.checkpoints[0].timestamp) > 0);
});

test("runs wait for each other unless told otherwise, and messages can be injected", async () => {
  const thread = randomUUID();
  const gate = randomUUID();
  await result(thread, "run.start", { assistant_id: "gated", input: { gate } });
  const second = await result(thread, "run.start", { assistant_id: "gated", input: { gate: "open" } });
  assert.equal((await client.runs.get(thread, second.run_id)).status, "pending");
  assert.equal(
    await refusal(thread, "run.start", { assistant_id: "gated", input: { gate: "open" }, multitask_strategy: "reject" }),
    "invalid_argument",
  );
  assert.equal(await refusal(thread, "input.inject", { namespace: [], message: { role: "user", content: "x" } }), "not_supported");
  await client.runs.cancel(thread, second.run_id);
  await openGate(gate);
  const stream = await open(thread, { channels: ["lifecycle"] });
  const events = [...(await stream.until(isEnd)), ...(await stream.until(isEnd))];
  stream.close();
  const ends = events.map((event) => [event.event_id.split(":")[1] === second.run_id, event.params.data.event]);
  assert.deepEqual(new Set(ends.map(String)), new Set(["false,running", "false,completed", "true,running", "true,interrupted"]));
  assert.equal(await refusal(thread, "input.inject", { namespace: [], message: { role: "user", content: "x" } }), "no_such_run");
});

test("a cancelled run ends as interrupted, one that is rolled back too", async () => {
  for (const action of ["interrupt", "rollback"]) {
    const thread = randomUUID();
    const { run_id: run } = await result(thread, "run.start", { assistant_id: "endless", input: {} });
    const stream = await open(thread, { channels: ["lifecycle", "values"] });
    await stream.until((event) => event.method === "values");
    await client.runs.cancel(thread, run, false, action);
    assert.deepEqual(lifecycle(await stream.until(isEnd)), ["interrupted"]);
    stream.close();
  }
});

test("durability does not change what is told", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    const { events } = await ran("agent", FOO).catch(() => ({ events: [] }));
    const thread = randomUUID();
    await result(thread, "run.start", { assistant_id: "agent", input: FOO, durability });
    const stream = await open(thread, { channels: ["values", "messages", "updates", "lifecycle"] });
    const told = await stream.until(isEnd);
    stream.close();
    const kinds = (all) => all.filter((e) => ["values", "messages", "updates", "lifecycle"].includes(e.method)).map((e) => e.method);
    assert.deepEqual(kinds(told), kinds(events), durability);
  }
});

test("runs by the other API are told to those who follow a thread", async () => {
  const thread = (await client.threads.create()).thread_id;
  const stream = await open(thread);
  const values = await client.runs.wait(thread, "agent", { input: FOO });
  const events = await stream.until(isEnd);
  assert.deepEqual(of(events, "values").at(-1).messages, values.messages);
  stream.close();
});

test("a stream may be opened before its thread is there", async () => {
  const thread = randomUUID();
  const stream = await open(thread);
  await result(thread, "run.start", { assistant_id: "agent", input: FOO });
  assert.deepEqual(lifecycle(await stream.until(isEnd)), ["running", "completed"]);
  await result(thread, "run.start", { assistant_id: "agent", input: FOO });
  assert.deepEqual(lifecycle(await stream.until(isEnd)), ["running", "completed"]);
  stream.close();
});

test("since at every event gives the same rest", async () => {
  const { thread, events } = await ran("chat", { messages: "find 7" });
  for (let i = 0; i < events.length - 1; i++) {
    const stream = await open(thread, { channels: EVERYTHING, since: events[i].seq });
    assert.deepEqual(await stream.until(isEnd), events.slice(i + 1));
    stream.close();
  }
});

test("what is no command, or a wrong one, is refused with the protocol's codes", async () => {
  const thread = randomUUID();
  const bad = [
    ["no json", 400, null], [[], 400, null], [{ id: -1, method: "run.start" }, 400, null], [{ id: 1 }, 200, 1],
    [{ id: 2, method: "run.start", params: [] }, 200, 2],
  ];
  for (const [body, status, id] of bad) {
    const reply = await send(thread, body);
    assert.deepEqual([reply.status, reply.type, reply.id, reply.error], [status, "error", id, "invalid_argument"]);
  }
  const deep = "[".repeat(300) + "]".repeat(300);
  assert.equal((await send(thread, `{"id":1,"method":"run.start","params":{"input":${deep}}}`)).error, "invalid_argument");
  assert.equal(await refusal(thread, "what.else"), "unknown_command");
  assert.equal(await refusal(thread, "subscription.subscribe", { channels: ["values"] }), "not_supported");
  assert.equal(await refusal(thread, "run.start", {}), "invalid_argument");
  assert.equal(await refusal(thread, "run.start", { assistant_id: "agent", input: { nothing: 1 } }), "invalid_argument");
  assert.equal(await refusal(thread, "run.start", { assistant_id: "agent", input: FOO, multitask_strategy: "maybe" }), "invalid_argument");
  for (const method of ["state.get", "state.listCheckpoints", "agent.getTree"]) {
    assert.equal(await refusal(thread, method, { namespace: [] }), "no_such_run");
  }
  assert.equal(await refusal(thread, "input.respond", { namespace: [], interrupt_id: "x", response: 1 }), "no_such_run");
  await assert.rejects(client.threads.get(thread), /404|not found/);
  for (const filter of [{}, { channels: [] }, { channels: ["nothing"] }, { channels: ["values"], depth: -1 }, { channels: ["values"], since: "x" }, { channels: ["values"], namespaces: ["x"] }]) {
    await assert.rejects(open(thread, filter), (error) => error.status === 422);
  }
  const known = await ran("agent", FOO);
  assert.equal(await refusal(known.thread, "run.start", { assistant_id: "chat", input: { messages: "x" } }), "invalid_argument");
  assert.equal(await refusal(known.thread, "agent.getTree", { run_id: randomUUID() }), "no_such_run");
  const reply = await send(known.thread, { id: 7, method: "state.get", params: { namespace: [] } });
  assert.deepEqual([reply.id, reply.meta.applied_through_seq], [7, known.events.at(-1).seq]);
});

test("a client that goes away leaves the run alone", async () => {
  const thread = randomUUID();
  const gate = randomUUID();
  const { run_id: run } = await result(thread, "run.start", { assistant_id: "gated", input: { gate } });
  const stream = await open(thread);
  await stream.next();
  stream.close();
  await openGate(gate);
  await until(async () => (await client.runs.get(thread, run)).status === "success", "the run ends");
});
