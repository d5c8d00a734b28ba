import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUUID } from "node:crypto";
import { FOO, all, client, failure, openGate, until } from "./server.js";

test("a thread is made with a given id and metadata", async () => {
  const id = randomUUID();
  const thread = await client.threads.create({ threadId: id, metadata: { owner: "ann" } });
  assert.equal(thread.thread_id, id);
  assert.equal(thread.status, "idle");
  assert.deepEqual(thread.metadata, { owner: "ann" });
  assert.deepEqual(thread.values, {});
  assert.deepEqual(thread.interrupts, {});
  assert.deepEqual((await client.threads.get(id)).metadata, { owner: "ann" });
});

test("an id that exists is refused unless the client says otherwise", async () => {
  const { thread_id: threadId } = await client.threads.create();
  assert.equal((await failure(client.threads.create({ threadId }))).status, 409);
  const again = await client.threads.create({ threadId, ifExists: "do_nothing" });
  assert.equal(again.thread_id, threadId);
});

test("an unknown thread is 404", async () => {
  assert.equal((await failure(client.threads.get(randomUUID()))).status, 404);
});

test("a refusal says why", async () => {
  const id = randomUUID();
  const gone = await failure(client.threads.get(id));
  assert.match(gone.message, /^HTTP 404: /);
  assert.ok(gone.message.includes(id));
  assert.match(JSON.parse(gone.text).detail, /./);
  const wrong = await failure(client.threads.search({ limit: 100_000 }));
  assert.equal(wrong.status, 422);
  assert.match(wrong.message, /`limit`/);
});

test("metadata is merged by an update", async () => {
  const thread = await client.threads.create({ metadata: { a: 1, b: { c: 2 } } });
  const updated = await client.threads.update(thread.thread_id, { metadata: { a: 3, d: "x" } });
  assert.deepEqual(updated.metadata, { a: 3, b: { c: 2 }, d: "x" });
});

test("the metadata of the state is that of the thread", async () => {
  const thread = await client.threads.create({ metadata: { one: 1 } });
  await client.threads.patchState(thread.thread_id, { two: 2 });
  const { metadata } = await client.threads.get(thread.thread_id);
  assert.equal(metadata.one, 1);
  assert.equal(metadata.two, 2);
});

test("a thread may have a time to live, which is shown on demand", async () => {
  const thread = await client.threads.create({ ttl: { ttl: 60, strategy: "delete" } });
  const plain = await client.threads.get(thread.thread_id);
  assert.equal(plain.ttl, undefined);
  const shown = await client.threads.get(thread.thread_id, { include: ["ttl"] });
  assert.equal(shown.ttl.strategy, "delete");
  assert.equal(shown.ttl.ttl_minutes, 60);
  assert.ok(Date.parse(shown.ttl.expires_at) > Date.now());
});

test("a deleted thread is gone", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  await client.threads.delete(thread.thread_id);
  assert.equal((await failure(client.threads.get(thread.thread_id))).status, 404);
});

test("threads are found by metadata, status, ids and values, in pages", async () => {
  const mark = randomUUID();
  const made = [];
  for (let i = 0; i < 5; i++) {
    made.push(await client.threads.create({ metadata: { mark, n: i, deep: { even: i % 2 === 0 } } }));
  }
  const found = await client.threads.search({ metadata: { mark } });
  assert.deepEqual(found.map((t) => t.metadata.n), [4, 3, 2, 1, 0]);
  const page = await client.threads.search({ metadata: { mark }, limit: 2, offset: 2 });
  assert.deepEqual(page.map((t) => t.metadata.n), [2, 1]);
  const sorted = await client.threads.search({
    metadata: { mark },
    sortBy: "created_at",
    sortOrder: "asc",
  });
  assert.deepEqual(sorted.map((t) => t.metadata.n), [0, 1, 2, 3, 4]);
  const even = await client.threads.search({ metadata: { mark, deep: { even: true } } });
  assert.equal(even.length, 3);
  assert.equal(await client.threads.count({ metadata: { mark } }), 5);
  const byId = await client.threads.search({ ids: [made[1].thread_id, made[3].thread_id] });
  assert.equal(byId.length, 2);
  await client.runs.wait(made[0].thread_id, "weather", { input: { city: "SF" } });
  const interrupted = await client.threads.search({ metadata: { mark }, status: "interrupted" });
  assert.deepEqual(interrupted.map((t) => t.thread_id), [made[0].thread_id]);
  const valued = await client.threads.search({ metadata: { mark }, values: { route: "weather" } });
  assert.deepEqual(valued.map((t) => t.thread_id), [made[0].thread_id]);
  const some = await client.threads.search({ metadata: { mark }, select: ["thread_id", "status"] });
  assert.deepEqual(Object.keys(some[0]).sort(), ["status", "thread_id"]);
});

