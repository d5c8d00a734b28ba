import type { EdgeShape, Topology } from "../api/types";

const START = "__start__";
const END = "__end__";
const NODE_WIDTH = 168;
const NODE_HEIGHT = 52;
const HEAD = 34;
const DOT = 26;

/** Something that is drawn, before it has a place. Children are relative to what holds them. */
export interface Box {
  id: string;
  kind: "node" | "group" | "start" | "end" | "channel";
  label: string;
  hasInside: boolean;
  width: number;
  height: number;
  children: Box[];
  edges: Line[];
}

export interface Line {
  id: string;
  source: string;
  target: string;
  label: string;
  kind: string;
}

/** What is drawn of a topology, with the graphs inside the nodes that are unfolded. */
export function boxes(topology: Topology, unfolded: ReadonlySet<string>): { children: Box[]; edges: Line[] } {
  return inside(topology, "", unfolded);
}

function inside(topology: Topology, prefix: string, unfolded: ReadonlySet<string>): { children: Box[]; edges: Line[] } {
  const children: Box[] = [];
  const own = new Map<string, string>();
  for (const node of topology.nodes) {
    const id = prefix + node.name;
    own.set(node.name, id);
    const open = node.inside !== null && unfolded.has(id);
    const within = open && node.inside ? inside(node.inside, id + "/", unfolded) : { children: [], edges: [] };
    children.push({
      id, kind: open ? "group" : "node", label: node.name, hasInside: node.inside !== null,
      width: NODE_WIDTH, height: NODE_HEIGHT, ...within,
    });
  }
  const dot = (name: string): string => {
    const known = own.get(name);
    if (known) return known;
    const id = prefix + name;
    own.set(name, id);
    const kind = name === START ? "start" : name === END ? "end" : "channel";
    const wide = kind === "channel";
    children.push({
      id, kind, label: wide ? name : kind, hasInside: false, width: wide ? 120 : DOT, height: wide ? 28 : DOT,
      children: [], edges: [],
    });
    return id;
  };
  const edges = topology.edges.flatMap((edge, i) => lines(edge, prefix + "e" + i, dot));
  return { children, edges };
}

function lines(edge: EdgeShape, id: string, dot: (name: string) => string): Line[] {
  return edge.from.map((from, i) => ({
    id: `${id}.${i}`, source: dot(from), target: dot(edge.to), label: edge.label, kind: edge.kind,
  }));
}

/** The ids of nodes that have a graph inside, outermost first. */
export function foldable(topology: Topology, prefix = ""): string[] {
  return topology.nodes.flatMap((node) =>
    node.inside === null ? [] : [prefix + node.name, ...foldable(node.inside, prefix + node.name + "/")]);
}

