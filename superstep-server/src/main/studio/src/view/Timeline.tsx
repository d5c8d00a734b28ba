import { useEffect, useMemo, useState } from "react";
import type { StepView } from "../model/run";
import { rows } from "../model/timeline";
import { money, short, span } from "../model/format";
import { useWindow } from "./hooks";
import { Empty } from "./parts";

const ROW = 52;

/**
 * The supersteps of a thread, each with what it took and changed. The arrow keys move through them, and unfold those of
 * the graphs inside; a superstep at work unfolds by itself, unless somebody folded it.
 */
export function Timeline({ steps, version, at, inside, currency, onSelect }: {
  steps: StepView[]; version: number; at: string | null; inside: string; currency: string; onSelect: (step: StepView) => void;
}) {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(() => new Set());
  const [folded, setFolded] = useState<ReadonlySet<number>>(() => new Set());
  const last = steps[steps.length - 1];
  const atWork = last && last.ended === null && last.inner.length > 0 ? last.offset : null;
  // The address may name a superstep inside.
  const around = useMemo(() => inside === "" ? undefined
    : steps.find((step) => step.inner.some((each) => each.checkpoint === at && each.task === inside))?.offset,
    // The steps change in place; the version tells.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [at, inside, steps, version]);
  useEffect(() => {
    const more = [atWork, around].filter((each): each is number => each != null && !folded.has(each) && !unfolded.has(each));
    if (more.length > 0) setUnfolded(new Set([...unfolded, ...more]));
  }, [atWork, around, folded, unfolded]);
  const fold = (step: StepView, open: boolean): void => {
    const without = (all: ReadonlySet<number>): Set<number> => new Set([...all].filter((each) => each !== step.offset));
    setUnfolded(open ? new Set([...unfolded, step.offset]) : without(unfolded));
    setFolded(open ? without(folded) : new Set([...folded, step.offset]));
  };
  // eslint-disable-next-line react-hooks/exhaustive-deps
  const all = useMemo(() => rows(steps, unfolded), [steps, version, unfolded]);
  const view = useWindow(all.length, ROW);
  if (steps.length === 0) return <Empty title="No superstep yet" />;
  const longest = Math.max(1, ...steps.slice(-500).map((step) => (step.ended ?? step.began) - step.began));
  const move = (from: number, by: number): void => {
    for (let i = from + by; i >= 0 && i < all.length; i += by) {
      const step = all[i]!;
      if (step.checkpoint === "") continue;
      onSelect(step);
      const box = view.ref.current;
      if (box) box.scrollTop = Math.min(Math.max(box.scrollTop, (i + 1) * ROW - box.clientHeight), i * ROW);
      requestAnimationFrame(() => document.getElementById(`step-${i}`)?.focus());
      return;
    }
  };
  return (
    <div className="scroll" style={{ height: `min(46vh, 460px, ${view.height + 1}px)` }} ref={view.ref} onScroll={view.onScroll}>
      <ol className="timeline" style={{ height: view.height }} aria-label="Supersteps">
        {all.slice(view.from, view.to).map((step, i) => {
          const index = view.from + i;
          const selected = step.checkpoint !== "" && step.checkpoint === at && step.task === inside;
          const open = unfolded.has(step.offset);
          return (
            <li key={view.slot(index)} className={`depth-${Math.min(step.path.length, 3)}`} style={{ top: index * ROW, height: ROW }} aria-setsize={all.length} aria-posinset={index + 1}>
              {step.inner.length > 0 && (
                <button type="button" className="unfold" aria-expanded={open} aria-label={`${open ? "Fold" : "Unfold"} the ${step.inner.length} supersteps inside of superstep ${step.step}`}
                  onClick={() => fold(step, !open)}><span aria-hidden="true">{open ? "▾" : "▸"}</span></button>
              )}
              <button type="button" id={`step-${index}`} className={`step${selected ? " is-selected" : ""}`} aria-pressed={selected}
                disabled={step.checkpoint === ""} onClick={() => onSelect(step)}
                onKeyDown={(event) => {
                  if (event.key === "ArrowDown") { event.preventDefault(); move(index, 1); }
                  if (event.key === "ArrowUp") { event.preventDefault(); move(index, -1); }
                  if (event.key === "ArrowRight" && step.inner.length > 0) fold(step, true);
                  if (event.key === "ArrowLeft" && step.inner.length > 0) fold(step, false);
                }}>
                <StepRow step={step} longest={longest} currency={currency} />
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function StepRow({ step, longest, currency }: { step: StepView; longest: number; currency: string }) {
  const took = step.ended === null ? null : step.ended - step.began;
  const tokens = step.inputTokens + step.outputTokens;
  return (
    <>
      <span className="step-no"><span className="sr">{step.kind === "step" ? "Superstep " : ""}</span>{step.kind === "step" ? step.step : step.kind}</span>
      <span className="step-what">
        <span className="step-nodes">{step.path.length > 0 && <span className="step-path">{step.path.join(" › ")} › </span>}{step.kind === "fork" ? "begins from an older checkpoint" : names(step.nodes)}</span>
        <span className="chips">{step.changed.map((each) => <span key={each} className="chip">{each}</span>)}</span>
      </span>
      <span className="step-facts">
        {step.failures > 0 && <span className="fact is-bad">✕ {step.failures} failed</span>}
        {step.questions > 0 && <span className="fact is-ask">? {step.questions} asked</span>}
        {step.toolCalls > 0 && <span className="fact">{step.toolCalls} tool {step.toolCalls === 1 ? "call" : "calls"}{step.toolErrors > 0 ? `, ${step.toolErrors} failed` : ""}</span>}
        {tokens > 0 && <span className="fact">{short(tokens)} tokens</span>}
        {step.cost > 0 && <span className="fact">{money(step.cost, currency)}</span>}
        {step.kind === "step" && <span className="fact">{took !== null ? span(took) : step.questions + step.failures > 0 ? "" : "…"}</span>}
      </span>
      {took !== null && step.kind === "step" && <span className="bar" aria-hidden="true"><span style={{ width: `${Math.max(1, (100 * took) / longest)}%` }} /></span>}
    </>
  );
}

/** Names of nodes, each once, with how often it runs. */
export function names(nodes: string[]): string {
  const counts = new Map<string, number>();
  for (const node of nodes) counts.set(node, (counts.get(node) ?? 0) + 1);
  return [...counts].map(([node, count]) => count === 1 ? node : `${node} ×${count}`).join(", ");
}