test("a copy has the state and the history, and goes its own way", async () => {
  const thread = await client.threads.create({ metadata: { kind: "source" } });
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  const copy = await client.threads.copy(thread.thread_id);
  assert.notEqual(copy.thread_id, thread.thread_id);
  assert.equal(copy.metadata.kind, "source");
  const [mine, its] = await Promise.all(
    [thread, copy].map((t) => client.threads.getHistory(t.thread_id)),
  );
  assert.deepEqual(its.map((s) => s.values), mine.map((s) => s.values));
  await client.runs.wait(copy.thread_id, "agent", {
    input: { messages: [{ type: "human", content: "bar" }] },
  });
  assert.equal((await client.threads.getState(thread.thread_id)).values.messages.length, 4);
  assert.equal((await client.threads.getState(copy.thread_id)).values.messages.length, 8);
});

test("pruned threads are deleted, or keep their newest checkpoint", async () => {
  const [gone, kept] = [await client.threads.create(), await client.threads.create()];
  for (const t of [gone, kept]) await client.runs.wait(t.thread_id, "agent", { input: FOO });
  const first = await client.threads.prune([gone.thread_id], { strategy: "delete" });
  assert.equal(first.pruned_count, 1);
  assert.equal((await failure(client.threads.get(gone.thread_id))).status, 404);
  await client.threads.prune([kept.thread_id], { strategy: "keep_latest" });
  assert.equal((await client.threads.getHistory(kept.thread_id)).length, 1);
  assert.equal((await client.threads.getState(kept.thread_id)).values.messages.length, 4);
});

test("a thread without runs has an empty state", async () => {
  const thread = await client.threads.create();
  const state = await client.threads.getState(thread.thread_id);
  assert.deepEqual(state.values, {});
  assert.deepEqual(state.next, []);
  assert.deepEqual(state.tasks, []);
  assert.equal(state.checkpoint, null);
  assert.deepEqual(await client.threads.getHistory(thread.thread_id), []);
});

test("the history goes from the newest state to the input", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  const history = await client.threads.getHistory(thread.thread_id);
  assert.deepEqual(history.map((s) => s.metadata.step), [3, 2, 1, 0, -1]);
  assert.deepEqual(history.map((s) => s.next), [[], ["agent"], ["tool"], ["agent"], ["__start__"]]);
  for (let i = 0; i + 1 < history.length; i++) {
    assert.equal(
      history[i].parent_checkpoint.checkpoint_id,
      history[i + 1].checkpoint.checkpoint_id,
    );
    assert.ok(history[i].checkpoint.checkpoint_id > history[i + 1].checkpoint.checkpoint_id);
  }
  assert.equal(history.at(-1).parent_checkpoint, null);
  const middle = await client.threads.getState(thread.thread_id, history[2].checkpoint);
  assert.deepEqual(middle.values, history[2].values);
  const byId = await client.threads.getState(
    thread.thread_id,
    history[2].checkpoint.checkpoint_id,
  );
  assert.deepEqual(byId.next, ["tool"]);
  const before = await client.threads.getHistory(thread.thread_id, {
    before: history[1].checkpoint,
    limit: 2,
  });
  assert.deepEqual(before.map((s) => s.metadata.step), [1, 0]);
});

test("the history is found by the metadata of runs", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  await client.runs.wait(thread.thread_id, "agent", {
    input: { messages: [{ type: "human", content: "bar" }] },
    metadata: { run_metadata: "x" },
  });
  assert.equal((await client.threads.getHistory(thread.thread_id, { limit: 20 })).length, 10);
  const found = await client.threads.getHistory(thread.thread_id, {
    metadata: { run_metadata: "x" },
    limit: 20,
  });
  assert.equal(found.length, 5);
});

test("an edit of a finished thread is one more checkpoint", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  const { checkpoint } = await client.threads.updateState(thread.thread_id, {
    values: { messages: [{ type: "human", content: "edited", id: "m9" }] },
  });
  const state = await client.threads.getState(thread.thread_id);
  assert.equal(state.checkpoint.checkpoint_id, checkpoint.checkpoint_id);
  assert.equal(state.values.messages.at(-1).content, "edited");
  assert.equal((await client.threads.getHistory(thread.thread_id)).length, 6);
});

