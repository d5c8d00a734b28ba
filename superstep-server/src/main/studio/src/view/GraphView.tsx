import { Background, BaseEdge, Controls, type Edge, type EdgeProps, Handle, MarkerType, type Node, type NodeProps, Position, ReactFlow, type ReactFlowInstance } from "@xyflow/react";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Topology } from "../api/types";
import { absolute, allLines, boxes, type ElkNode, type Line, elkGraph, foldable, pathOf, type Placed, placed, scale, type Way, ways } from "../model/layout";
import type { NodeView, RunModel } from "../model/run";

const UNFOLDED_MOST = 24;
/** Smaller than this, names cannot be read: a part of the graph is shown then, and follows what happens. */
const READABLE = 0.64;
const LARGEST = 1.1;
const HEIGHT_LEAST = 240;
const HEIGHT_MOST = 440;

type Data = {
  box: Placed["box"];
  view: NodeView | undefined;
  marked: boolean;
  fold: ((id: string) => void) | null;
  [more: string]: unknown;
};

let engine: Promise<{ layout(graph: ElkNode): Promise<ElkNode> }> | null = null;

/** The layout engine is large, so it is loaded when a graph is first drawn, and works in a thread of its own. */
function layoutEngine(): Promise<{ layout(graph: ElkNode): Promise<ElkNode> }> {
  engine ??= Promise.all([import("elkjs/lib/elk-api.js"), import("elkjs/lib/elk-worker.min.js?url")]).then(
    ([elk, worker]) => new elk.default({ workerFactory: () => new Worker(worker.default) }) as unknown as { layout(graph: ElkNode): Promise<ElkNode> });
  return engine;
}

/**
 * A graph, with what its runs do.
 *
 * @param model null for a graph at rest
 * @param marked the nodes of the superstep that is looked at
 */
