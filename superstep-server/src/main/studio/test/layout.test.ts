import { describe, expect, it } from "vitest";
import type { Topology } from "../src/api/types";
import { allLines, boxes, elkGraph, foldable, placed } from "../src/model/layout";

const node = (name: string, inside: Topology | null = null): Topology["nodes"][number] =>
  ({ name, argument: "", inside, deferred: false, gate: [] });
const edge = (from: string, to: string): Topology["edges"][number] => ({ kind: "DIRECT", from: [from], to, label: "", needs: 0 });

const INNER: Topology = { graph: "inner", channels: [], nodes: [node("find")], edges: [edge("__start__", "find"), edge("find", "__end__")] };
const OUTER: Topology = {
  graph: "outer", channels: [], nodes: [node("plan"), node("research", INNER)],
  edges: [edge("__start__", "plan"), edge("plan", "research"), edge("research", "__end__"),
    { kind: "JOINED", from: ["plan", "research"], to: "plan", label: "again", needs: 2 }],
};

describe("what is drawn of a graph", () => {
  it("is its nodes with start and end, and a join as a line from each source", () => {
    const graph = boxes(OUTER, new Set());
    expect(graph.children.map((box) => [box.id, box.kind])).toEqual([
      ["plan", "node"], ["research", "node"], ["__start__", "start"], ["__end__", "end"],
    ]);
    expect(graph.edges).toHaveLength(5);
  });

  it("shows the graph inside of a node that is unfolded, under ids of its own", () => {
    expect(foldable(OUTER)).toEqual(["research"]);
    const graph = boxes(OUTER, new Set(["research"]));
    const group = graph.children.find((box) => box.id === "research");
    expect(group?.kind).toBe("group");
    expect(group?.children.map((box) => box.id)).toEqual(["research/find", "research/__start__", "research/__end__"]);
    expect(allLines(graph)).toHaveLength(7);
  });

  it("gets its places from the layout, each after what holds it", () => {
    const graph = boxes(OUTER, new Set(["research"]));
    const laid = elkGraph(graph, "RIGHT");
    laid.children![1]!.children![0]!.x = 12;
    const all = placed(graph, laid);
    expect(all.find((each) => each.box.id === "research/find")).toMatchObject({ parent: "research", x: 12 });
    expect(all.findIndex((each) => each.box.id === "research")).toBeLessThan(all.findIndex((each) => each.parent === "research"));
  });
});