test("an edit as a node makes what follows it due", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: FOO });
  await client.threads.updateState(thread.thread_id, {
    values: { messages: [{ type: "human", content: "again" }] },
    asNode: "__start__",
  });
  assert.deepEqual((await client.threads.getState(thread.thread_id)).next, ["agent"]);
  const values = await client.runs.wait(thread.thread_id, "agent", { input: null });
  assert.equal(values.messages.at(-1).content, "end");
});

test("an edit of an interrupted thread leaves it interrupted", async () => {
  const thread = await client.threads.create();
  await client.runs.wait(thread.thread_id, "agent", { input: { ...FOO, interrupt: true } });
  const before = await client.threads.getState(thread.thread_id);
  await client.threads.updateState(thread.thread_id, { values: { interrupt: true } });
  const after = await client.threads.getState(thread.thread_id);
  assert.deepEqual(after.next, before.next);
  assert.equal((await client.threads.get(thread.thread_id)).status, "interrupted");
});

test("an edit during a run is refused", async () => {
  const thread = await client.threads.create();
  const run = await client.runs.create(thread.thread_id, "gated", { input: { gate: "edit" } });
  const error = await failure(
    client.threads.updateState(thread.thread_id, { values: { seen: ["x"] } }),
  );
  assert.equal(error.status, 409);
  await openGate("edit");
  await client.runs.join(thread.thread_id, run.run_id);
});

test("an edit of a thread without a graph is refused", async () => {
  const thread = await client.threads.create();
  const error = await failure(client.threads.updateState(thread.thread_id, { values: { a: 1 } }));
  assert.equal(error.status, 400);
});

test("a thread is made from supersteps", async () => {
  const thread = await client.threads.create({
    graphId: "agent",
    supersteps: [
      { updates: [{ values: FOO, asNode: "__start__" }] },
      {
        updates: [
          { values: { messages: [{ type: "ai", content: "given", id: "a1" }] }, asNode: "agent" },
        ],
      },
    ],
  });
  const state = await client.threads.getState(thread.thread_id);
  assert.deepEqual(state.values.messages.map((m) => m.content), ["foo", "given"]);
  assert.deepEqual(state.next, []);
});

test("a stream of a thread shows all of its runs", async () => {
  const thread = await client.threads.create();
  const gone = new AbortController();
  const seen = [];
  const reading = (async () => {
    try {
      const stream = client.threads.joinStream(thread.thread_id, { signal: gone.signal });
      for await (const event of stream) seen.push(event);
    } catch (error) {
      if (!gone.signal.aborted) throw error;
    }
  })();
  await until(async () => {
    await client.runs.wait(thread.thread_id, "agent", { input: FOO, streamMode: "values" });
    return seen.filter((event) => event.event === "metadata").length >= 2;
  }, "two runs are seen");
  gone.abort();
  await reading;
  assert.ok(seen.some((event) => event.event === "values"));
});

test("a state inside is read, edited and gone on with", async () => {
  const thread = await client.threads.create();
  const events = await all(
    client.runs.stream(thread.thread_id, "weather", {
      input: { city: "SF" },
      streamMode: "values",
    }),
  );
  assert.deepEqual(events.at(-1).data, { __interrupt__: [] });
  const state = await client.threads.getState(thread.thread_id);
  assert.deepEqual(state.next, ["weather_graph"]);
  const inside = state.tasks[0].checkpoint;
  assert.match(inside.checkpoint_ns, /^weather_graph:/);
  assert.equal(state.tasks[0].state, null);
  const whole = await client.threads.getState(thread.thread_id, undefined, { subgraphs: true });
  assert.equal(whole.tasks[0].checkpoint, null);
  assert.deepEqual(whole.tasks[0].state.next, ["weather_node"]);
  await client.threads.updateState(thread.thread_id, {
    values: { city: "LA" },
    checkpoint: whole.tasks[0].state.checkpoint,
  });
  const edited = await client.threads.getState(thread.thread_id, undefined, { subgraphs: true });
  assert.equal(edited.tasks[0].state.values.city, "LA");
  const values = await client.runs.wait(thread.thread_id, "weather", { input: null });
  assert.equal(values.city, "sunny LA");
});
