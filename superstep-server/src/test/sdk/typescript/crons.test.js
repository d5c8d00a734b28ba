import assert from "node:assert/strict";
import { test } from "node:test";
import { randomUUID } from "node:crypto";
import { client, failure, FOO } from "./server.js";

test("plans of runs are made, changed, found, counted and deleted", async () => {
  const mark = randomUUID();
  const cron = await client.crons.create("agent", {
    schedule: "0 8 * * 1",
    timezone: "Europe/Berlin",
    input: FOO,
    metadata: { mark },
    onRunCompleted: "keep",
    endTime: "2999-01-01T00:00:00Z",
  });
  assert.equal(cron.schedule, "0 8 * * 1");
  assert.equal(cron.timezone, "Europe/Berlin");
  assert.equal(cron.on_run_completed, "keep");
  assert.equal(cron.enabled, true);
  assert.ok(Date.parse(cron.next_run_date) > Date.now());

  const thread = await client.threads.create();
  const other = await client.crons.createForThread(thread.thread_id, "agent", {
    schedule: "@daily",
    input: FOO,
    metadata: { mark },
  });
  assert.equal(other.thread_id, thread.thread_id);

  const found = await client.crons.search({ metadata: { mark } });
  assert.deepEqual(found.map((c) => c.cron_id).sort(), [cron.cron_id, other.cron_id].sort());
  const ofThread = await client.crons.search({ threadId: thread.thread_id });
  assert.deepEqual(ofThread.map((c) => c.cron_id), [other.cron_id]);
  assert.equal(await client.crons.count({ metadata: { mark } }), 2);

  const changed = await client.crons.update(cron.cron_id, {
    schedule: "30 9 * * *",
    endTime: null,
    enabled: false,
  });
  assert.equal(changed.schedule, "30 9 * * *");
  assert.equal(changed.end_time, null);
  assert.equal(changed.enabled, false);
  assert.equal(changed.next_run_date, null);
  const disabled = await client.crons.search({ metadata: { mark }, enabled: false });
  assert.deepEqual(disabled.map((c) => c.cron_id), [cron.cron_id]);

  for (const one of [cron, other]) await client.crons.delete(one.cron_id);
  assert.equal(await client.crons.count({ metadata: { mark } }), 0);
  assert.equal((await failure(client.crons.delete(cron.cron_id))).status, 404);
});

test("a plan that cannot be met is refused with the reason", async () => {
  const wrong = [
    { schedule: "99 * * * *" },
    { schedule: "0 0 31 2 *" },
    { schedule: "@daily", timezone: "Moon/Sea" },
  ];
  for (const payload of wrong) {
    const error = await failure(client.crons.create("agent", { input: FOO, ...payload }));
    assert.equal(error.status, 422, JSON.stringify(payload));
  }
  const nobody = await failure(client.crons.create("nobody", { schedule: "@daily", input: FOO }));
  assert.equal(nobody.status, 404);
});
