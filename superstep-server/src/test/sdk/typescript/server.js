// What the tests share: the client of the server under test, and small helpers.
import { Client } from "@langchain/langgraph-sdk";

export const client = new Client({ apiUrl: process.env.SUPERSTEP_URL });

export const FOO = { messages: [{ type: "human", content: "foo", id: "m1" }] };

/** All events of a stream. */
export async function all(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** The names of events. */
export const names = (events) => events.map((event) => event.event);

/** Waits until something holds, and fails after some time. */
export async function until(holds, what) {
  const end = Date.now() + 30_000;
  for (;;) {
    const value = await holds();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timed out: ${what}`);
    await new Promise((go) => setTimeout(go, 20));
  }
}

/** Lets the runs that wait at a gate go on. */
export const openGate = (name) => client.store.putItem(["gates"], name, { open: true });

/** The status of a failed request. */
export async function failure(work) {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error("the request did not fail");
}
