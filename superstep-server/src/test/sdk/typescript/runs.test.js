import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUUID } from "node:crypto";
import { FOO, all, client, failure, names, openGate, until } from "./server.js";

test("the first turn of an agent", async () => {
  const thread = await client.threads.create();
  const events = await all(
    client.runs.stream(thread.thread_id, "agent", { input: FOO, streamMode: ["values"] }),
  );
  assert.deepEqual(names(events), ["metadata", "values", "values", "values", "values"]);
  assert.deepEqual(Object.keys(events[0].data).sort(), ["attempt", "run_id"]);
  assert.equal(events[0].data.attempt, 1);
  assert.deepEqual(events.map((event) => event.id), ["0", "1", "2", "3", "4"]);
  assert.deepEqual(events.slice(1).map((e) => e.data.messages.length), [1, 2, 3, 4]);
  const run = await client.runs.get(thread.thread_id, events[0].data.run_id);
  assert.equal(run.status, "success");
  const after = await client.threads.get(thread.thread_id);
  assert.equal(after.status, "idle");
  assert.equal(after.metadata.graph_id, "agent");
  assert.equal(after.metadata.assistant_id, run.assistant_id);
});

test("messages are coerced", async () => {
  const values = await client.runs.wait(null, "agent", {
    input: { messages: [{ role: "human", content: "by role" }] },
  });
  assert.equal(values.messages[0].type, "human");
  assert.ok(values.messages[0].id);
  assert.deepEqual(values.messages[1].invalid_tool_calls, []);
  assert.equal(values.messages[1].tool_calls[0].name, "tool");
});

test("tasks and checkpoints are streamed in LangGraph's order", async () => {
  const thread = await client.threads.create();
  const events = await all(
    client.runs.stream(thread.thread_id, "agent", {
      input: FOO,
      streamMode: ["tasks", "checkpoints"],
    }),
  );
  const told = events.slice(1).map((e) =>
    e.event === "checkpoints"
      ? `checkpoint ${e.data.metadata.step}`
      : `${"triggers" in e.data ? "start" : "result"} ${e.data.name}`,
  );
  assert.deepEqual(told, [
    "checkpoint -1",
    "checkpoint 0",
    "start agent",
    "result agent",
    "checkpoint 1",
    "start tool",
    "result tool",
    "checkpoint 2",
    "start agent",
    "result agent",
    "checkpoint 3",
  ]);
});

test("updates, messages and messages-tuple", async () => {
  const events = await all(
    client.runs.stream(null, "agent", {
      input: FOO,
      streamMode: ["updates", "messages-tuple"],
    }),
  );
  const updates = events.filter((e) => e.event === "updates").map((e) => Object.keys(e.data)[0]);
  assert.deepEqual(updates, ["agent", "tool", "agent"]);
  const tuples = events.filter((e) => e.event === "messages");
  assert.ok(tuples.length >= 3);
  for (const { data: [message, metadata] } of tuples) {
    assert.ok(message.id);
    assert.ok(metadata.langgraph_node);
    assert.ok(metadata.run_id);
  }
  const whole = await all(client.runs.stream(null, "agent", { input: FOO, streamMode: "messages" }));
  assert.ok(names(whole).includes("messages/complete"));
});

test("an interrupt is streamed, kept and answered", async () => {
  const thread = await client.threads.create();
  const values = await client.runs.wait(thread.thread_id, "agent", {
    input: { ...FOO, interrupt: true },
  });
  assert.equal(values.__interrupt__.length, 1);
  assert.equal(values.__interrupt__[0].value, "i want to interrupt");
  const state = await client.threads.getState(thread.thread_id);
  assert.deepEqual(state.next, ["agent"]);
  assert.equal(state.tasks.length, 1);
  const task = state.tasks[0];
  assert.deepEqual(task.path, ["__pregel_pull", "agent"]);
  assert.deepEqual(
    [task.error, task.checkpoint, task.state, task.result],
    [null, null, null, null],
  );
  assert.equal(task.interrupts[0].id, values.__interrupt__[0].id);
  const waiting = await client.threads.get(thread.thread_id);
  assert.equal(waiting.status, "interrupted");
  assert.equal(waiting.interrupts[task.id][0].value, "i want to interrupt");
  const events = await all(
    client.runs.stream(thread.thread_id, "agent", { command: { resume: "go on" } }),
  );
  assert.equal(events.at(-1).event, "values");
  assert.equal(events.at(-1).data.messages.length, 4);
  const over = await client.threads.get(thread.thread_id);
  assert.equal(over.status, "idle");
  assert.deepEqual(over.interrupts, {});
});

