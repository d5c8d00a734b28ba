import { describe, expect, it } from "vitest";
import type { Entry, RunEvent } from "../src/api/types";
import { durationMs, nodeKey, RunModel } from "../src/model/run";
import { rows } from "../src/model/timeline";

let sequence = 0;

function event(type: string, more: Record<string, unknown> = {}, path: string[] = [], step = 1): Entry {
  sequence++;
  const at = new Date(Date.UTC(2026, 0, 1) + sequence * 1000).toISOString();
  return { offset: sequence, event: { type, origin: { run: "r1", graph: "g", path, at, step }, ...more } as RunEvent };
}

describe("a run as its events tell it", () => {
  it("counts a fan-out while it is at work", () => {
    const model = new RunModel();
    model.add([
      event("run.started", { resumed: false }),
      event("step.started", { nodes: ["each", "each", "each"], restored: 0 }),
      event("node.started", { node: "each", task: "a" }),
      event("node.started", { node: "each", task: "b" }),
      event("node.finished", { node: "each", task: "a", channels: [], took: "PT0.5S" }),
    ]);
    expect(model.nodes.get("each")).toMatchObject({ status: "running", active: 1, planned: 3, finishedInStep: 1, tookMs: 500 });
  });

  it("lights up nodes inside of subgraphs, whatever the number of the task around", () => {
    const model = new RunModel();
    model.add([event("run.started"), event("node.started", { node: "search", task: "x" }, ["each#7"])]);
    expect(model.nodes.get("each/search")?.status).toBe("running");
    expect(nodeKey(["each#7"], "search")).toBe("each/search");
  });

  it("shows a question, and that it was answered once its node is done", () => {
    const model = new RunModel();
    model.add([
      event("run.started"), event("step.started", { nodes: ["ask"], restored: 0 }),
      event("node.started", { node: "ask", task: "t" }),
      event("interrupt.raised", { interrupt: { id: "q", node: "ask", task: "t" } }),
      event("run.interrupted", { interrupts: ["q"] }),
    ]);
    expect(model.nodes.get("ask")?.status).toBe("asked");
    expect(model.run()?.how).toBe("interrupted");
    expect(model.steps[0]?.questions).toBe(1);
    model.add([
      event("run.started", { resumed: true }), event("step.started", { nodes: ["ask"], restored: 0 }),
      event("node.started", { node: "ask", task: "t" }), event("node.finished", { node: "ask", task: "t", took: "PT1S" }),
      event("step.finished", { checkpoint: "c1", changed: ["said"], next: [] }), event("run.completed"),
    ]);
    expect(model.nodes.get("ask")?.status).toBe("done");
    expect(model.steps).toHaveLength(2);
    expect(model.steps[1]).toMatchObject({ checkpoint: "c1", changed: ["said"] });
  });

  it("adds tokens, costs and tool calls to the superstep in which they came", () => {
    const model = new RunModel();
    model.add([
      event("run.started"), event("step.started", { nodes: ["model"], restored: 0 }),
      event("node.emitted", { node: "model", task: "m", name: "usage.recorded", payload: { usage: { input: 100, output: 20 } } }),
      event("node.emitted", { node: "model", task: "m", name: "cost.recorded", payload: { cost: 0.25, currency: "USD" } }),
      event("node.emitted", { node: "model", task: "m", name: "tool.started", payload: { agent: "a", call: "c", tool: "find" } }),
      event("node.emitted", { node: "model", task: "m", name: "tool.failed", payload: { agent: "a", call: "c", tool: "find", took: "PT2S" } }),
    ]);
    expect(model.steps[0]).toMatchObject({ modelCalls: 1, inputTokens: 100, outputTokens: 20, cost: 0.25, toolCalls: 1, toolErrors: 1 });
    expect(model.tools[0]).toMatchObject({ tool: "find", state: "failed", took: 2000 });
  });

  it("knows where the conversation of a call inside of a graph is saved", () => {
    const model = new RunModel();
    model.add([
      event("run.started"), event("step.started", { nodes: ["ask"], restored: 0 }),
      event("subgraph.started", { task: "ask/t1" }, ["ask"]),
      event("step.started", { nodes: ["tools"], restored: 0 }, ["ask"]),
      event("node.emitted", { node: "tools", task: "x", name: "tool.started", payload: { agent: "a", call: "c", tool: "find" } }, ["ask"]),
    ]);
    expect(model.tools[0]).toMatchObject({ path: ["ask"], task: "ask/t1" });
    expect(model.tools[0]?.step?.checkpoint).toBe("");
    model.add([event("step.finished", { checkpoint: "c7", changed: [], next: [] }, ["ask"])]);
    expect(model.tools[0]?.step?.checkpoint).toBe("c7");
  });

  it("keeps what failed visible, and begins anew with new input", () => {
    const model = new RunModel();
    model.add([
      event("run.started"), event("node.started", { node: "a", task: "t" }),
      event("node.failed", { node: "a", task: "t", error: "boom", then: "ABORT" }),
      event("run.failed", { code: "node.failed", message: "Node `a` failed." }),
    ]);
    expect(model.nodes.get("a")?.status).toBe("failed");
    expect(model.run()).toMatchObject({ how: "failed", code: "node.failed" });
    model.add([event("run.started", { resumed: false })]);
    expect(model.nodes.get("a")?.status).toBe("idle");
  });

  it("has edits and forks in its timeline", () => {
    const model = new RunModel();
    model.add([
      event("state.updated", { checkpoint: "c2", nodes: ["ask"], changed: ["price"], next: ["offer"] }),
      event("thread.forked", { from: "t", older: "c1", checkpoint: "c3" }),
    ]);
    expect(model.steps.map((step) => [step.kind, step.checkpoint])).toEqual([["edit", "c2"], ["fork", "c3"]]);
  });

  it("reads durations of ISO 8601", () => {
    expect(durationMs("PT1H2M3.5S")).toBe(3_723_500);
    expect(durationMs("nonsense")).toBe(0);
  });

  it("keeps the supersteps inside of tasks with the one around them, with their tasks and what they took", () => {
    const model = new RunModel();
    model.add([
      event("run.started"), event("step.started", { nodes: ["each", "each"], restored: 0 }),
      event("subgraph.started", { task: "c0/1/each/1" }, ["each#1"]), event("subgraph.started", { task: "c0/1/each/2" }, ["each#2"]),
      event("step.started", { nodes: ["find"], restored: 0 }, ["each#1"]),
      event("step.started", { nodes: ["find"], restored: 0 }, ["each#2"]),
      event("node.emitted", { node: "find", task: "f", name: "usage.recorded", payload: { usage: { input: 7, output: 1 } } }, ["each#2"]),
      event("step.finished", { checkpoint: "i2", changed: ["found"], next: [] }, ["each#2"]),
      event("step.finished", { checkpoint: "i1", changed: ["found"], next: ["check"] }, ["each#1"]),
      event("step.started", { nodes: ["check"], restored: 0 }, ["each#1"], 2),
      event("step.finished", { checkpoint: "o1", changed: ["notes"], next: [] }),
    ]);
    expect(model.steps).toHaveLength(1);
    expect(model.steps[0]).toMatchObject({ checkpoint: "o1", inputTokens: 7, modelCalls: 1 });
    expect(model.steps[0]!.inner.map((each) => [each.path[0], each.task, each.step, each.checkpoint, each.inputTokens])).toEqual([
      ["each#1", "c0/1/each/1", 1, "i1", 0], ["each#2", "c0/1/each/2", 1, "i2", 7], ["each#1", "c0/1/each/1", 2, "", 0],
    ]);
    expect(rows(model.steps, new Set())).toHaveLength(1);
    expect(rows(model.steps, new Set([model.steps[0]!.offset]))).toHaveLength(4);
  });

  it("shows what is due as at work, since a task that takes long tells nothing before it is saved", () => {
    const model = new RunModel();
    model.expect(["begin"]);
    expect(model.nodes.get("begin")?.status).toBe("running");
    model.add([
      event("run.started"), event("step.started", { nodes: ["begin"], restored: 0 }), event("node.started", { node: "begin", task: "b" }),
      event("node.finished", { node: "begin", task: "b", took: "PT1S" }),
      event("step.finished", { checkpoint: "c1", changed: [], next: ["wait", "wait"] }),
    ]);
    expect(model.nodes.get("begin")?.status).toBe("done");
    expect(model.nodes.get("wait")).toMatchObject({ status: "running", planned: 2, finishedInStep: 0 });
    model.add([event("run.failed", { code: "graph.step-limit", message: "too many" })]);
    expect(model.nodes.get("wait")?.status).toBe("idle");
  });
});
