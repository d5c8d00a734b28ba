// The names of the neutral Agent Protocol, for which there is no client.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FOO } from "./server.js";

async function call(method, path, body) {
  const response = await fetch(process.env.SUPERSTEP_URL + path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? undefined : parsed(text) };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

test("agents are found and described", async () => {
  const agents = await call("POST", "/agents/search", { limit: 100 });
  assert.ok(agents.body.some((agent) => agent.agent_id === "weather"));
  const agent = await call("GET", "/agents/agent");
  assert.equal(agent.body.agent_id, "agent");
  assert.equal(agent.body.name, "agent");
  const schemas = await call("GET", "/agents/agent/schemas");
  assert.ok(schemas.body.input_schema.properties.messages);
  assert.equal((await call("GET", "/agents/nobody")).status, 404);
});

test("runs name their thread in the body, and are found by their own id", async () => {
  const thread = (await call("POST", "/threads", {})).body.thread_id;
  const made = await call("POST", "/runs", { thread_id: thread, agent_id: "agent", input: FOO });
  const run = made.body.run_id;
  const values = await call("GET", `/runs/${run}/wait`);
  assert.deepEqual(values.body.messages.length, 4);
  assert.equal((await call("GET", `/runs/${run}`)).body.status, "success");
  const stream = await call("GET", `/runs/${run}/stream`);
  assert.equal(stream.status, 200);
  const found = await call("POST", "/runs/search", { thread_id: thread });
  assert.deepEqual(found.body.map((one) => one.run_id), [run]);
  const waited = await call("POST", "/runs/wait", {
    thread_id: thread,
    agent_id: "agent",
    input: { messages: [{ role: "user", content: "again" }] },
  });
  assert.equal(waited.body.messages.length, 8);
  assert.equal((await call("DELETE", `/runs/${run}`)).status, 204);
  assert.equal((await call("GET", `/runs/${run}`)).status, 404);
});

test("a run at work is cancelled by its own id", async () => {
  const thread = (await call("POST", "/threads", {})).body.thread_id;
  const made = await call("POST", "/runs", {
    thread_id: thread,
    agent_id: "gated",
    input: { gate: "never" },
  });
  const path = `/runs/${made.body.run_id}`;
  assert.equal((await call("POST", `${path}/cancel?wait=1`)).status, 204);
  assert.equal((await call("GET", path)).body.status, "interrupted");
});