test("an interrupt is answered by its id", async () => {
  const thread = await client.threads.create();
  const { __interrupt__: [{ id }] } = await client.runs.wait(thread.thread_id, "agent", {
    input: { ...FOO, interrupt: true },
  });
  const values = await client.runs.wait(thread.thread_id, "agent", {
    command: { resume: { [id]: "go on" } },
  });
  assert.equal(values.messages.length, 4);
});

test("an answer that does not fit its question is refused, and the thread goes on asking", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: { ...FOO, interrupt: true } });
  const command = { resume: { not: "a text" } };
  const refused = await failure(client.runs.wait(thread.thread_id, "agent", { command }));
  assert.equal(refused.status, 422);
  assert.match(refused.message, /command\.resume for question .* does not fit/);
  const asking = await client.threads.get(thread.thread_id);
  assert.equal(asking.status, "interrupted");
  assert.equal(Object.keys(asking.interrupts).length, 1);
  assert.equal((await client.runs.list(thread.thread_id)).length, 1);
  const values = await client.runs.wait(thread.thread_id, "agent", { command: { resume: "go on" } });
  assert.equal(values.messages.length, 4);
});

test("new input on an interrupted thread begins anew", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: { ...FOO, interrupt: true } });
  const values = await client.runs.wait(thread.thread_id, "agent", {
    input: { messages: [{ type: "human", content: "other" }], interrupt: false },
  });
  assert.equal(values.messages.at(-1).content, "end");
  assert.equal((await client.threads.get(thread.thread_id)).status, "idle");
});

test("a command goes to a node, and to the end", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: { ...FOO, interrupt: true } });
  await client.runs.wait(thread.thread_id, "agent", { command: { goto: "__end__" } });
  assert.equal((await client.threads.get(thread.thread_id)).status, "idle");
  assert.deepEqual((await client.threads.getState(thread.thread_id)).next, []);
  const values = await client.runs.wait(thread.thread_id, "agent", {
    command: { goto: "agent", update: { interrupt: false } },
  });
  assert.equal(values.messages.at(-1).content, "end");
});

test("breakpoints stop before and after nodes", async () => {
  const thread = await client.threads.create();
  const before = await all(
    client.runs.stream(thread.thread_id, "agent", {
      input: FOO,
      interruptBefore: ["tool"],
      streamMode: "values",
    }),
  );
  assert.deepEqual(before.at(-1).data, { __interrupt__: [] });
  assert.deepEqual((await client.threads.getState(thread.thread_id)).next, ["tool"]);
  assert.equal((await client.threads.get(thread.thread_id)).status, "interrupted");
  await client.runs.wait(thread.thread_id, "agent", { input: null, interruptAfter: "*" });
  assert.deepEqual((await client.threads.getState(thread.thread_id)).next, ["agent"]);
  const values = await client.runs.wait(thread.thread_id, "agent", { input: null });
  assert.equal(values.messages.length, 4);
});

test("a failure is an error event, and the status of the run and the thread", async () => {
  const thread = await client.threads.create();
  const events = await all(client.runs.stream(thread.thread_id, "error", { input: FOO }));
  assert.deepEqual(events.at(-1).event, "error");
  assert.deepEqual(events.at(-1).data, { error: "CustomError", message: "Boo!" });
  const runId = events[0].data.run_id;
  assert.equal((await client.runs.get(thread.thread_id, runId)).status, "error");
  assert.equal((await client.threads.get(thread.thread_id)).status, "error");
  const joined = await client.runs.join(thread.thread_id, runId);
  assert.equal(joined.messages.length, 1);
  const again = await all(
    client.runs.joinStream(thread.thread_id, runId, { lastEventId: "-1" }),
  );
  assert.deepEqual(again.at(-1).data, events.at(-1).data);
});

test("a failure of an awaited run is thrown, or returned", async () => {
  const error = await failure(client.runs.wait(null, "endless", {
    input: {},
    config: { recursion_limit: 3 },
  }));
  assert.match(error.message, /GraphRecursionError/);
  const returned = await client.runs.wait(null, "error", { input: FOO, raiseError: false });
  assert.equal(returned.__error__.error, "CustomError");
});

