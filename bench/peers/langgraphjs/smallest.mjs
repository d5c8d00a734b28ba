// W6: the least program that runs a graph of two nodes.
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const graph = new StateGraph(Annotation.Root({ n: Annotation() }))
  .addNode("a", () => ({ n: 1 }))
  .addNode("b", (state) => ({ n: state.n + 1 }))
  .addEdge(START, "a")
  .addEdge("a", "b")
  .addEdge("b", END)
  .compile();
console.log(`result ${(await graph.invoke({ n: 0 })).n}`);
