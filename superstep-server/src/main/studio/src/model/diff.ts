import type { Json, JsonObject } from "../api/types";

/** A place at which two values differ. */
export interface Change {
  path: string[];
  kind: "added" | "removed" | "changed";
  before: Json | undefined;
  after: Json | undefined;
}

const CHANGES_MOST = 500;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function equal(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, i) => equal(each, other[i]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys(one);
    return names.length === Object.keys(other).length && names.every((name) => name in other && equal(one[name], other[name]));
  }
  return false;
}

/** The innermost places at which two values differ, in the order of the document; at most {@link CHANGES_MOST}. */
export function changes(before: Json | undefined, after: Json | undefined): Change[] {
  const found: Change[] = [];
  collect([], before, after, found);
  return found;
}

function collect(path: string[], before: Json | undefined, after: Json | undefined, found: Change[]): void {
  if (found.length >= CHANGES_MOST || equal(before, after)) return;
  if (before === undefined) found.push({ path, kind: "added", before, after });
  else if (after === undefined) found.push({ path, kind: "removed", before, after });
  else if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect([...path, name], before[name], after[name], found);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++) {
      collect([...path, String(i)], before[i], after[i], found);
    }
  } else found.push({ path, kind: "changed", before, after });
}

/** A line of a difference of two texts. */
export interface DiffLine {
  kind: "same" | "added" | "removed";
  before: number | null;
  after: number | null;
  text: string;
}

/** The lines of two texts, with the fewest added and removed (Myers), after what is the same at both ends. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const lines: DiffLine[] = [];
  for (let i = 0; i < head; i++) lines.push({ kind: "same", before: i + 1, after: i + 1, text: a[i]! });
  lines.push(...middle(a, b, head, a.length - tail, b.length - tail));
  for (let i = tail; i > 0; i--) {
    lines.push({ kind: "same", before: a.length - i + 1, after: b.length - i + 1, text: a[a.length - i]! });
  }
  return lines;
}

function middle(a: string[], b: string[], from: number, aEnd: number, bEnd: number): DiffLine[] {
  const n = aEnd - from;
  const m = bEnd - from;
  const frontier = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let d = 0; d <= n + m; d++) {
    trace.push(new Map(frontier));
    for (let k = -d; k <= d; k += 2) {
      let x = k === -d || (k !== d && (frontier.get(k - 1) ?? 0) < (frontier.get(k + 1) ?? 0))
        ? (frontier.get(k + 1) ?? 0)
        : (frontier.get(k - 1) ?? 0) + 1;
      let y = x - k;
      while (x < n && y < m && a[from + x] === b[from + y]) {
        x++;
        y++;
      }
      frontier.set(k, x);
      if (x >= n && y >= m) return back(a, b, from, trace, n, m);
    }
  }
  return [];
}

function back(a: string[], b: string[], from: number, trace: Map<number, number>[], n: number, m: number): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = n;
  let y = m;
  for (let d = trace.length - 1; d >= 0 && (x > 0 || y > 0); d--) {
    const frontier = trace[d]!;
    const k = x - y;
    const down = k === -d || (k !== d && (frontier.get(k - 1) ?? 0) < (frontier.get(k + 1) ?? 0));
    const lastX = d === 0 ? 0 : (frontier.get(down ? k + 1 : k - 1) ?? 0);
    const lastY = d === 0 ? 0 : lastX - (down ? k + 1 : k - 1);
    while (x > lastX && y > lastY && x > 0 && y > 0 && a[from + x - 1] === b[from + y - 1]) {
      lines.push({ kind: "same", before: from + x, after: from + y, text: a[from + x - 1]! });
      x--;
      y--;
    }
    if (d === 0) break;
    if (down) lines.push({ kind: "added", before: null, after: from + y, text: b[from + y - 1]! });
    else lines.push({ kind: "removed", before: from + x, after: null, text: a[from + x - 1]! });
    x = lastX;
    y = lastY;
  }
  return lines.reverse();
}