test("a run in the background is awaited, listed and read", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "agent", {
    input: FOO,
    metadata: { purpose: "test" },
  });
  assert.equal(run.thread_id, thread.thread_id);
  assert.equal(run.metadata.purpose, "test");
  assert.equal(run.multitask_strategy, "reject");
  const values = await client.runs.join(thread.thread_id, run.run_id);
  assert.equal(values.messages.length, 4);
  const listed = await client.runs.list(thread.thread_id);
  assert.deepEqual(listed.map((r) => r.run_id), [run.run_id]);
  assert.deepEqual(await client.runs.list(thread.thread_id, { status: "error" }), []);
});

test("runs are made in a batch", async () => {
  const runs = await client.runs.createBatch([
    { assistantId: "agent", input: FOO },
    { assistantId: "configured", input: {} },
  ]);
  assert.deepEqual(
    runs.map((run) => run.kwargs.assistant_id),
    ["agent", "configured"],
  );
});

test("the id of a run is known when its stream begins", async () => {
  const thread = await client.threads.create();
  let created;
  await all(
    client.runs.stream(thread.thread_id, "agent", {
      input: FOO,
      onRunCreated: (run) => (created = run),
    }),
  );
  assert.equal(created.thread_id, thread.thread_id);
  assert.equal((await client.runs.get(thread.thread_id, created.run_id)).status, "success");
});

test("two readers of a run get the same events", async () => {
  const thread = await client.threads.create();
  const gate = randomUUID();
  const first = all(
    client.runs.stream(thread.thread_id, "gated", {
      input: { gate },
      streamMode: ["values", "updates"],
      streamResumable: true,
    }),
  );
  const [run] = await until(async () => {
    const runs = await client.runs.list(thread.thread_id);
    return runs.length > 0 && runs;
  }, "the run is there");
  const second = all(
    client.runs.joinStream(thread.thread_id, run.run_id, { lastEventId: "-1" }),
  );
  await openGate(gate);
  assert.deepEqual(await second, await first);
});

test("a reader goes on after each event", async () => {
  const thread = await client.threads.create();
  const whole = await all(
    client.runs.stream(thread.thread_id, "agent", { input: FOO, streamMode: ["values", "updates"] }),
  );
  const runId = whole[0].data.run_id;
  for (let i = 0; i < whole.length; i++) {
    const rest = await all(
      client.runs.joinStream(thread.thread_id, runId, { lastEventId: whole[i].id }),
    );
    assert.deepEqual(rest, whole.slice(i + 1));
  }
  const some = await all(
    client.runs.joinStream(thread.thread_id, runId, { lastEventId: "-1", streamMode: "updates" }),
  );
  assert.deepEqual([...new Set(names(some))].sort(), ["metadata", "updates"]);
});

test("a second run is refused while one is at work", async () => {
  const thread = await client.threads.create();
  const gate = randomUUID();
  const run = await client.runs.create(thread.thread_id, "gated", { input: { gate } });
  const error = await failure(
    client.runs.create(thread.thread_id, "gated", { input: { gate }, multitaskStrategy: "reject" }),
  );
  assert.equal(error.status, 422);
  assert.equal((await client.threads.get(thread.thread_id)).status, "busy");
  await openGate(gate);
  await client.runs.join(thread.thread_id, run.run_id);
});

test("queued runs run in their order", async () => {
  const thread = await client.threads.create();
  const gate = randomUUID();
  const first = await client.runs.create(thread.thread_id, "gated", { input: { gate } });
  const more = [];
  for (const name of ["one", "two", "three"]) {
    const run = { input: { gate: `${gate}/${name}` }, multitaskStrategy: "enqueue" };
    more.push(await client.runs.create(thread.thread_id, "gated", run));
  }
  assert.deepEqual([...new Set(more.map((run) => run.status))], ["pending"]);
  // The gates of later runs are open before those of earlier ones.
  for (const name of ["three", "two", "one"]) await openGate(`${gate}/${name}`);
  assert.equal((await client.runs.get(thread.thread_id, more[2].run_id)).status, "pending");
  await openGate(gate);
  const values = await client.runs.join(thread.thread_id, more[2].run_id);
  assert.deepEqual(
    values.seen,
    [gate, `${gate}/one`, `${gate}/two`, `${gate}/three`],
  );
  assert.equal((await client.runs.get(thread.thread_id, first.run_id)).status, "success");
});

