import { useState } from "react";
import { api } from "../api/client";
import { useLoaded } from "./hooks";
import { GraphView } from "./GraphView";
import { Empty, Failure } from "./parts";
import { StartDialog } from "./StartDialog";

/** The graphs of the server, with those that no request can start and why. */
export function Graphs() {
  const list = useLoaded("graphs", (signal) => api.graphs(signal));
  const all = list.value?.graphs ?? [];
  return (
    <div className="page">
      <div className="page-head"><h1>Graphs</h1></div>
      <Failure text={list.error} onRetry={list.reload} />
      {list.value && all.length === 0 && <Empty title="This server serves no graph" />}
      <ul className="cards">{all.map((each) => (
        <li key={each.id} className="card">
          <div className="card-head"><h2>{each.startable ? <a href={`#/graphs/${encodeURIComponent(each.id)}`}>{each.id}</a> : each.id}</h2><span className="chip">{each.kind}</span></div>
          {each.description && <p>{each.description}</p>}
          {!each.startable && <p className="hint">Cannot be started here: {each.why}</p>}
          {each.kind === "rag" && <p><a href={`#/graphs/${encodeURIComponent(each.id)}/edit`}>Open its text</a></p>}
        </li>
      ))}</ul>
    </div>
  );
}

const NONE: string[] = [];

export function GraphPage({ graph }: { graph: string }) {
  const topology = useLoaded(`topology ${graph}`, (signal) => api.topology(graph, signal));
  const list = useLoaded("graphs", (signal) => api.graphs(signal));
  const [starts, setStarts] = useState(false);
  const entry = list.value?.graphs.find((each) => each.id === graph);
  return (
    <div className="page">
      <div className="page-head">
        <div className="crumbs"><h1>{graph}</h1>{entry && <span className="chip">{entry.kind}</span>}</div>
        <div className="actions">
          {entry?.kind === "rag" && <a className="button" href={`#/graphs/${encodeURIComponent(graph)}/edit`}>{list.value?.editable ? "Edit its text" : "Open its text"}</a>}
          {entry?.startable && <button type="button" className="primary" onClick={() => setStarts(true)}>Start a run</button>}
        </div>
      </div>
      {entry?.description && <p>{entry.description}</p>}
      <Failure text={topology.error} onRetry={topology.reload} />
      {topology.value && (
        <>
          <GraphView topology={topology.value} model={null} version={0} marked={NONE} label={`Graph ${graph}`} />
          <section className="card" aria-label="Channels"><h2>Channels</h2>
            <div className="table-box"><table><thead><tr><th>Name</th><th>Kind</th><th>Type</th></tr></thead>
              <tbody>{topology.value.channels.map((each) => <tr key={each.name}><td className="mono">{each.name}</td><td>{each.kind}</td><td className="mono">{each.type}</td></tr>)}</tbody></table></div>
          </section>
        </>
      )}
      {starts && <StartDialog graph={graph} onClose={() => setStarts(false)} />}
    </div>
  );
}
