import type { Entry, JsonObject, RunEvent } from "../api/types";

export type NodeStatus = "idle" | "running" | "done" | "failed" | "asked" | "skipped";

/** A node of the graph, or of one inside it, as its runs left it. */
export interface NodeView {
  status: NodeStatus;
  /** Tasks at work. */
  active: number;
  /** Tasks in the superstep at hand: more than one of a node that was fanned out. */
  planned: number;
  finishedInStep: number;
  finished: number;
  failed: number;
  retries: number;
  tookMs: number;
}

/** A superstep, or something else that made a checkpoint. */
export interface StepView {
  kind: "step" | "edit" | "fork";
  /** The tasks that lead to its graph; empty for the thread's own. */
  path: string[];
  /** The task around its graph; empty for the thread's own. */
  task: string;
  /** Supersteps of the graphs inside its tasks, in the order in which they began. */
  inner: StepView[];
  run: string;
  step: number;
  nodes: string[];
  restored: number;
  began: number;
  ended: number | null;
  checkpoint: string;
  changed: string[];
  next: string[];
  inputTokens: number;
  outputTokens: number;
  cost: number;
  modelCalls: number;
  toolCalls: number;
  toolErrors: number;
  questions: number;
  failures: number;
  offset: number;
}

const EMPTY = {
  restored: 0, checkpoint: "", changed: [] as string[], next: [] as string[], inputTokens: 0, outputTokens: 0, cost: 0,
  modelCalls: 0, toolCalls: 0, toolErrors: 0, questions: 0, failures: 0,
};

export interface RunEnd {
  run: string;
  how: "running" | "completed" | "interrupted" | "stopped" | "failed";
  code: string;
  message: string;
  began: number;
  ended: number | null;
}

export interface ToolUse {
  offset: number;
  agent: string;
  tool: string;
  call: string;
  state: "running" | "done" | "failed";
  took: number;
  /** The nodes around the graph that called, and the task of that graph as its states are found by. */
  path: string[];
  task: string;
  /** The superstep of the call, whose checkpoint has the result once it is saved. */
  step: StepView | null;
}