test("a thread stays with its graph", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  const error = await failure(client.runs.wait(thread.thread_id, "gated", { input: {} }));
  assert.equal(error.status, 409);
});

test("an interrupting run ends the other and keeps what it did", async () => {
  const thread = await client.threads.create();
  const old = await client.runs.create(thread.thread_id, "gated", { input: { gate: randomUUID() } });
  await until(
    async () => (await client.threads.getState(thread.thread_id)).next.length > 0,
    "the input is saved",
  );
  const values = await client.runs.wait(thread.thread_id, "gated", {
    input: { gate: "open" },
    multitaskStrategy: "interrupt",
  });
  assert.deepEqual(values.seen, ["open"]);
  assert.equal((await client.runs.get(thread.thread_id, old.run_id)).status, "interrupted");
});

test("a run that rolls back leaves nothing of the other", async () => {
  const thread = await client.threads.create();
  const old = await client.runs.create(thread.thread_id, "gated", { input: { gate: randomUUID() } });
  await until(
    async () => (await client.threads.getState(thread.thread_id)).next.length > 0,
    "the input is saved",
  );
  await client.runs.wait(thread.thread_id, "gated", {
    input: { gate: "open" },
    multitaskStrategy: "rollback",
  });
  assert.equal((await failure(client.runs.get(thread.thread_id, old.run_id))).status, 404);
  const inputs = await client.threads.getHistory(thread.thread_id);
  assert.equal(inputs.filter((state) => state.next[0] === "__start__").length, 1);
});

test("a cancelled run is interrupted", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "gated", { input: { gate: randomUUID() } });
  await client.runs.cancel(thread.thread_id, run.run_id, true);
  assert.equal((await client.runs.get(thread.thread_id, run.run_id)).status, "interrupted");
});

test("a run that waits is cancelled at once", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "agent", {
    input: FOO,
    afterSeconds: 3600,
  });
  assert.equal(run.status, "pending");
  await client.runs.cancel(thread.thread_id, run.run_id, true);
  assert.equal((await client.runs.get(thread.thread_id, run.run_id)).status, "interrupted");
  assert.equal((await client.threads.get(thread.thread_id)).status, "idle");
});

test("runs are cancelled by their ids and by their status", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "gated", { input: { gate: randomUUID() } });
  await client.runs.cancelMany({ threadId: thread.thread_id, runIds: [run.run_id] });
  await until(
    async () => (await client.runs.get(thread.thread_id, run.run_id)).status === "interrupted",
    "it is cancelled",
  );
});

test("a run ends with its client if the client says so", async () => {
  const thread = await client.threads.create();
  const gone = new AbortController();
  const reading = (async () => {
    try {
      const stream = client.runs.stream(thread.thread_id, "gated", {
        input: { gate: randomUUID() },
        onDisconnect: "cancel",
        signal: gone.signal,
      });
      for await (const event of stream) if (event.event === "values") gone.abort();
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  })();
  await reading;
  await until(async () => {
    const [run] = await client.runs.list(thread.thread_id);
    return run.status === "interrupted";
  }, "the run ends");
});

test("a deleted run is gone", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "agent", { input: FOO });
  await client.runs.join(thread.thread_id, run.run_id);
  await client.runs.delete(thread.thread_id, run.run_id);
  assert.equal((await failure(client.runs.get(thread.thread_id, run.run_id))).status, 404);
});

test("a stateless run leaves no thread, unless it is to be kept", async () => {
  const values = await client.runs.wait(null, "agent", { input: FOO });
  assert.equal(values.messages.length, 4);
  let created;
  await all(
    client.runs.stream(null, "agent", { input: FOO, onRunCreated: (run) => (created = run) }),
  );
  assert.ok(created.run_id);
});

test("an edit and a regeneration are branches of one checkpoint", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  const history = await client.threads.getHistory(thread.thread_id);
  const first = history.find((state) => state.values.messages?.length === 1);
  const edited = await client.runs.wait(thread.thread_id, "agent", {
    input: { messages: [{ type: "human", content: "edited", id: "m1" }] },
    checkpoint: first.parent_checkpoint,
  });
  assert.deepEqual(edited.messages.map((m) => m.content), ["edited", "begin", "tool_result", "end"]);
  const after = await client.threads.getHistory(thread.thread_id, { limit: 50 });
  const children = after.filter(
    (state) =>
      state.parent_checkpoint?.checkpoint_id === first.parent_checkpoint.checkpoint_id,
  );
  assert.equal(children.length, 2);
  const answer = after.find((state) => state.values.messages?.length === 2);
  const again = await client.runs.wait(thread.thread_id, "agent", {
    checkpoint: answer.parent_checkpoint,
  });
  assert.equal(again.messages.length, 4);
});