export function GraphView({ topology, model, version, marked, label }: {
  topology: Topology; model: RunModel | null; version: number; marked: string[]; label: string;
}) {
  const all = useMemo(() => foldable(topology), [topology]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(() => new Set());
  const touched = useRef(new Set<string>());
  const [laid, setLaid] = useState<(Laid & { edges: Edge<Way>[] }) | null>(null);
  const [failure, setFailure] = useState("");
  // It grows with what unfolds and does not shrink, so that the page below stays where it is.
  const [height, setHeight] = useState(HEIGHT_LEAST);
  const box = useRef<HTMLDivElement | null>(null);
  const drawnNodes = useRef(new Map<string, { of: Placed; looks: string; node: Node<Data> }>());
  const moved = useRef(false);
  const flow = useRef<ReactFlowInstance<Node<Data>, Edge<Way>> | null>(null);

  const signature = model ? spokenAll(laid?.nodes ?? NO_NODES, model) : "";

  // A subgraph unfolds when something happens in it, unless somebody folded it.
  useEffect(() => {
    if (!model) return;
    const busy = all.filter((id) => !unfolded.has(id) && !touched.current.has(id)
      && [...model.nodes.keys()].some((key) => key.startsWith(id + "/")));
    if (busy.length === 0 || unfolded.size + busy.length > UNFOLDED_MOST) return;
    for (const id of busy) touched.current.add(id);
    setUnfolded(new Set([...unfolded, ...busy]));
  }, [model, version, all, unfolded]);

  useEffect(() => {
    let gone = false;
    const graph = boxes(topology, unfolded);
    const space = { width: box.current?.clientWidth ?? innerWidth, height: Math.min(HEIGHT_MOST, innerHeight * 0.44) };
    best(graph, space)
      .then((done) => {
        if (gone) return;
        setLaid({ nodes: placed(graph, done), edges: routed(allLines(graph), ways(done)), size: scale(done, space), width: done.width ?? 0, height: done.height ?? 0 });
        const zoom = Math.min(LARGEST, Math.max(READABLE, scale(done, space)));
        setHeight((before) => Math.min(space.height, Math.max(before, (done.height ?? 0) * zoom + 70)));
      })
      .catch((error: unknown) => setFailure(String(error)));
    return () => {
      gone = true;
    };
  }, [topology, unfolded]);

  // What is at work, or asks, or failed; else what is looked at.
  const focus = focused(laid?.nodes ?? NO_NODES, model) ?? marked[0] ?? "";
  useEffect(() => {
    if (!laid) return;
    const timer = setTimeout(() => show(flow.current, box.current, laid, focus), 60);
    moved.current = false;
    return () => clearTimeout(timer);
    // Where the focus goes later is followed below.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [laid]);
  useEffect(() => {
    if (!laid || moved.current || laid.size >= READABLE || focus === "") return;
    const timer = setTimeout(() => follow(flow.current, box.current, laid.nodes, focus), 60);
    return () => clearTimeout(timer);
  }, [laid, focus]);

  const nodes = useMemo(() => {
    const fold = (id: string): void => {
      touched.current.add(id);
      setUnfolded((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      });
    };
    // A node that looks as before stays the same object, so that it is not drawn again.
    const before = drawnNodes.current;
    drawnNodes.current = new Map((laid?.nodes ?? []).map((each) => {
      const looks = `${look(each, model)} ${marked.includes(each.box.id)}`;
      const known = before.get(each.box.id);
      return [each.box.id, known && known.of === each && known.looks === looks ? known
        : { of: each, looks, node: flowNode(each, model, marked, fold) }];
    }));
    return [...drawnNodes.current.values()].map(({ node }) => node);
    // The model changes in place; what is said of its nodes tells if one looks different now.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [laid, model, signature, marked]);

  if (failure !== "") return <p className="failure" role="alert">The graph cannot be drawn: {failure}</p>;
  return (
    <div className="graph" role="region" aria-label={label} ref={box} style={{ height }}>
      {!laid && <p className="graph-wait">The graph is being drawn …</p>}
      <ReactFlow<Node<Data>, Edge<Way>>
        nodes={nodes} edges={laid?.edges ?? NO_EDGES} nodeTypes={NODE_TYPES} edgeTypes={EDGE_TYPES} onInit={(instance) => { flow.current = instance; }}
        nodesDraggable={false} nodesConnectable={false} edgesFocusable={false} minZoom={0.15} maxZoom={2}
        fitViewOptions={{ padding: 0.06, maxZoom: LARGEST }} onMoveStart={(event) => { if (event) moved.current = true; }} proOptions={{ hideAttribution: true }} preventScrolling={false}
        zoomOnScroll={false} panOnScroll={false} ariaLabelConfig={{ "node.a11yDescription.default": "", "edge.a11yDescription.default": "" }}
      >
        <Background gap={22} size={1} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  );
}

type Laid = { nodes: Placed[]; size: number; width: number; height: number };
type Flow = ReactFlowInstance<Node<Data>, Edge<Way>> | null;

/** Lays a graph out from left to right, or downwards if it is larger so. */
async function best(graph: ReturnType<typeof boxes>, space: { width: number; height: number }): Promise<ElkNode> {
  const elk = await layoutEngine();
  const across = await elk.layout(elkGraph(graph, "RIGHT"));
  if (scale(across, space) >= READABLE) return across;
  const down = await elk.layout(elkGraph(graph, "DOWN"));
  return scale(down, space) > scale(across, space) ? down : across;
}

/** The whole graph if its names can be read then, else the part that matters. */
function show(flow: Flow, box: HTMLElement | null, laid: Laid, focus: string): void {
  if (!flow || !box) return;
  if (laid.size >= READABLE) {
    void flow.fitView({ padding: 0.06, maxZoom: LARGEST });
    return;
  }
  const at = absolute(laid.nodes, focus) ?? absolute(laid.nodes, "__start__");
  if (!at) return;
  void flow.setViewport({
    zoom: READABLE,
    x: offset(at.x + at.width / 2, laid.width, box.clientWidth),
    y: offset(at.y + at.height / 2, laid.height, box.clientHeight),
  });
}

/** Where a drawing begins, so that a place of it is in the middle, but nothing is left empty beside it. */
function offset(middle: number, whole: number, space: number): number {
  const rest = space - whole * READABLE;
  return rest >= 0 ? rest / 2 : Math.min(12, Math.max(rest - 12, space / 2 - middle * READABLE));
}

/** Brings a node into view if it is not. */
function follow(flow: Flow, box: HTMLElement | null, nodes: Placed[], id: string): void {
  const at = absolute(nodes, id);
  if (!flow || !box || !at) return;
  const { x, y, zoom } = flow.getViewport();
  const left = at.x * zoom + x;
  const top = at.y * zoom + y;
  if (left >= 0 && top >= 0 && left + at.width * zoom <= box.clientWidth && top + at.height * zoom <= box.clientHeight) return;
  const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 200;
  void flow.setCenter(at.x + at.width / 2, at.y + at.height / 2, { zoom, duration });
}

function focused(nodes: Placed[], model: RunModel | null): string | null {
  if (!model) return null;
  for (const status of ["running", "asked", "failed"]) {
    // The innermost comes last.
    const found = nodes.filter(({ box }) => box.children.length === 0 && model.nodes.get(box.id)?.status === status);
    if (found.length > 0) return found[found.length - 1]!.box.id;
  }
  return null;
}

function flowNode(each: Placed, model: RunModel | null, marked: string[], fold: (id: string) => void): Node<Data> {
  const view = model?.nodes.get(each.box.id);
  const isDot = each.box.kind === "start" || each.box.kind === "end";
  const node: Node<Data> = {
    id: each.box.id, type: isDot ? "dot" : each.box.kind, position: { x: each.x, y: each.y },
    width: each.width, height: each.height, focusable: !isDot, selectable: false,
    data: { box: each.box, view: view && { ...view }, marked: marked.includes(each.box.id), fold: each.box.hasInside ? fold : null },
    ariaLabel: spoken(each.box.label, view),
  };
  if (each.parent !== null) node.parentId = each.parent;
  return node;
}

function routed(lines: Line[], found: Map<string, Way>): Edge<Way>[] {
  return lines.map((line) => drawn(line, found.get(line.id) ?? { points: [], label: null }));
}

function drawn(line: Line, way: Way): Edge<Way> {
  return {
    type: "way", data: way,
    id: line.id, source: line.source, target: line.target, label: line.label, className: `edge is-${line.kind.toLowerCase()}`,
    markerEnd: { type: MarkerType.ArrowClosed, width: 16, height: 16, color: "var(--edge)" }, zIndex: 1,
  };
}

/** All nodes in words: as long as it is the same, the graph looks the same. */
function spokenAll(nodes: Placed[], model: RunModel): string {
  return nodes.map((each) => look(each, model)).join();
}

function look({ box }: Placed, model: RunModel | null): string {
  const view = model?.nodes.get(box.id);
  return spoken(box.label, view) + (view?.finished ?? 0);
}

/** A node in words, for those who do not see the graph. */
export function spoken(name: string, view: NodeView | undefined): string {
  if (!view) return `${name}: has not run`;
  const word = { idle: "has not run", running: "is running", done: "is done", failed: "failed", asked: "asks a question", skipped: "was skipped" }[view.status];
  const fan = view.planned > 1 ? `, ${view.finishedInStep} of ${view.planned} tasks` : "";
  return `${name}: ${word}${fan}${view.retries > 0 ? `, ${view.retries} retries` : ""}`;
}

const SIGNS: Record<string, string> = { running: "●", done: "✓", failed: "✕", asked: "?", skipped: "–", idle: "" };

function Handles() {
  return (
    <>
      <Handle type="target" position={innerWidth < 700 ? Position.Top : Position.Left} isConnectable={false} />
      <Handle type="source" position={innerWidth < 700 ? Position.Bottom : Position.Right} isConnectable={false} />
    </>
  );
}

function Fold({ data, open }: { data: Data; open: boolean }) {
  if (!data.fold) return null;
  return (
    <button type="button" className="fold nodrag" aria-expanded={open} aria-label={`${open ? "Fold" : "Unfold"} ${data.box.label}`}
      onClick={() => data.fold?.(data.box.id)}>{open ? "−" : "+"}</button>
  );
}

function Count({ view }: { view: NodeView | undefined }) {
  if (!view) return null;
  if (view.planned > 1) return <span className="count">{view.finishedInStep}/{view.planned}</span>;
  return view.finished > 1 ? <span className="count">×{view.finished}</span> : null;
}

function BoxNode({ data }: NodeProps<Node<Data>>) {
  const status = data.view?.status ?? "idle";
  return (
    <div className={`box is-${status}${data.marked ? " is-marked" : ""}`}>
      <Handles />
      <span className="sign" aria-hidden="true">{SIGNS[status]}</span>
      <span className="name" title={data.box.label}>{data.box.label}</span>
      <Count view={data.view} />
      <Fold data={data} open={false} />
    </div>
  );
}

function GroupNode({ data }: NodeProps<Node<Data>>) {
  const status = data.view?.status ?? "idle";
  return (
    <div className={`group is-${status}${data.marked ? " is-marked" : ""}`}>
      <Handles />
      <div className="group-head">
        <span className="sign" aria-hidden="true">{SIGNS[status]}</span>
        <span className="name">{data.box.label}</span><Count view={data.view} /><Fold data={data} open />
      </div>
    </div>
  );
}

function DotNode({ data }: NodeProps<Node<Data>>) {
  return <div className={`dot is-${data.box.kind}`} title={data.box.label}><Handles /></div>;
}

function ChannelNode({ data }: NodeProps<Node<Data>>) {
  return <div className="channel" title="channel"><Handles />{data.box.label}</div>;
}

function WayEdge({ data, markerEnd, label }: EdgeProps<Edge<Way>>) {
  if (!data) return null;
  const at = data.label ?? data.points[Math.floor(data.points.length / 2)];
  return (
    <BaseEdge path={pathOf(data.points)} {...(markerEnd ? { markerEnd } : {})} label={label} labelX={at?.x ?? 0} labelY={at?.y ?? 0}
      labelShowBg labelBgPadding={[3, 1]} />
  );
}

const NO_EDGES: Edge<Way>[] = [];
const NO_NODES: Placed[] = [];
const EDGE_TYPES = { way: WayEdge };
const NODE_TYPES = { node: BoxNode, group: GroupNode, dot: DotNode, channel: ChannelNode };
