// What the tests of the event-streaming protocol share.
import { randomUUID } from "node:crypto";
import { client } from "./server.js";

const URL = process.env.SUPERSTEP_URL;

/** Sends a command as it is, and returns the reply with its status. */
export async function send(thread, body) {
  const response = await fetch(`${URL}/threads/${thread}/commands`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, ...(await response.json()) };
}

/** The result of a command. */
export async function result(thread, method, params) {
  const reply = await send(thread, { id: 1, method, params });
  if (reply.type !== "success") throw new Error(JSON.stringify(reply));
  return reply.result;
}

/** The code of a command that is refused. */
export async function refusal(thread, method, params) {
  const reply = await send(thread, { id: 1, method, params });
  if (reply.type !== "error") throw new Error(`${method} was not refused`);
  return reply.error;
}

export const EVERYTHING = [
  "values", "updates", "messages", "tools", "lifecycle", "input", "checkpoints", "tasks", "custom",
];

/** Opens a stream of events; `next()` reads one, `until(holds)` all up to one for which that holds. */
export async function open(thread, filter = { channels: EVERYTHING }) {
  const abort = new AbortController();
  const response = await fetch(`${URL}/threads/${thread}/stream/events`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream" },
    body: JSON.stringify(filter),
    signal: abort.signal,
  });
  if (!response.ok) throw Object.assign(new Error(await response.text()), { status: response.status });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const frame = async () => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const lines = text.slice(0, end).split("\n");
        text = text.slice(end + 2);
        if (lines[0].startsWith(":")) continue;
        return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      }
      const { done, value } = await reader.read();
      if (done) throw new Error("the stream has ended");
      text += value;
    }
  };
  const next = async () => {
    const { id, event, data } = await frame();
    const json = JSON.parse(data);
    if (json.event_id !== id || json.method !== event) throw new Error(`${id} ${event}: ${data}`);
    return json;
  };
  return {
    next,
    async until(holds) {
      const all = [];
      for (;;) {
        const event = await next();
        all.push(event);
        if (holds(event)) return all;
      }
    },
    close: () => abort.abort(),
  };
}

/** Whether a run has ended with an event. */
export const isEnd = (event) =>
  event.method === "lifecycle" &&
  event.params.namespace.length === 0 &&
  event.params.data.event !== "running";

/** A new thread and all events of a run on it. */
export async function ran(assistant, input, filter) {
  const thread = randomUUID();
  const { run_id: run } = await result(thread, "run.start", { assistant_id: assistant, input });
  const stream = await open(thread, filter);
  const events = await stream.until(isEnd);
  stream.close();
  return { thread, run, events };
}

export const lifecycle = (events) =>
  events
    .filter((event) => event.method === "lifecycle")
    .map((event) => [...event.params.namespace.map((s) => s.split(":")[0]), event.params.data.event].join(" "));

export const of = (events, method) => events.filter((event) => event.method === method).map((e) => e.params.data);

export const threadStream = (assistantId, options = {}) => client.threads.stream({ assistantId, ...options });
