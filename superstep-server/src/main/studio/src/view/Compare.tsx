import { useMemo, useState } from "react";
import { api } from "../api/client";
import { align, type Pair } from "../model/compare";
import { brief, count, money, short, span } from "../model/format";
import type { StepView } from "../model/run";
import { go, useJournal, useLoaded } from "./hooks";
import { Changes, Empty, Failure, Status } from "./parts";
import { names } from "./Timeline";

/** Two threads beside each other: what they took, their supersteps, and how their states differ. */
export function Compare({ a, b }: { a: string; b: string }) {
  const list = useLoaded("threads to compare", (signal) => api.threads({ limit: 100, sort_by: "updated_at", sort_order: "desc" }, signal));
  const pick = (side: "a" | "b", thread: string): void => go({ view: "compare", a, b, [side]: thread } as { view: "compare"; a: string; b: string }, true);
  const choose = (side: "a" | "b", now: string) => (
    <label className="field">{side === "a" ? "First thread" : "Second thread"}
      <select value={now} onChange={(event) => pick(side, event.target.value)}>
        <option value="">choose …</option>
        {now !== "" && !list.value?.some((each) => each.thread_id === now) && <option value={now}>{now}</option>}
        {list.value?.map((each) => <option key={each.thread_id} value={each.thread_id}>{brief(each.thread_id)} · {String(each.metadata["graph_id"] ?? "")} · {each.status}</option>)}
      </select>
    </label>
  );
  return (
    <div className="page">
      <div className="page-head"><h1>Compare two threads</h1></div>
      <Failure text={list.error} onRetry={list.reload} />
      <div className="pair">{choose("a", a)}{choose("b", b)}</div>
      {a !== "" && b !== "" ? <Both key={`${a} ${b}`} a={a} b={b} /> : <Empty title="Choose two threads" />}
    </div>
  );
}

function Both({ a, b }: { a: string; b: string }) {
  const first = useJournal(a);
  const second = useJournal(b);
  const pairs = useMemo(() => align(first.model.steps, second.model.steps),
    // The models change in place; their versions tell.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [first.version, second.version, first.model, second.model]);
  const [chosen, setChosen] = useState<{ a: string | undefined; b: string | undefined }>({ a: undefined, b: undefined });
  const mark = `${first.model.steps.length} ${second.model.steps.length}`;
  const sums = [
    useLoaded(`summary ${a} ${first.model.runs.length}`, (signal) => api.summary(a, signal)),
    useLoaded(`summary ${b} ${second.model.runs.length}`, (signal) => api.summary(b, signal)),
  ];
  const one = useLoaded(`state ${a} ${chosen.a ?? mark}`, (signal) => api.state(a, chosen.a, undefined, signal));
  const other = useLoaded(`state ${b} ${chosen.b ?? mark}`, (signal) => api.state(b, chosen.b, undefined, signal));
  return (
    <>
      <div className="pair">{[a, b].map((thread, i) => {
        const summary = sums[i]?.value;
        const totals = summary?.totals;
        const model = i === 0 ? first.model : second.model;
        const time = model.steps.reduce((sum, step) => sum + (step.ended ?? step.began) - step.began, 0);
        return (
          <section key={i} className="card" aria-label={i === 0 ? "First thread" : "Second thread"}>
            <div className="card-head"><h2><a href={`#/threads/${encodeURIComponent(thread)}`}>{brief(thread)}</a></h2>{summary && <Status of={summary.status} />}</div>
            <dl className="pairs">
              <dt>Supersteps</dt><dd>{count(model.steps.length)}</dd><dt>Time at work</dt><dd>{span(time)}</dd>
              <dt>Tokens</dt><dd>{totals ? short(totals.inputTokens + totals.outputTokens) : "–"}</dd>
              <dt>Cost</dt><dd>{totals?.cost != null ? money(Number(totals.cost), totals.currency) : "–"}</dd>
              <dt>Tool calls</dt><dd>{totals ? count(totals.toolCalls) : "–"}</dd>
            </dl>
          </section>
        );
      })}</div>
      <section className="card" aria-label="Supersteps">
        <h2>Supersteps</h2>
        <p className="hint">Choose a row to compare the states after it. {chosen.a ?? chosen.b ? <button type="button" className="link" onClick={() => setChosen({ a: undefined, b: undefined })}>Compare the newest states</button> : null}</p>
        <ol className="compare-list">{pairs.map((pair, i) => <PairRow key={i} pair={pair} on={chosen.a === pair.a?.checkpoint && chosen.b === pair.b?.checkpoint && chosen.a !== undefined} onChoose={setChosen} />)}</ol>
      </section>
      <section className="card" aria-label="Difference of the states">
        <h2>{chosen.a ? "States after the chosen superstep" : "Newest states"}</h2>
        <Failure text={one.error || other.error} />
        {one.value && other.value && <Changes before={one.value.values} after={other.value.values} />}
      </section>
    </>
  );
}

function PairRow({ pair, on, onChoose }: { pair: Pair; on: boolean; onChoose: (chosen: { a: string; b: string }) => void }) {
  const { a, b } = pair;
  const usable = a !== null && b !== null && a.checkpoint !== "" && b.checkpoint !== "";
  return (
    <li>
      <button type="button" className={`pair-row${pair.same ? "" : " is-other"}${on ? " is-selected" : ""}`} aria-pressed={on} disabled={!usable}
        onClick={() => usable && onChoose({ a: a.checkpoint, b: b.checkpoint })}>
        <Side step={a} /><Side step={b} />
      </button>
    </li>
  );
}

function Side({ step }: { step: StepView | null }) {
  if (!step) return <span className="side is-none">–</span>;
  return (
    <span className="side"><span className="step-no">{step.kind === "step" ? step.step : step.kind}</span> {names(step.nodes)}
      <span className="hint"> {step.ended === null ? "" : span(step.ended - step.began)}</span></span>
  );
}
