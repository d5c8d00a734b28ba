// `client.threads.stream` as it is published, over server-sent events and over a WebSocket.
import assert from "node:assert/strict";
import { test } from "node:test";
import WebSocket from "ws";
import { FOO, client, failure, openGate, until } from "./server.js";

async function collect(items) {
  const all = [];
  for await (const item of items) all.push(item);
  return all;
}

// A servlet below a path has no WebSockets.
const isServlet = new URL(process.env.SUPERSTEP_URL).pathname !== "/";

for (const transport of isServlet ? ["sse"] : ["sse", "websocket"]) {
  const stream = (assistantId, threadId) => {
    const options = { assistantId, transport, webSocketFactory: (url) => new WebSocket(url) };
    return threadId ? client.threads.stream(threadId, options) : client.threads.stream(options);
  };

  test(`${transport}: messages, tool calls and values of a run`, async () => {
    const thread = stream("chat");
    const calls = thread.toolCalls;
    const { run_id: run } = await thread.run.start({ input: { messages: "find 7" } });
    const texts = [];
    for await (const message of thread.messages) {
      const pieces = await collect(message.text);
      texts.push(pieces.join(""));
      assert.ok(pieces.length > 1, `pieces ${pieces}`);
      assert.equal((await message.usage).total_tokens, 120);
    }
    assert.deepEqual(texts, ["One moment.", "It is here 7."]);
    const [call] = await collect(calls);
    assert.deepEqual([call.name, call.input, await call.output], ["find", { number: "7" }, "here 7"]);
    const output = await thread.output;
    assert.deepEqual(output.messages.map((message) => message.text), ["find 7", "One moment.", "here 7", "It is here 7."]);
    assert.equal((await client.runs.get(thread.threadId, run)).status, "success");
    await thread.close();
  });

  test(`${transport}: a question and its answer`, async () => {
    const thread = stream("agent");
    await thread.run.start({ input: { ...FOO, interrupt: true } });
    await until(() => thread.interrupted && thread.interrupts.length === 1, "the question");
    const [{ interruptId, namespace, payload }] = thread.interrupts;
    assert.equal(payload, "i want to interrupt");
    assert.equal((await failure(thread.input.respond({ namespace, interrupt_id: "no", response: 1 }))).code, "no_such_interrupt");
    await thread.input.respond({ namespace, interrupt_id: interruptId, response: "go on" });
    await until(async () => (await client.threads.get(thread.threadId)).status === "idle", "the end");
    assert.equal((await thread.state.get({ namespace: [] })).values.messages.length, 4);
    await thread.close();
  });

  test(`${transport}: a subscription goes on over the runs of a thread`, async () => {
    const thread = stream("agent");
    await thread.run.start({ input: FOO });
    const subscription = await thread.subscribe({ channels: ["values", "checkpoints"] });
    const first = await collect(subscription);
    assert.deepEqual(first.filter((event) => event.method === "values").map((e) => e.params.data.messages.length), [1, 2, 3, 4]);
    await thread.run.start({ input: { messages: [{ type: "human", content: "bar", id: "m2" }] } });
    const second = await collect(subscription);
    assert.deepEqual(second.filter((event) => event.method === "values").map((e) => e.params.data.messages.length), [5, 6, 7, 8]);
    await subscription.unsubscribe();
    await thread.close();
  });

  test(`${transport}: graphs inside`, async () => {
    const thread = stream("weather");
    const subgraphs = thread.subgraphs;
    await thread.run.start({ input: { city: "SF" } });
    const found = await collect(subgraphs);
    assert.deepEqual(found.map((sub) => [sub.name, sub.graphName]), [["weather_graph", "weather_graph"]]);
    const { tree } = await thread.agent.getTree();
    assert.equal(tree.children[0].status, "interrupted");
    await thread.close();
  });

  test(`${transport}: events that graphs name themselves`, async () => {
    const thread = stream("chat");
    await thread.run.start({ input: { messages: "hello" } });
    const used = await collect(thread.extensions["usage.recorded"]);
    assert.equal(used[0].model, "scripted://test");
    await thread.close();
  });

  test(`${transport}: branches, and those who come later`, async () => {
    const thread = stream("agent");
    await thread.run.start({ input: FOO });
    await thread.output;
    const { checkpoints } = await thread.state.listCheckpoints({ limit: 20 });
    const input = { messages: [{ type: "human", content: "bar", id: "m9" }] };
    await thread.run.start({ input, forkFrom: checkpoints.at(-1).id });
    await until(async () => (await client.threads.get(thread.threadId)).status === "idle", "the branch");
    const { values } = await thread.state.get({ namespace: [], keys: ["messages"] });
    assert.deepEqual(values.messages.map((message) => message.content), ["bar", "begin", "tool_result", "end"]);
    const late = stream("agent", thread.threadId);
    const subscription = await late.subscribe(["lifecycle"]);
    const told = [];
    // The client ends an iteration at the end of each run.
    await until(async () => {
      for await (const event of subscription) told.push(event.params.data.event);
      return told.length >= 4;
    }, "both runs");
    assert.deepEqual(told, ["running", "completed", "running", "completed"]);
    await late.close();
    await thread.close();
  });

  test(`${transport}: a run that waits is begun by its gate and told whole`, async () => {
    const gate = `gate-${transport}-${Date.now()}`;
    const thread = stream("gated");
    const values = thread.values;
    await thread.run.start({ input: { gate } });
    await openGate(gate);
    assert.deepEqual((await values).seen, [gate]);
    await thread.close();
  });
}
