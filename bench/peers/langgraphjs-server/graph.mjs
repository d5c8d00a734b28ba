// The graph that `superstep bench --served` lets LangGraph.js's development server run.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({
  items: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
  delay: Annotation(),
});

async function first(state) {
  if (state.delay) await new Promise((resolve) => setTimeout(resolve, state.delay));
  return { items: ["first"] };
}

async function second() {
  return { items: ["second"] };
}

export const graph = new StateGraph(State)
  .addNode("first", first)
  .addNode("second", second)
  .addEdge(START, "first")
  .addEdge("first", "second")
  .addEdge("second", END)
  .compile();
