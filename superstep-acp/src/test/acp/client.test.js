// The published client of ACP with an agent that it starts as a child process.
import * as acp from "@agentclientprotocol/sdk";
import * as earlier from "acp-earlier";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { test } from "node:test";

const [command, ...words] = JSON.parse(process.env.SUPERSTEP_COMMAND);
const call = (tool, given) => `call ${tool} ${JSON.stringify(given)}`;

/** Starts an agent on a folder, and runs an editor with it until its work is done. */
async function editor(folder, parts, work) {
  const child = spawn(command, [...words, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const updates = [];
  const app = acp
    .client({ name: "editor" })
    .onNotification("session/update", (ctx) => {
      updates.push(ctx.params.update);
    })
    .onRequest("session/request_permission", (ctx) => parts.decide(ctx.params))
    .onRequest("elicitation/create", (ctx) => parts.fill(ctx.params))
    .onRequest("fs/read_text_file", (ctx) => ({ content: parts.files.get(ctx.params.path) ?? "" }))
    .onRequest("fs/write_text_file", (ctx) => {
      parts.files.set(ctx.params.path, ctx.params.content);
      return {};
    });
  const stream = acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));
  try {
    return await app.connectWith(stream, async (ctx) => {
      const greeting = await ctx.request("initialize", {
        protocolVersion: acp.PROTOCOL_VERSION,
        clientCapabilities: {
          fs: { readTextFile: true, writeTextFile: true },
          elicitation: parts.fill ? { form: {} } : null,
        },
      });
      return work(ctx, updates, greeting, child);
    });
  } finally {
    child.kill("SIGKILL");
  }
}

const fresh = () => mkdtempSync(join(tmpdir(), "acp-"));
const start = async (ctx, cwd) =>
  (await ctx.request("session/new", { cwd, mcpServers: [] })).sessionId;
const say = (ctx, sessionId, text) =>
  ctx.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
const chosen = (id) => ({ outcome: { outcome: "selected", optionId: id } });
const spoken = (updates) =>
  updates
    .filter((one) => one.sessionUpdate === "agent_message_chunk")
    .map((one) => one.content.text)
    .join("");
const none = { decide: () => assert.fail("nothing is to be asked"), files: new Map() };

test("an agent says what it can do and answers", async () => {
  const folder = fresh();
  await editor(folder, none, async (ctx, updates, greeting) => {
    assert.equal(greeting.protocolVersion, 1);
    assert.equal(greeting.agentCapabilities.loadSession, true);
    const session = await start(ctx, folder);
    assert.equal((await say(ctx, session, "hello")).stopReason, "end_turn");
    assert.equal(spoken(updates), "You said: hello");
  });
});

test("a tool runs once it is allowed", async () => {
  const folder = fresh();
  const asked = [];
  const decide = (params) => {
    asked.push(params);
    return chosen("approve");
  };
  await editor(folder, { decide, files: new Map() }, async (ctx, updates) => {
    const session = await start(ctx, folder);
    const end = await say(ctx, session, call("deploy", { place: "x" }));
    assert.equal(end.stopReason, "end_turn");
    assert.equal(asked.length, 1);
    assert.equal(asked[0].toolCall.toolCallId, "c1");
    assert.deepEqual(
      updates.filter((one) => one.toolCallId === "c1").map((one) => one.status),
      ["pending", "in_progress", "completed"],
    );
  });
  assert.equal(readFileSync(join(folder, "effects"), "utf8").trim().split("\n").length, 1);
});

test("files are read and written by the editor", async () => {
  const folder = fresh();
  const file = join(folder, "a.txt");
  const files = new Map([[file, "not saved yet"]]);
  await editor(folder, { ...none, files }, async (ctx, updates) => {
    const session = await start(ctx, folder);
    await say(ctx, session, call("read_file", { path: "a.txt" }));
    const digest = spoken(updates).match(/digest ([0-9a-f]+)/)[1];
    const edit = { path: "a.txt", digest, old: "not", replacement: "now" };
    await say(ctx, session, call("edit_file", edit));
    const diff = updates.find((one) => one.kind === "edit").content[0];
    assert.deepEqual([diff.path, diff.oldText, diff.newText], [file, "not", "now"]);
  });
  assert.equal(files.get(file), "now saved yet");
  assert.equal(existsSync(file), false);
});

