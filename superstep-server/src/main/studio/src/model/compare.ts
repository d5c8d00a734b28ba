import type { StepView } from "./run";

/** Two supersteps that stand beside each other; one is missing where only the other run has it. */
export interface Pair {
  a: StepView | null;
  b: StepView | null;
  same: boolean;
}

const STEPS_MOST = 400;

function signature(step: StepView): string {
  return `${step.kind}|${[...step.nodes].sort().join(",")}|${[...step.changed].sort().join(",")}`;
}

/** Aligns the supersteps of two runs, so that as many as possible stand beside one that did the same. */
export function align(first: StepView[], second: StepView[]): Pair[] {
  const a = first.slice(0, STEPS_MOST);
  const b = second.slice(0, STEPS_MOST);
  const of = a.map(signature);
  const to = b.map(signature);
  const lengths: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i]![j] = of[i] === to[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
    }
  }
  const pairs: Pair[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && of[i] === to[j]) pairs.push({ a: a[i++]!, b: b[j++]!, same: true });
    else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) pairs.push({ a: a[i++]!, b: null, same: false });
    else pairs.push({ a: null, b: b[j++]!, same: false });
  }
  return pairs;
}
