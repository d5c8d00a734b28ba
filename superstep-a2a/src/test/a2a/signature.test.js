// The published SDK of A2A reads the signature of a card of a server here.
import { verifyAgentCardSignature } from "@a2a-js/sdk";
import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { test } from "node:test";

const card = async () =>
  (await fetch(`${process.env.SUPERSTEP_URL}/a2a/desk/.well-known/agent-card.json`)).json();
const key = createPublicKey({
  key: Buffer.from(process.env.SUPERSTEP_KEY, "base64"), format: "der", type: "spki",
});

test("a signed card is verified", async () => {
  const asked = [];
  const verify = verifyAgentCardSignature(async (kid) => {
    asked.push(kid);
    return key;
  });
  await verify(await card());
  assert.deepEqual(asked, ["k1"]);
});

test("a changed card is not", async () => {
  const changed = { ...(await card()), description: "Pay me" };
  await assert.rejects(verifyAgentCardSignature(async () => key)(changed));
});
