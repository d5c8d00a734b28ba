// The published client of AG-UI against a server of the desk fixture.
import { HttpAgent } from "@ag-ui/client";
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUUID } from "node:crypto";

const server = process.env.SUPERSTEP_URL;

function agent(name, options = {}) {
  return new HttpAgent({ url: `${server}/agui/${name}`, threadId: randomUUID(), ...options });
}

function said(text) {
  return { id: randomUUID(), role: "user", content: text };
}

/** Runs once; the events, and the end of the run. */
async function run(one, input = {}) {
  const events = [];
  const result = await one.runAgent(input, { onEvent: ({ event }) => void events.push(event) });
  return { events, result, end: events.at(-1) };
}

test("a text arrives as a message", async () => {
  const desk = agent("desk", { initialMessages: [said("hello you")] });
  const { end } = await run(desk);
  assert.equal(end.type, "RUN_FINISHED");
  assert.equal(end.outcome.type, "success");
  assert.deepEqual(
    desk.messages.map((message) => [message.role, message.content]),
    [["user", "hello you"], ["assistant", "You said: hello you"]],
  );
});

test("a conversation goes on", async () => {
  const desk = agent("desk", { initialMessages: [said("one")] });
  await run(desk);
  desk.addMessage(said("two"));
  await run(desk);
  assert.deepEqual(
    desk.messages.map((message) => message.content),
    ["one", "You said: one", "two", "You said: two"],
  );
});

test("thoughts are events of reasoning", async () => {
  const desk = agent("desk", { initialMessages: [said("think twice")] });
  const { events } = await run(desk);
  const thought = events.find((event) => event.type === "REASONING_MESSAGE_CONTENT");
  assert.equal(thought.delta, "Hm, twice");
  assert.equal(desk.messages.at(-1).content, "Yes.");
});

test("a tool of the server is called and answers", async () => {
  const desk = agent("desk", { initialMessages: [said("find 7")] });
  await run(desk);
  const call = desk.messages.find((message) => message.toolCalls?.length > 0).toolCalls[0];
  assert.equal(call.function.name, "find");
  assert.deepEqual(JSON.parse(call.function.arguments), { number: "7" });
  const result = desk.messages.find((message) => message.role === "tool");
  assert.equal(result.toolCallId, call.id);
  assert.equal(result.content, "here 7");
  assert.equal(desk.messages.at(-1).content, "It is here 7.");
});

test("an approval is an interrupt, and its answer goes on", async () => {
  const desk = agent("desk", { initialMessages: [said("pay 7")] });
  const first = await run(desk);
  assert.equal(first.end.outcome.type, "interrupt");
  const [interrupt] = first.end.outcome.interrupts;
  assert.equal(interrupt.reason, "tool_call");
  const second = await run(desk, {
    resume: [{ interruptId: interrupt.id, status: "resolved", payload: { approved: true } }],
  });
  assert.equal(second.end.outcome.type, "success");
  assert.equal(desk.messages.at(-1).content, "It is paid 7.");
});

test("an edited call is the one that is made", async () => {
  const desk = agent("desk", { initialMessages: [said("pay 7")] });
  const [interrupt] = (await run(desk)).end.outcome.interrupts;
  await run(desk, {
    resume: [
      {
        interruptId: interrupt.id,
        status: "resolved",
        payload: { approved: true, editedArgs: { number: "8" } },
      },
    ],
  });
  assert.equal(desk.messages.at(-1).content, "It is paid 8.");
});

test("a tool of the front end is run here", async () => {
  const desk = agent("desk", { initialMessages: [said("chart Sales")] });
  const tools = [
    { name: "chart", description: "Shows a chart", parameters: { type: "object" } },
  ];
  const first = await run(desk, { tools });
  assert.equal(first.end.outcome.type, "success");
  const [pending] = first.end.outcome.pendingToolCallIds;
  const call = desk.messages.at(-1).toolCalls[0];
  assert.equal(call.id, pending);
  assert.deepEqual(JSON.parse(call.function.arguments), { title: "Sales", values: [1, 2] });
  desk.addMessage({ id: randomUUID(), role: "tool", toolCallId: call.id, content: "shown" });
  await run(desk, { tools });
  assert.equal(desk.messages.at(-1).content, "It is shown.");
});

test("state is kept by snapshots and patches", async () => {
  const writer = agent("writer", { initialMessages: [said("write")], initialState: { document: "Intro. " } });
  const first = await run(writer);
  assert.equal(writer.state.document, "Intro. Once.");
  assert.deepEqual(writer.state.notes, ["drafted"]);
  assert.equal(writer.state.secret, undefined);
  const [interrupt] = first.end.outcome.interrupts;
  await run(writer, { resume: [{ interruptId: interrupt.id, status: "resolved", payload: "Tale" }] });
  assert.equal(writer.state.document, "Tale: Intro. Once.");
  assert.deepEqual(writer.state.notes, ["drafted", "titled"]);
});

test("a refusal reaches the program", async () => {
  const none = agent("nobody", { initialMessages: [said("hello")] });
  await assert.rejects(run(none), /404/);
});

test("an agent that is a tool is a subagent", async () => {
  const lead = agent("lead", { initialMessages: [said("find 7")] });
  const { events, end } = await run(lead);
  assert.equal(end.outcome.type, "success");
  const started = events.filter((event) => event.type === "SUBAGENT_STARTED");
  assert.deepEqual(started.map((event) => [event.name, event.parentToolCallId]), [["helper", "help-1"]]);
  assert.ok(events.some((event) => event.type === "SUBAGENT_FINISHED"));
  const office = agent("office", { initialMessages: [said("find 7")] });
  await run(office);
  const told = office.messages.at(-1);
  assert.match(told.subagentRunId, /^desk:/);
  office.addMessage(said("hello"));
  await run(office);
  assert.equal(office.messages.at(-1).content, "You said: hello");
});

test("a subagent that asks is suspended, and goes on", async () => {
  const lead = agent("lead", { initialMessages: [said("pay 8")] });
  const first = await run(lead);
  assert.equal(first.end.outcome.type, "interrupt");
  const suspended = first.events.find((event) => event.type === "SUBAGENT_FINISHED");
  assert.equal(suspended.outcome.type, "suspended");
  const resume = first.end.outcome.interrupts.map((one) => ({
    interruptId: one.id, status: "resolved", payload: { approved: true },
  }));
  const second = await run(lead, { resume });
  assert.equal(second.end.outcome.type, "success");
});
