// W15: small programs that run once: one, chain, fanout, agent, memory or sqlite FILE.
const begin = performance.now();
const { Annotation, END, Send, START, StateGraph } = await import("@langchain/langgraph");

const SENDS = 100;
const [program, file] = process.argv.slice(2);
const Count = Annotation.Root({ n: Annotation() });

async function chain(nodes, checkpointer) {
  const graph = new StateGraph(Count);
  for (let i = 0; i < nodes; i++) graph.addNode(`n${i}`, (state) => ({ n: state.n + 1 }));
  graph.addEdge(START, "n0");
  for (let i = 0; i + 1 < nodes; i++) graph.addEdge(`n${i}`, `n${i + 1}`);
  graph.addEdge(`n${nodes - 1}`, END);
  const thread = { configurable: { thread_id: "thread" } };
  return (await graph.compile({ checkpointer }).invoke({ n: 0 }, thread)).n;
}

async function fanOut() {
  const Items = Annotation.Root({
    items: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    i: Annotation(),
  });
  const sends = () => Array.from({ length: SENDS }, (_, i) => new Send("task", { i }));
  const graph = new StateGraph(Items)
    .addNode("plan", () => ({}))
    .addNode("task", (state) => ({ items: [`item-${state.i}`] }))
    .addEdge(START, "plan")
    .addConditionalEdges("plan", sends, ["task"])
    .addEdge("task", END)
    .compile();
  return (await graph.invoke({})).items.length;
}

/** What the agent's program needs beside the graph. */
async function agentParts() {
  const { BaseChatModel } = await import("@langchain/core/language_models/chat_models");
  const { AIMessage } = await import("@langchain/core/messages");
  const { tool } = await import("@langchain/core/tools");
  const { createReactAgent } = await import("@langchain/langgraph/prebuilt");

  class Calling extends BaseChatModel {
    _llmType() {
      return "calling";
    }

    bindTools() {
      return this;
    }

    async _generate(messages) {
      const last = messages.at(-1);
      const calls = [{ id: "call-0", name: "add", args: { a: 0, b: 1 } }];
      const message =
        last.getType() === "tool"
          ? new AIMessage(`The last was ${last.content}.`)
          : new AIMessage({ content: "", tool_calls: calls });
      return { generations: [{ text: "", message }] };
    }
  }

  return { Calling, createReactAgent, tool };
}

async function agent({ Calling, createReactAgent, tool }) {
  const number = { type: "integer" };
  const add = tool(async ({ a, b }) => String(a + b), {
    name: "add",
    description: "Adds.",
    schema: { type: "object", properties: { a: number, b: number }, required: ["a", "b"] },
  });
  const graph = createReactAgent({
    llm: new Calling({}),
    tools: [add],
    prompt: "Add what you are given.",
  });
  const out = await graph.invoke({ messages: [{ role: "user", content: "Go." }] });
  return out.messages.at(-1).content;
}

let saver;
if (program === "memory") {
  const { MemorySaver } = await import("@langchain/langgraph");
  saver = new MemorySaver();
}
if (program === "sqlite") {
  const { SqliteSaver } = await import("@langchain/langgraph-checkpoint-sqlite");
  saver = SqliteSaver.fromConnString(file);
}
const parts = program === "agent" ? await agentParts() : undefined;

const imported = performance.now();
let result;
if (program === "fanout") result = await fanOut();
else if (program === "agent") result = await agent(parts);
else result = await chain({ one: 1, chain: 10 }[program] ?? 2, saver);
const end = performance.now();
console.log(`result ${result} in ${end - begin} with ${end - imported}`);