/** Nodes are told apart by the nodes that lead to their graph; the number of a fan-out is no part of that. */
export function nodeKey(path: string[], node: string): string {
  return [...path.map((each) => each.replace(/#\d+$/, "")), node].join("/");
}

/** Milliseconds of an ISO duration such as PT1M2.5S. */
export function durationMs(text: unknown): number {
  const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(String(text));
  if (!match) return 0;
  return (Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number(match[3] ?? 0)) * 1000;
}

/**
 * What a journal tells, event by event. Each event costs the same, however many came before; whoever shows it looks
 * at {@link version} to see that there is more.
 */
export class RunModel {
  readonly entries: Entry[] = [];
  readonly nodes = new Map<string, NodeView>();
  readonly steps: StepView[] = [];
  readonly runs: RunEnd[] = [];
  readonly tools: ToolUse[] = [];
  version = 0;
  private step: StepView | null = null;
  /** The supersteps at work inside of tasks, by the paths of their graphs. */
  private readonly inside = new Map<string, StepView>();
  /** The tasks around graphs inside, by the paths of these. */
  private readonly around = new Map<string, string>();
  private readonly openTools = new Map<string, ToolUse>();

  add(all: Entry[]): void {
    for (const entry of all) {
      this.entries.push(entry);
      this.apply(entry.offset, entry.event);
    }
    this.version++;
  }

  node(key: string): NodeView {
    let view = this.nodes.get(key);
    if (!view) {
      view = {
        status: "idle", active: 0, planned: 0, finishedInStep: 0, finished: 0, failed: 0, retries: 0, tookMs: 0,
      };
      this.nodes.set(key, view);
    }
    return view;
  }

  /** The newest run. */
  run(): RunEnd | null {
    return this.runs[this.runs.length - 1] ?? null;
  }

  private apply(offset: number, event: RunEvent): void {
    const at = Date.parse(event.origin.at);
    const key = event.node === undefined ? "" : nodeKey(event.origin.path, event.node);
    switch (event.type) {
      case "run.started":
        this.begin(event, at);
        break;
      case "subgraph.started":
        this.around.set(event.origin.path.join("/"), event.task ?? "");
        break;
      case "step.started":
        this.plan(offset, event, at);
        break;
      case "node.started":
      case "node.cached": {
        const node = this.node(key);
        node.active++;
        node.status = "running";
        break;
      }
      case "node.finished": {
        const node = this.node(key);
        node.active = Math.max(0, node.active - 1);
        node.finished++;
        node.finishedInStep++;
        node.tookMs += durationMs(event["took"]);
        if (node.active === 0 && node.status !== "failed") node.status = "done";
        break;
      }
      case "node.failed": {
        const node = this.node(key);
        node.failed++;
        if (event["then"] === "ABORT") {
          node.active = Math.max(0, node.active - 1);
          node.status = "failed";
        }
        this.counted(event.origin.path, (step) => step.failures++);
        break;
      }
      case "node.retried":
        this.node(key).retries++;
        break;
      case "node.skipped":
        this.node(key).status = "skipped";
        break;
      case "interrupt.raised": {
        const question = event["interrupt"] as { node: string };
        const node = this.node(nodeKey(event.origin.path, question.node));
        node.active = Math.max(0, node.active - 1);
        node.status = "asked";
        this.counted(event.origin.path, (step) => step.questions++);
        break;
      }
      case "step.finished":
        this.finish(event, at);
        break;
      case "state.updated":
      case "thread.forked":
        this.changed(offset, event, at);
        break;
      case "node.emitted":
        this.emitted(offset, event);
        break;
      case "run.completed":
      case "run.interrupted":
      case "run.stopped":
      case "run.failed":
        this.end(event, at);
        break;
    }
  }

  private begin(event: RunEvent, at: number): void {
    const resumed = event["resumed"] === true;
    for (const node of this.nodes.values()) {
      node.active = 0;
      if (!resumed || node.status === "running") node.status = resumed && node.finished > 0 ? "done" : "idle";
    }
    this.runs.push({ run: event.origin.run, how: "running", code: "", message: "", began: at, ended: null });
  }

  /** Counts something for the superstep of the graph in which it happened, and for those around it. */
  private counted(path: string[], count: (step: StepView) => void): void {
    if (this.step) count(this.step);
    for (let depth = 1; depth <= path.length; depth++) {
      const inner = this.inside.get(path.slice(0, depth).join("/"));
      if (inner) count(inner);
    }
  }

  private plan(offset: number, event: RunEvent, at: number): void {
    const names = event["nodes"] as string[];
    const path = event.origin.path;
    const planned = new Map<string, number>();
    for (const name of names) planned.set(name, (planned.get(name) ?? 0) + 1);
    for (const [name, count] of planned) {
      const node = this.node(nodeKey(path, name));
      node.planned = count;
      node.finishedInStep = 0;
    }
    const step: StepView = {
      ...EMPTY, kind: "step", path, task: this.around.get(path.join("/")) ?? "", inner: [], run: event.origin.run,
      step: event.origin.step, nodes: names, restored: Number(event["restored"] ?? 0), began: at, ended: null, offset,
    };
    if (path.length > 0) {
      this.step?.inner.push(step);
      this.inside.set(path.join("/"), step);
      return;
    }
    this.inside.clear();
    this.step = step;
    this.steps.push(step);
  }

  private finish(event: RunEvent, at: number): void {
    const { path } = event.origin;
    const step = path.length === 0 ? this.step : this.inside.get(path.join("/"));
    if (!step) return;
    step.ended = at;
    step.checkpoint = String(event["checkpoint"] ?? "");
    step.changed = event["changed"] as string[];
    step.next = event["next"] as string[];
    this.due(path, step.next);
  }

  /**
   * Nodes that begin now. What a task at work does reaches the journal with the next thing that is saved, so a task that
   * takes long is only known by what became due before it.
   */
  private due(path: string[], names: string[]): void {
    for (const name of new Set(names)) {
      const node = this.node(nodeKey(path, name));
      node.status = "running";
      node.planned = names.filter((each) => each === name).length;
      node.finishedInStep = 0;
    }
  }

  /** Nodes that are due while a run is at work, of which the journal tells nothing yet. */
  expect(names: string[]): void {
    const last = this.steps[this.steps.length - 1];
    const isOpen = last !== undefined && last.ended === null && this.run()?.how === "running";
    if (isOpen || [...this.nodes.values()].some((node) => node.status === "running")) return;
    this.due([], names);
    this.version++;
  }

  /** Somebody changed the state, or began again from an older one. */
  private changed(offset: number, event: RunEvent, at: number): void {
    const isEdit = event.type === "state.updated";
    this.steps.push({
      ...EMPTY, kind: isEdit ? "edit" : "fork", path: [], task: "", inner: [], run: event.origin.run,
      step: event.origin.step, nodes: isEdit ? (event["nodes"] as string[]) : [], began: at, ended: at,
      checkpoint: String(event["checkpoint"]), changed: isEdit ? (event["changed"] as string[]) : [],
      next: isEdit ? (event["next"] as string[]) : [], offset,
    });
    this.step = null;
  }

  private emitted(offset: number, event: RunEvent): void {
    const payload = (event["payload"] ?? {}) as JsonObject;
    const { path } = event.origin;
    switch (event["name"]) {
      case "usage.recorded": {
        const usage = (payload["usage"] ?? {}) as JsonObject;
        this.counted(path, (step) => {
          step.modelCalls++;
          step.inputTokens += Number(usage["input"] ?? 0);
          step.outputTokens += Number(usage["output"] ?? 0);
        });
        break;
      }
      case "cost.recorded":
        this.counted(path, (step) => step.cost += Number(payload["cost"] ?? 0));
        break;
      case "tool.started": {
        const use: ToolUse = {
          offset, agent: String(payload["agent"] ?? ""), tool: String(payload["tool"] ?? ""),
          call: String(payload["call"] ?? ""), state: "running", took: 0,
          path, task: this.around.get(path.join("/")) ?? "",
          step: (path.length === 0 ? this.step : this.inside.get(path.join("/"))) ?? null,
        };
        this.openTools.set(use.call, use);
        this.tools.push(use);
        break;
      }
      case "tool.completed":
      case "tool.failed": {
        const failed = event["name"] === "tool.failed";
        this.counted(path, (step) => {
          step.toolCalls++;
          if (failed) step.toolErrors++;
        });
        const use = this.openTools.get(String(payload["call"] ?? ""));
        if (!use) return;
        use.state = failed ? "failed" : "done";
        use.took = durationMs(payload["took"]);
        this.openTools.delete(use.call);
        break;
      }
    }
  }

  private end(event: RunEvent, at: number): void {
    const run = this.run();
    if (!run) return;
    const how = event.type.slice("run.".length) as RunEnd["how"];
    run.how = how;
    run.ended = at;
    run.code = String(event["code"] ?? "");
    run.message = String(event["message"] ?? event["reason"] ?? "");
    for (const node of this.nodes.values()) {
      if (node.status === "running") node.status = how === "failed" && node.active > 0 ? "failed" : "idle";
      node.active = 0;
    }
  }
}
