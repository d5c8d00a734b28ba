// The published client of A2A against a server of the desk fixture.
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { Role, StreamResponse, TaskState } from "@a2a-js/sdk";
import assert from "node:assert/strict";
import { test } from "node:test";
import { once } from "node:events";
import http from "node:http";
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

test("the binding of HTTP and JSON does the same", async () => {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    preferredTransports: ["HTTP+JSON"],
  });
  const desk = await new ClientFactory(options).createFromUrl(`${server}/a2a/desk/`);
  const task = await desk.sendMessage(said("pay 7"));
  assert.equal(task.status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
  const kinds = [];
  const approved = said("approve", { taskId: task.id, contextId: task.contextId });
  for await (const event of desk.sendMessageStream(approved)) kinds.push(event.payload.$case);
  assert.equal(kinds[0], "task");
  assert.deepEqual(kinds.slice(-2), ["artifactUpdate", "statusUpdate"]);
  const listed = await desk.listTasks({
    tenant: "", contextId: task.contextId, status: TaskState.TASK_STATE_COMPLETED, pageToken: "",
    pageSize: 1, statusTimestampAfter: undefined,
  });
  assert.deepEqual(listed.tasks.map((one) => one.id), [task.id]);
  await assert.rejects(desk.cancelTask({ tenant: "", id: task.id, metadata: undefined }), (error) =>
    /TaskNotCancelable/.test(error.name),
  );
});

test("webhooks of a task are kept, and hear of it", async () => {
  const calls = [];
  const receiver = http.createServer((request, reply) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      calls.push({ token: request.headers["x-a2a-notification-token"], body: JSON.parse(body) });
      reply.writeHead(204).end();
      receiver.emit("called");
    });
  });
  await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
  try {
    const desk = await connect("desk");
    const task = await desk.sendMessage(said("pay 9"));
    const called = once(receiver, "called");
    const made = await desk.createTaskPushNotificationConfig({
      tenant: "", id: "", taskId: task.id, token: "t-1", authentication: undefined,
      url: `http://127.0.0.1:${receiver.address().port}/hook`,
    });
    const read = await desk.getTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
    assert.equal(read.url, made.url);
    await called;
    assert.equal(calls[0].token, "t-1");
    const told = StreamResponse.fromJSON(calls[0].body).payload;
    assert.equal(told.$case, "task");
    assert.equal(told.value.status.state, TaskState.TASK_STATE_INPUT_REQUIRED);
    await desk.deleteTaskPushNotificationConfig({ tenant: "", taskId: task.id, id: made.id });
  } finally {
    receiver.close();
  }
});

test("what is not there is refused by name", async () => {
  const desk = await connect("desk");
  await assert.rejects(desk.getTask({ tenant: "", id: "none" }), (error) =>
    /TaskNotFound/.test(error.name),
  );
});