test("configuration and context reach the nodes", async () => {
  const assistant = await client.assistants.create({
    graphId: "configured",
    config: { configurable: { user: "assistant" } },
    context: { language: "en" },
  });
  const one = await client.runs.wait(null, assistant.assistant_id, { input: {} });
  assert.deepEqual(one.seen, ["assistant", "en"]);
  const other = await client.runs.wait(null, assistant.assistant_id, {
    input: {},
    config: { configurable: { user: "run" } },
    context: { language: "de" },
  });
  assert.deepEqual(other.seen, ["run", "de"]);
});

test("what nodes publish, debug, events and states are modes", async () => {
  const thread = await client.threads.create();
  const events = await all(
    client.runs.stream(thread.thread_id, "configured", {
      input: { seen: [] },
      config: { configurable: { user: "ann" } },
      context: { language: "de" },
      streamMode: ["custom", "debug", "events"],
    }),
  );
  const custom = events.filter((event) => event.event === "custom");
  assert.deepEqual(custom.map((event) => event.data), [{ telling: "ann" }]);
  const debug = events.filter((event) => event.event === "debug").map((event) => event.data.type);
  for (const type of ["checkpoint", "task", "task_result"]) assert.ok(debug.includes(type), type);
  const traced = events.filter((event) => event.event === "events").map((event) => event.data);
  assert.deepEqual(
    traced.map((event) => `${event.event} ${event.name}`),
    [
      "on_chain_start configured",
      "on_chain_start tell",
      "on_custom_event told",
      "on_chain_end tell",
      "on_chain_end configured",
    ],
  );
  const names = new Set(events.map((event) => event.event));
  assert.deepEqual([...names].sort(), ["custom", "debug", "events", "metadata"]);
});

test("events of graphs inside come under their namespace if asked for", async () => {
  for (const streamSubgraphs of [true, false]) {
    const thread = await client.threads.create();
    const events = await all(
      client.runs.stream(thread.thread_id, "weather", {
        input: { city: "SF" },
        streamMode: ["values", "updates"],
        streamSubgraphs,
      }),
    );
    const inside = events.filter((event) => event.event.includes("|"));
    assert.equal(inside.length > 0, streamSubgraphs);
    for (const event of inside) assert.match(event.event, /^(values|updates)\|weather_graph:/);
  }
});

test("a run may wait for some time before it begins", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "agent", {
    input: FOO,
    afterSeconds: 1,
  });
  assert.equal(run.status, "pending");
  const values = await client.runs.join(thread.thread_id, run.run_id);
  assert.equal(values.messages.length, 4);
});

test("each durability leads to the same values", async () => {
  for (const durability of ["sync", "async", "exit"]) {
    const thread = await client.threads.create();
    const values = await client.runs.wait(thread.thread_id, "agent", { input: FOO, durability });
    assert.equal(values.messages.length, 4, durability);
  }
});

test("bad requests are refused with a reason", async () => {
  const thread = await client.threads.create();
  const unknown = await failure(client.runs.wait(thread.thread_id, "nobody", { input: {} }));
  assert.equal(unknown.status, 404);
  assert.match(JSON.parse(unknown.text).detail, /^No assistant found for "nobody"/);
  const field = await failure(
    client.runs.wait(thread.thread_id, "agent", { input: { mesages: [] } }),
  );
  assert.equal(field.status, 422);
  assert.match(field.message, /mesages/);
  const mode = await failure(
    all(client.runs.stream(thread.thread_id, "agent", { input: FOO, streamMode: "everything" })),
  );
  assert.equal(mode.status, 422);
  const missing = await failure(client.runs.wait(randomUUID(), "agent", { input: FOO }));
  assert.equal(missing.status, 404);
  const made = randomUUID();
  const values = await client.runs.wait(made, "agent", { input: FOO, ifNotExists: "create" });
  assert.equal(values.messages.length, 4);
});