test("a question is a form", async () => {
  const folder = fresh();
  const fill = (params) => {
    assert.deepEqual(params.requestedSchema.required, ["name"]);
    return { action: "accept", content: { name: "Ada", age: 36 } };
  };
  await editor(folder, { ...none, fill }, async (ctx, updates) => {
    const session = await start(ctx, folder);
    assert.equal((await say(ctx, session, call("person", {}))).stopReason, "end_turn");
    assert.equal(spoken(updates), "It says: Person[name=Ada, age=Optional[36]]");
  });
});

test("a prompt is cancelled while a permission is asked", async () => {
  const folder = fresh();
  let asked;
  const question = new Promise((done) => (asked = done));
  const decide = () => {
    asked();
    return new Promise(() => {});
  };
  await editor(folder, { decide, files: new Map() }, async (ctx) => {
    const sessionId = await start(ctx, folder);
    const prompt = say(ctx, sessionId, call("deploy", { place: "x" }));
    await question;
    await ctx.notify("session/cancel", { sessionId });
    assert.equal((await prompt).stopReason, "cancelled");
  });
  assert.equal(existsSync(join(folder, "effects")), false);
});

test("a killed agent is started again, and its session asks again", async () => {
  const folder = fresh();
  let asked;
  const question = new Promise((done) => (asked = done));
  const waiting = {
    decide: () => {
      asked();
      return new Promise(() => {});
    },
    files: new Map(),
  };
  let sessionId;
  const first = editor(folder, waiting, async (ctx, _, __, child) => {
    sessionId = await start(ctx, folder);
    say(ctx, sessionId, call("deploy", { place: "x" })).catch(() => {});
    await question;
    const ended = new Promise((done) => child.on("exit", done));
    child.kill("SIGKILL");
    await ended;
  });
  // The connection is gone with the process.
  await first.catch(() => {});
  const allowing = { decide: () => chosen("approve"), files: new Map() };
  await editor(folder, allowing, async (ctx, updates) => {
    const list = await ctx.request("session/list", { cwd: folder });
    assert.equal(list.sessions[0].sessionId, sessionId);
    await ctx.request("session/load", { sessionId, cwd: folder, mcpServers: [] });
    assert.equal((await say(ctx, sessionId, "and?")).stopReason, "end_turn");
    assert.equal(spoken(updates), "It says: deployed to xYou said: and?");
    await ctx.request("session/close", { sessionId });
    await ctx.request("session/delete", { sessionId });
    const rest = await ctx.request("session/list", {});
    assert.equal(rest.sessions.length, 0);
  });
  assert.equal(readFileSync(join(folder, "effects"), "utf8").trim().split("\n").length, 1);
});

test("an editor with an earlier SDK works, too", async () => {
  const folder = fresh();
  const child = spawn(command, [...words, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const updates = [];
  const handlers = {
    sessionUpdate: async (params) => updates.push(params.update),
    requestPermission: async () => chosen("reject"),
  };
  const stream = earlier.ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout),
  );
  try {
    const agent = new earlier.ClientSideConnection(() => handlers, stream);
    await agent.initialize({ protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.newSession({ cwd: folder, mcpServers: [] });
    const text = call("deploy", { place: "x" });
    const end = await agent.prompt({ sessionId, prompt: [{ type: "text", text }] });
    assert.equal(end.stopReason, "end_turn");
    assert.match(spoken(updates), /rejected/);
    await agent.loadSession({ sessionId, cwd: folder, mcpServers: [] });
    assert.equal(updates.filter((one) => one.sessionUpdate === "user_message_chunk").length, 1);
  } finally {
    child.kill("SIGKILL");
  }
  assert.equal(existsSync(join(folder, "effects")), false);
});
