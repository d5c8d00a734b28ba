import { useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import type { Summary, Topology } from "../api/types";
import { brief, count, money, short, span } from "../model/format";
import { nodeKey } from "../model/run";
import { Events } from "./Events";
import { GraphView } from "./GraphView";
import { go, type Journal, useJournal, useLoaded } from "./hooks";
import { Failure, Meter, Status, Tabs } from "./parts";
import { Questions } from "./Questions";
import { StepPanel } from "./StepPanel";
import { Timeline } from "./Timeline";
import { Tools } from "./Tools";

/** A thread: its graph at work, how its state came to be, and what can be done with it. */
export function ThreadPage({ thread, at, tab }: { thread: string; at: string | null; tab: string }) {
  const journal = useJournal(thread);
  const summary = useLoaded(`summary ${thread}`, (signal) => api.summary(thread, signal));
  const questions = useLoaded(`questions ${thread}`, (signal) => api.questions(thread, signal));
  const graph = summary.value?.graph ?? "";
  const topology = useLoaded(graph === "" ? "" : `topology ${graph}`, (signal) => api.topology(graph, signal));
  const [failure, setFailure] = useState("");
  const { model, version } = journal;

  // What is not in the events is asked again when something has ended or changed.
  const marks = `${model.runs.length} ${model.run()?.how ?? ""} ${model.steps.length}`;
  const { reload: reloadSummary } = summary;
  const { reload: reloadQuestions } = questions;
  useEffect(() => {
    const timer = setTimeout(() => {
      reloadSummary();
      reloadQuestions();
    }, 250);
    return () => clearTimeout(timer);
  }, [marks, reloadSummary, reloadQuestions]);

  const newest = summary.value?.checkpoint ?? null;
  const selected = at ?? newest;
  const marked = useMemo(() => {
    const step = at ? model.steps.find((each) => each.checkpoint === at) : undefined;
    return step ? [...new Set(step.nodes.map((node) => nodeKey([], node)))] : [];
    // The model changes in place; its version tells.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [at, model, version]);
  const select = (checkpoint: string | null): void => go({ view: "thread", thread, at: checkpoint, tab }, true);
  const act = (work: Promise<unknown>): void => {
    setFailure("");
    work.then(() => summary.reload(), (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  };
  const status = model.run()?.how === "running" ? "busy" : (summary.value?.status ?? "");
  return (
    <div className="page thread">
      <div className="page-head">
        <div className="crumbs"><h1>Thread <code title={thread}>{brief(thread)}</code></h1>
          {graph && <a href={`#/graphs/${encodeURIComponent(graph)}`}>{graph}</a>}
          {status && <Status of={status} />}<Connection journal={journal} />
        </div>
        <div className="actions">
          {status === "busy" && <button type="button" onClick={() => act(api.cancel(thread))}>Cancel the run</button>}
          {(status === "stopped" || status === "error" || (status === "idle" && (summary.value?.next?.length ?? 0) > 0)) && (
            <button type="button" className="primary" onClick={() => act(api.run(thread, { assistant_id: graph, input: null }))}>Continue</button>
          )}
          <button type="button" onClick={() => go({ view: "compare", a: thread, b: "" })}>Compare …</button>
        </div>
      </div>
      <Failure text={failure || summary.error} />
      <Figures summary={summary.value} journal={journal} />
      <div className="thread-grid">
        <div className="thread-main">
          <GraphPart topology={topology.value} error={topology.error} journal={journal} marked={marked} />
          <Tabs label="Details" now={tab} onChange={(next) => go({ view: "thread", thread, at, tab: next }, true)} tabs={[
            { id: "timeline", name: "Timeline", badge: model.steps.length },
            { id: "events", name: "Events", badge: model.entries.length },
            { id: "tools", name: "Tool calls", badge: model.tools.length },
          ]} />
          <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className="panel">
            {tab === "events" ? <Events entries={model.entries} version={version} />
              : tab === "tools" ? <Tools tools={model.tools} version={version} />
                : <Timeline steps={model.steps} version={version} at={selected} currency={summary.value?.totals?.currency ?? ""} onSelect={select} />}
          </div>
        </div>
        <div className="thread-side">
          <Questions thread={thread} graph={graph} questions={questions.value?.questions ?? []} onAnswered={() => { select(null); questions.reload(); }} />
          <Problems summary={summary.value} />
          {selected && <StepPanel key={selected} thread={thread} at={selected} newest={selected === newest} onChanged={() => { select(null); summary.reload(); questions.reload(); }} />}
        </div>
      </div>
    </div>
  );
}

function Connection({ journal }: { journal: Journal }) {
  const words = { loading: "loading", live: "live", waiting: "reconnecting", failed: "not connected" };
  return <span role="status" title={journal.why}><Status of={journal.connection} text={words[journal.connection]} /></span>;
}

function Figures({ summary, journal }: { summary: Summary | null; journal: Journal }) {
  const totals = summary?.totals;
  const run = journal.model.run();
  const took = run ? (run.ended ?? Date.now()) - run.began : null;
  return (
    <dl className="meters">
      <Meter label="Supersteps" value={count(totals?.supersteps ?? journal.model.steps.length)} />
      <Meter label="Last run" value={took === null ? "–" : span(took)} {...(run ? { sub: run.how } : {})} />
      <Meter label="Tokens" value={totals && totals.modelCalls > 0 ? short(totals.inputTokens + totals.outputTokens) : "–"}
        {...(totals && totals.modelCalls > 0 ? { sub: `${count(totals.modelCalls)} model calls` } : {})} />
      <Meter label="Cost" value={totals?.cost != null ? money(Number(totals.cost), totals.currency) : "–"} />
      <Meter label="Tool calls" value={totals ? count(totals.toolCalls) : "–"} {...(totals && totals.toolErrors > 0 ? { sub: `${totals.toolErrors} failed` } : {})} />
      <Meter label="Events" value={count(journal.model.entries.length)} />
    </dl>
  );
}

function GraphPart({ topology, error, journal, marked }: {
  topology: Topology | null; error: string; journal: Journal; marked: string[];
}) {
  if (error) return <Failure text={`The graph is not shown. ${error}`} />;
  if (!topology) return <div className="graph is-empty" />;
  return <GraphView topology={topology} model={journal.model} version={journal.version} marked={marked} label={`Graph ${topology.graph}`} />;
}

/** Failures, the newest first; a message of the engine ends with what to do. */
function Problems({ summary }: { summary: Summary | null }) {
  const all = summary?.totals?.problems ?? [];
  if (all.length === 0) return null;
  return (
    <section className="card" aria-label="Failures">
      <h2>{all.length === 1 ? "1 failure" : `${all.length} failures`}</h2>
      <ul className="problems">
        {[...all].reverse().map((problem) => (
          <li key={problem.offset}>
            <p>{problem.node && <code>{problem.node}</code>} {problem.code && <code className="code">{problem.code}</code>}</p>
            <p className="problem-text">{problem.message}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