/** A box with its place, relative to what holds it. */
export interface Placed {
  box: Box;
  parent: string | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

interface ElkLabel {
  text: string;
  width: number;
  height: number;
  x?: number;
  y?: number;
}

export interface ElkEdge {
  id: string;
  sources: string[];
  targets: string[];
  labels?: ElkLabel[];
  sections?: { startPoint: Point; endPoint: Point; bendPoints?: Point[] }[];
}

export interface ElkNode {
  id: string;
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  children?: ElkNode[];
  edges?: ElkEdge[];
  layoutOptions?: Record<string, string>;
}

/** The input of the layout engine. */
export function elkGraph(graph: { children: Box[]; edges: Line[] }, direction: "RIGHT" | "DOWN"): ElkNode {
  return {
    id: "root",
    layoutOptions: {
      "elk.algorithm": "layered",
      "elk.direction": direction,
      "elk.hierarchyHandling": "INCLUDE_CHILDREN",
      "elk.layered.spacing.nodeNodeBetweenLayers": "46",
      "elk.spacing.nodeNode": "26",
      "elk.spacing.edgeNode": "16",
      "elk.edgeRouting": "ORTHOGONAL",
      "elk.layered.considerModelOrder.strategy": "NODES_AND_EDGES",
    },
    children: graph.children.map(elkNode),
    edges: graph.edges.map(elkEdge),
  };
}

function elkNode(box: Box): ElkNode {
  if (box.children.length === 0) return { id: box.id, width: box.width, height: box.height };
  return {
    id: box.id,
    layoutOptions: { "elk.padding": `[top=${HEAD + 14},left=16,bottom=16,right=16]` },
    children: box.children.map(elkNode),
    edges: box.edges.map(elkEdge),
  };
}

function elkEdge(line: Line): ElkEdge {
  const edge = { id: line.id, sources: [line.source], targets: [line.target] };
  return line.label === "" ? edge : { ...edge, labels: [{ text: line.label, width: line.label.length * 7, height: 16 }] };
}

/** The boxes with the places that the layout engine gave them, each after what holds it. */
export function placed(graph: { children: Box[]; edges: Line[] }, laid: ElkNode): Placed[] {
  const all: Placed[] = [];
  const walk = (children: Box[], nodes: ElkNode[], parent: string | null): void => {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    for (const box of children) {
      const at = byId.get(box.id);
      all.push({
        box, parent, x: at?.x ?? 0, y: at?.y ?? 0, width: at?.width ?? box.width, height: at?.height ?? box.height,
      });
      walk(box.children, at?.children ?? [], box.id);
    }
  };
  walk(graph.children, laid.children ?? [], null);
  return all;
}

/** The place of a box on the whole drawing. */
export function absolute(nodes: Placed[], id: string): { x: number; y: number; width: number; height: number } | null {
  const byId = new Map(nodes.map((each) => [each.box.id, each]));
  const own = byId.get(id);
  if (!own) return null;
  let { x, y } = own;
  for (let at = own.parent; at !== null;) {
    const around = byId.get(at);
    if (!around) break;
    x += around.x;
    y += around.y;
    at = around.parent;
  }
  return { x, y, width: own.width, height: own.height };
}

/** How large a drawing can be shown at once. */
export function scale(laid: { width?: number; height?: number }, box: { width: number; height: number }): number {
  return Math.min(box.width / Math.max(1, laid.width ?? 1), box.height / Math.max(1, laid.height ?? 1)) * 0.88;
}

/** The way of a line around the nodes, and the place of its label. */
export type Way = {
  points: Point[];
  label: Point | null;
};

/** The ways that the layout engine found, by the ids of lines; it counts from what holds a line. */
export function ways(laid: ElkNode, x = 0, y = 0): Map<string, Way> {
  const all = new Map<string, Way>();
  const moved = (point: Point): Point => ({ x: point.x + x, y: point.y + y });
  for (const edge of laid.edges ?? []) {
    const section = edge.sections?.[0];
    if (!section) continue;
    const points = [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(moved);
    const label = edge.labels?.[0];
    const place = label?.x === undefined || label.y === undefined ? null
      : moved({ x: label.x + label.width / 2, y: label.y + label.height / 2 });
    all.set(edge.id, { points, label: place });
  }
  for (const child of laid.children ?? []) {
    for (const [id, way] of ways(child, x + (child.x ?? 0), y + (child.y ?? 0))) all.set(id, way);
  }
  return all;
}

const CORNER = 8;

/** A path of SVG through points, with round corners. */
export function pathOf(points: Point[]): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first.x},${first.y}`;
  let from = first;
  rest.forEach((point, i) => {
    const next = rest[i + 1];
    if (!next) {
      path += `L${point.x},${point.y}`;
      return;
    }
    const before = towards(point, from);
    const after = towards(point, next);
    path += `L${before.x},${before.y}Q${point.x},${point.y} ${after.x},${after.y}`;
    from = point;
  });
  return path;
}

function towards(corner: Point, to: Point): Point {
  const length = Math.hypot(to.x - corner.x, to.y - corner.y);
  const by = length === 0 ? 0 : Math.min(CORNER, length / 2) / length;
  return { x: corner.x + (to.x - corner.x) * by, y: corner.y + (to.y - corner.y) * by };
}

/** All lines, those inside of unfolded nodes too. */
export function allLines(graph: { children: Box[]; edges: Line[] }): Line[] {
  return [...graph.edges, ...graph.children.flatMap(allLines)];
}
