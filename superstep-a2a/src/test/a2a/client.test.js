// The published client of A2A against a server of the desk fixture.
import { ClientFactory } from "@a2a-js/sdk/client";
import { Role, TaskState } from "@a2a-js/sdk";
import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUUID } from "node:crypto";

const server = process.env.SUPERSTEP_URL;
const connect = (agent) => new ClientFactory().createFromUrl(`${server}/a2a/${agent}/`);

function said(text, more = {}) {
  return {
    tenant: "",
    metadata: undefined,
    configuration: undefined,
    message: {
      messageId: randomUUID(),
      contextId: "",
      taskId: "",
      role: Role.ROLE_USER,
      parts: [
        { content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "" },
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
  };
}

const answer = (task) => task.artifacts.map((one) => one.parts[0].content.value).join("\n");

test("the card leads to the agent, which answers", async () => {
  const desk = await connect("desk");
  const task = await desk.sendMessage(said("find 7"));
  assert.equal(task.status.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal(answer(task), "It is here 7.");
  const again = await desk.getTask({ tenant: "", id: task.id });
  assert.equal(answer(again), "It is here 7.");
});

test("a question is answered in the same task", async () => {
  const desk = await connect("desk");
  const task = await desk.sendMessage(said("pay 7"));
  assert.equal(task.status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  const done = await desk.sendMessage(said("approve", { taskId: task.id, contextId: task.contextId }));
  assert.equal(done.id, task.id);
  assert.equal(done.status.state, TaskState.TASK_STATE_COMPLETED);
  assert.equal(answer(done), "It is paid 7.");
});

test("a stream tells of a task", async () => {
  const desk = await connect("desk");
  const kinds = [];
  for await (const event of desk.sendMessageStream(said("find 7"))) kinds.push(event.payload.$case);
  assert.equal(kinds[0], "task");
  assert.deepEqual(kinds.slice(-2), ["artifactUpdate", "statusUpdate"]);
});

test("tasks are listed and cancelled", async () => {
  const desk = await connect("desk");
  const task = await desk.sendMessage(said("pay 8"));
  const listed = await desk.listTasks({
    tenant: "",
    contextId: task.contextId,
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: "",
    statusTimestampAfter: undefined,
  });
  assert.deepEqual(listed.tasks.map((one) => one.id), [task.id]);
  const cancelled = await desk.cancelTask({ tenant: "", id: task.id, metadata: undefined });
  assert.equal(cancelled.status.state, TaskState.TASK_STATE_CANCELED);
});

test("what is not there is refused by name", async () => {
  const desk = await connect("desk");
  await assert.rejects(desk.getTask({ tenant: "", id: "none" }), (error) =>
    /TaskNotFound/.test(error.name),
  );
});
