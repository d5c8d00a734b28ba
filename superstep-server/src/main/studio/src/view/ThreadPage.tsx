import { useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import type { Problem, Summary, Topology } from "../api/types";
import { brief, count, money, plural, short, span } from "../model/format";
import { nodeKey, type StepView } from "../model/run";
import { Events } from "./Events";
import { GraphView } from "./GraphView";
import { go, type Journal, useJournal, useLoaded } from "./hooks";
import { Failure, Meter, Status, Tabs } from "./parts";
import { Questions } from "./Questions";
import { NextInput } from "./StartDialog";
import { StepPanel } from "./StepPanel";
import { Timeline } from "./Timeline";
import { Tools } from "./Tools";

/** A thread: its graph at work, how its state came to be, and what can be done with it. */
export function ThreadPage({ thread, at, inside, tab }: { thread: string; at: string | null; inside: string; tab: string }) {
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
    const own = at ? (inside === "" ? model.steps : model.steps.flatMap((each) => each.inner)) : [];
    const step = own.find((each) => each.checkpoint === at && each.task === inside);
    return step ? [...new Set(step.nodes.map((node) => nodeKey(step.path, node)))] : [];
    // The model changes in place; its version tells.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [at, inside, model, version]);
  const select = (step: StepView | null): void =>
    go({ view: "thread", thread, at: step?.checkpoint ?? null, ...(step?.task ? { inside: step.task } : {}), tab }, true);
  const act = (work: Promise<unknown>): void => {
    setFailure("");
    work.then(() => summary.reload(), (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  };
  const due = summary.value?.status === "busy" ? summary.value.next : undefined;
  useEffect(() => {
    if (due && due.length > 0) model.expect(due);
  }, [model, due]);
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
      <Lost journal={journal} />
      <Figures summary={summary.value} journal={journal} />
      <div className="thread-grid">
        <div className="thread-main">
          <GraphPart topology={topology.value} error={topology.error} journal={journal} marked={marked} />
          <Tabs label="Details" now={tab} onChange={(next) => go({ view: "thread", thread, at, ...(inside ? { inside } : {}), tab: next }, true)} tabs={[
            { id: "timeline", name: "Timeline", badge: model.steps.length },
            { id: "events", name: "Events", badge: model.entries.length },
            { id: "tools", name: "Tool calls", badge: model.tools.length },
          ]} />
          <div role="tabpanel" id={`panel-${tab}`} aria-labelledby={`tab-${tab}`} className="panel">
            {tab === "events" ? <Events entries={model.entries} version={version} />
              : tab === "tools" ? <Tools thread={thread} tools={model.tools} version={version} />
                : <Timeline steps={model.steps} version={version} at={selected} inside={inside} currency={summary.value?.totals?.currency ?? ""} onSelect={select} />}
          </div>
        </div>
        <div className="thread-side">
          <Questions thread={thread} graph={graph} questions={questions.value?.questions ?? []} onAnswered={() => { select(null); questions.reload(); }} />
          {status === "idle" && graph !== "" && (summary.value?.next?.length ?? 0) === 0 && (
            <NextInput thread={thread} graph={graph} onStarted={() => { select(null); summary.reload(); }} />
          )}
          <Problems summary={summary.value} />
          {selected && <StepPanel key={inside + selected} thread={thread} at={selected} inside={inside} newest={inside === "" && selected === newest} onChanged={() => { select(null); summary.reload(); questions.reload(); }} />}
        </div>
      </div>
    </div>
  );
}

function Connection({ journal }: { journal: Journal }) {
  const words = { loading: "loading", live: "live", waiting: "reconnecting", failed: "not connected" };
  return <span role="status" title={journal.why}><Status of={journal.connection} text={words[journal.connection]} /></span>;
}

/** Says that what is shown may be old, and that nobody has to do anything about it. */
function Lost({ journal }: { journal: Journal }) {
  if (journal.connection === "waiting") {
    return <p className="lost" role="status">The connection to the server is lost. The studio tries again by itself and goes on after the last event; none is missed.</p>;
  }
  return journal.connection === "failed" ? <Failure text={`The events of the thread are not shown. ${journal.why}`} /> : null;
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
        {...(totals && totals.modelCalls > 0 ? { sub: plural(totals.modelCalls, "model call") } : {})} />
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

/** Without the failures of nodes that ended a run, since the failure of the run tells the same. */
function told(all: Problem[]): Problem[] {
  return all.filter((each, i) => each.code !== "" || !all.slice(i + 1).some((later) => later.code !== "" && later.message.includes(each.message)));
}

/** Failures, the newest first; a message of the engine ends with what to do. */
function Problems({ summary }: { summary: Summary | null }) {
  const all = told(summary?.totals?.problems ?? []);
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
