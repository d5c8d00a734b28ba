import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUUID } from "node:crypto";
import { client, failure } from "./server.js";

test("each graph has an assistant of its own", async () => {
  const assistants = await client.assistants.search({ graphId: "agent" });
  const own = assistants.find((a) => a.metadata.created_by === "system");
  assert.equal(own.assistant_id, "fe096781-5601-53d2-b2f6-0d3403f7e9ca");
  assert.equal(own.graph_id, "agent");
  assert.equal(own.name, "agent");
  assert.equal((await client.assistants.get("agent")).assistant_id, own.assistant_id);
});

test("assistants are made, changed in versions, set back and deleted", async () => {
  const made = await client.assistants.create({
    graphId: "agent",
    name: "desk",
    metadata: { team: "a" },
    config: { configurable: { user: "one" } },
    description: "first",
  });
  assert.equal(made.version, 1);
  const changed = await client.assistants.update(made.assistant_id, {
    graphId: "agent",
    name: "desk 2",
    metadata: { more: true },
    config: { configurable: { user: "two" } },
  });
  assert.equal(changed.version, 2);
  assert.deepEqual(changed.metadata, { team: "a", more: true });
  const versions = await client.assistants.getVersions(made.assistant_id);
  assert.deepEqual(versions.map((v) => v.version), [2, 1]);
  const back = await client.assistants.setLatest(made.assistant_id, 1);
  assert.equal(back.config.configurable.user, "one");
  const again = await client.assistants.update(made.assistant_id, { graphId: "agent", name: "x" });
  assert.equal(again.version, 3);
  await client.assistants.delete(made.assistant_id);
  assert.equal((await failure(client.assistants.get(made.assistant_id))).status, 404);
  const same = await failure(client.assistants.delete("agent"));
  assert.equal(same.status, 409);
});

test("an assistant's id that exists is refused unless the client says otherwise", async () => {
  const assistantId = randomUUID();
  await client.assistants.create({ graphId: "agent", assistantId });
  const error = await failure(client.assistants.create({ graphId: "agent", assistantId }));
  assert.equal(error.status, 409);
  const known = await client.assistants.create({
    graphId: "agent",
    assistantId,
    ifExists: "do_nothing",
  });
  assert.equal(known.assistant_id, assistantId);
});

test("assistants are found by name, graph and metadata, and counted", async () => {
  const mark = randomUUID();
  for (const name of ["Alpha desk", "Beta desk", "Gamma"]) {
    await client.assistants.create({ graphId: "weather", name, metadata: { mark } });
  }
  const found = await client.assistants.search({
    metadata: { mark },
    name: "desk",
    sortBy: "name",
    sortOrder: "asc",
  });
  assert.deepEqual(found.map((a) => a.name), ["Alpha desk", "Beta desk"]);
  assert.equal(await client.assistants.count({ metadata: { mark } }), 3);
  const page = await client.assistants.search({
    metadata: { mark },
    limit: 2,
    includePagination: true,
  });
  assert.equal(page.assistants.length, 2);
  assert.equal(page.next, "2");
});

test("the graph, the schemas and the graphs inside of an assistant", async () => {
  const graph = await client.assistants.getGraph("agent");
  assert.deepEqual(graph.nodes.map((node) => node.id).sort(), [
    "__end__",
    "__start__",
    "agent",
    "tool",
  ]);
  assert.ok(graph.edges.some((edge) => edge.source === "agent" && edge.conditional));
  const schemas = await client.assistants.getSchemas("agent");
  assert.equal(schemas.graph_id, "agent");
  assert.ok(schemas.input_schema.properties.messages);
  assert.ok(schemas.state_schema.properties.messages);
  const inside = await client.assistants.getSubgraphs("weather");
  assert.deepEqual(Object.keys(inside), ["weather_graph"]);
  const named = await client.assistants.getSubgraphs("weather", { namespace: "weather_graph" });
  assert.ok(named.weather_graph.state_schema.properties.city);
});

test("items are put, read, found and deleted", async () => {
  const space = ["users", randomUUID()];
  await client.store.putItem(space, "tea", { text: "likes tea", stars: 5 });
  await client.store.putItem(space, "milk", { text: "no milk", stars: 2 });
  const item = await client.store.getItem(space, "tea");
  assert.deepEqual(item.value, { text: "likes tea", stars: 5 });
  assert.deepEqual(item.namespace, space);
  assert.ok(item.createdAt);
  const found = await client.store.searchItems(space, { filter: { stars: { $gte: 3 } } });
  assert.deepEqual(found.items.map((i) => i.key), ["tea"]);
  const equal = await client.store.searchItems(space, { filter: { stars: 2 }, limit: 5 });
  assert.deepEqual(equal.items.map((i) => i.key), ["milk"]);
  const spaces = await client.store.listNamespaces({ prefix: ["users"], maxDepth: 2 });
  assert.ok(spaces.namespaces.some((s) => s[1] === space[1]));
  await client.store.deleteItem(space, "tea");
  assert.equal((await failure(client.store.getItem(space, "tea"))).status, 404);
});

test("the server says what it is", async () => {
  const info = await (await fetch(`${process.env.SUPERSTEP_URL}/info`)).json();
  assert.match(info.version, /^[0-9]+[.][0-9]+/);
  assert.equal(info.flags.assistants, true);
  const ok = await (await fetch(`${process.env.SUPERSTEP_URL}/ok`)).json();
  assert.deepEqual(ok, { ok: true });
});
