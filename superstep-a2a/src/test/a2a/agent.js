// An agent by the published SDK of A2A: repeats what it is told, and asks first if it is told to.
import express from "express";
import { AGENT_CARD_PATH, generateAgentCardSignature, Role, TaskState } from "@a2a-js/sdk";
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from "@a2a-js/sdk/server";
import { agentCardHandler, jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import { generateKeyPairSync, randomUUID } from "node:crypto";

const text = (value) => [
  { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: "text/plain" },
];
const begun = [];

class Repeater {
  cancelTask = async (id, bus) => {
    bus.publish(AgentEvent.statusUpdate(update(id, this.context, TaskState.TASK_STATE_CANCELED)));
    bus.finished();
  };

  async execute(request, bus) {
    const { taskId, contextId, userMessage, task } = request;
    this.context = contextId;
    const said = userMessage.parts[0].content.value;
    if (!task) begun.push(said);
    bus.publish(
      AgentEvent.task(
        task ?? {
          id: taskId,
          contextId,
          status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now() },
          artifacts: [],
          history: [userMessage],
          metadata: undefined,
        },
      ),
    );
    if (said.startsWith("ask") && !task) {
      bus.publish(
        AgentEvent.statusUpdate(
          update(taskId, contextId, TaskState.TASK_STATE_INPUT_REQUIRED, "Which colour?"),
        ),
      );
    } else {
      const artifact = {
        artifactId: "answer", name: "answer", description: "", parts: text(`Heard: ${said}`),
        metadata: undefined, extensions: [],
      };
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined,
        }),
      );
      bus.publish(AgentEvent.statusUpdate(update(taskId, contextId, TaskState.TASK_STATE_COMPLETED)));
    }
    bus.finished();
  }
}

const now = () => new Date().toISOString();

function update(taskId, contextId, state, said) {
  const message = said && {
    messageId: randomUUID(), taskId, contextId, role: Role.ROLE_AGENT, parts: text(said),
    metadata: undefined, extensions: [], referenceTaskIds: [],
  };
  return { taskId, contextId, status: { state, message, timestamp: now() }, metadata: undefined };
}

const app = express();
const listening = app.listen(0, "127.0.0.1", () => {
  const url = `http://127.0.0.1:${listening.address().port}`;
  const card = {
    name: "repeater", description: "Repeats", version: "1.0.0", provider: undefined,
    supportedInterfaces: [
      { url: `${url}/rpc`, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" },
    ],
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    securitySchemes: {}, securityRequirements: [], signatures: [],
    defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"],
    skills: [{ id: "repeat", name: "repeat", description: "Repeats", tags: [], examples: [],
      inputModes: [], outputModes: [], securityRequirements: [] }],
  };
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const header = { alg: "ES256", kid: "repeater-1", typ: "JOSE" };
  const handler = new DefaultRequestHandler(
    card, new InMemoryTaskStore(), new Repeater(), undefined, undefined, undefined, undefined,
    generateAgentCardSignature(privateKey, header),
  );
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: "repeater-1" };
  app.get("/jwks", (_, reply) => void reply.json({ keys: [jwk] }));
  app.use(`/${AGENT_CARD_PATH}`, agentCardHandler({ agentCardProvider: handler }));
  app.use("/rpc", jsonRpcHandler({ requestHandler: handler, userBuilder: UserBuilder.noAuthentication }));
  app.get("/begun", (_, reply) => void reply.json(begun));
  console.log(url);
});
