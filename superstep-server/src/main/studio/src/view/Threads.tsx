import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/client";
import type { JsonObject, Summary, Thread } from "../api/types";
import { ago, brief, money, short } from "../model/format";
import { format } from "../model/route";
import { go, useLoaded } from "./hooks";
import { Empty, Failure, Status } from "./parts";
import { StartDialog } from "./StartDialog";

const PAGE = 50;
const STATUSES = ["", "busy", "interrupted", "stopped", "error", "idle"];
const LOADS_MOST = 4;

/** The summaries of the threads that were looked at, loaded a few at a time. */
function useSummaries(threads: Thread[]): Map<string, Summary> {
  const [known, setKnown] = useState<Map<string, Summary>>(new Map());
  const versions = useRef(new Map<string, string>());
  useEffect(() => {
    const abort = new AbortController();
    const wanted = threads.filter((each) => versions.current.get(each.thread_id) !== each.updated_at + each.status);
    const work = async (): Promise<void> => {
      for (let each = wanted.shift(); each && !abort.signal.aborted; each = wanted.shift()) {
        const thread = each;
        try {
          const summary = await api.summary(thread.thread_id, abort.signal);
          versions.current.set(thread.thread_id, thread.updated_at + thread.status);
          setKnown((before) => new Map(before).set(thread.thread_id, summary));
        } catch {
          // The list shows the thread without its figures; opening it says what is wrong.
        }
      }
    };
    for (let i = 0; i < LOADS_MOST; i++) void work();
    return () => abort.abort();
  }, [threads]);
  return known;
}

export function Threads() {
  const [status, setStatus] = useState("");
  const [text, setText] = useState("");
  const [pages, setPages] = useState(1);
  const [starts, setStarts] = useState(false);
  const [picked, setPicked] = useState<string[]>([]);
  const filter: JsonObject = { limit: PAGE * pages, offset: 0, sort_by: "updated_at", sort_order: "desc", ...(status ? { status: status === "stopped" ? "interrupted" : status } : {}) };
  const list = useLoaded(`threads ${status} ${pages}`, (signal) => api.threads(filter, signal));
  const threads = useMemo(() => list.value ?? [], [list.value]);
  const summaries = useSummaries(threads);
  const { reload } = list;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, 5000);
    return () => clearInterval(timer);
  }, [reload]);

  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = threads.filter((each) => {
    const all = `${each.thread_id} ${each.status} ${JSON.stringify(each.metadata)} ${summaries.get(each.thread_id)?.graph ?? ""}`.toLowerCase();
    // Clients of the API see stopped threads among the interrupted ones.
    const fits = status !== "stopped" && status !== "interrupted" || statusOf(each, summaries.get(each.thread_id)) === status;
    return fits && words.every((word) => all.includes(word));
  });
  const pick = (id: string): void => setPicked((before) => before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-2));
  return (
    <div className="page">
      <div className="page-head">
        <h1>Threads</h1>
        <button type="button" className="primary" onClick={() => setStarts(true)}>Start a run</button>
      </div>
      <div className="filters">
        <label className="search"><span className="sr">Search threads</span>
          <input type="search" placeholder="Search by id, graph or metadata" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <label><span className="sr">Status</span>
          <select value={status} onChange={(event) => setStatus(event.target.value)}>
            {STATUSES.map((each) => <option key={each} value={each}>{each === "" ? "any status" : each}</option>)}
          </select>
        </label>
        <button type="button" disabled={picked.length !== 2} onClick={() => go({ view: "compare", a: picked[0]!, b: picked[1]! })}>
          Compare{picked.length > 0 ? ` (${picked.length} of 2)` : ""}
        </button>
      </div>
      <Failure text={list.error} onRetry={list.reload} />
      {list.value && found.length === 0 && (
        <Empty title={threads.length === 0 ? "No threads yet" : "No thread matches"}>
          {threads.length === 0 && <p>Start a run here, or with any client of the API.</p>}
        </Empty>
      )}
      {found.length > 0 && (
        <div className="table-box">
          <table className="threads">
            <thead><tr><th><span className="sr">Compare</span></th><th>Thread</th><th>Graph</th><th>Status</th>
              <th className="num">Steps</th><th className="num">Tokens</th><th className="num">Cost</th><th>Updated</th></tr></thead>
            <tbody>{found.map((each) => (
              <Row key={each.thread_id} thread={each} summary={summaries.get(each.thread_id)} picked={picked.includes(each.thread_id)} onPick={pick} />
            ))}</tbody>
          </table>
        </div>
      )}
      {threads.length === PAGE * pages && <button type="button" onClick={() => setPages(pages + 1)}>Show more</button>}
      {starts && <StartDialog onClose={() => setStarts(false)} />}
    </div>
  );
}

/** A run that was cancelled waits for no answer, whatever clients of the API are told. */
function statusOf(thread: Thread, summary: Summary | undefined): string {
  return summary?.status === "stopped" && thread.status === "interrupted" ? "stopped" : thread.status;
}

function Row({ thread, summary, picked, onPick }: {
  thread: Thread; summary: Summary | undefined; picked: boolean; onPick: (id: string) => void;
}) {
  const id = thread.thread_id;
  const totals = summary?.totals;
  const status = statusOf(thread, summary);
  const graph = String(thread.metadata["graph_id"] ?? summary?.graph ?? "");
  return (
    <tr>
      <td><input type="checkbox" checked={picked} onChange={() => onPick(id)} aria-label={`Compare thread ${id}`} /></td>
      <td><a className="mono" href={format({ view: "thread", thread: id, at: null, tab: "timeline" })} title={id}>{brief(id)}</a></td>
      <td>{graph}</td>
      <td><Status of={status} /></td>
      <td className="num">{totals?.supersteps ?? ""}</td>
      <td className="num">{totals && totals.modelCalls > 0 ? short(totals.inputTokens + totals.outputTokens) : "–"}</td>
      <td className="num">{totals?.cost != null ? money(Number(totals.cost), totals.currency) : "–"}</td>
      <td><time dateTime={thread.updated_at}>{ago(Date.parse(thread.updated_at), Date.now())}</time></td>
    </tr>
  );
}
