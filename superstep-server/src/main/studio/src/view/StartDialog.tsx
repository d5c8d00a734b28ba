import { useMemo, useState } from "react";
import { api } from "../api/client";
import type { Json, JsonObject, Schema } from "../api/types";
import { isObject } from "../model/diff";
import { fieldOf, initial, violations } from "../model/schema";
import { FormField } from "./Form";
import { go, useLoaded } from "./hooks";
import { Dialog, Failure } from "./parts";

/** Starts a run of a graph on a new thread, with an input made in a form of its schema. */
export function StartDialog({ graph, onClose }: { graph?: string; onClose: () => void }) {
  const graphs = useLoaded("graphs", (signal) => api.graphs(signal));
  const [picked, setPicked] = useState(graph ?? "");
  const all = graphs.value?.graphs.filter((each) => each.startable) ?? [];
  const id = picked || all[0]?.id || "";
  return (
    <Dialog title="Start a run" onClose={onClose}>
      <Failure text={graphs.error} onRetry={graphs.reload} />
      <label className="field">Graph
        <select value={id} onChange={(event) => setPicked(event.target.value)}>
          {all.map((each) => <option key={each.id} value={each.id}>{each.id}{each.description ? `: ${each.description}` : ""}</option>)}
        </select>
      </label>
      {id !== "" && <InputForm key={id} graph={id} />}
    </Dialog>
  );
}

/** Gives a thread that has ended its next input, in a form of its graph. */
export function NextInput({ thread, graph, onStarted }: { thread: string; graph: string; onStarted: () => void }) {
  const [round, setRound] = useState(0);
  return (
    <section className="card next-input" aria-label="Next input">
      <h2>Next input</h2>
      <InputForm key={round} graph={graph} thread={thread} onStarted={() => { setRound(round + 1); onStarted(); }} />
    </section>
  );
}

interface InputProps {
  graph: string;
  /** The thread that goes on; without one, the run begins a new one. */
  thread?: string;
  onStarted?: () => void;
}

function InputForm({ graph, ...to }: InputProps) {
  const schemas = useLoaded(`schemas ${graph}`, (signal) => api.schemas(graph, signal));
  if (schemas.loading) return <p className="hint">Loading the form of the input …</p>;
  const known = schemas.value?.input_schema;
  const schema: Schema = isObject(known) ? (known as unknown as Schema) : {};
  return <><Failure text={schemas.error} /><InputFields graph={graph} schema={schema} {...to} /></>;
}

function InputFields({ graph, schema, thread, onStarted }: InputProps & { schema: Schema }) {
  const field = useMemo(() => fieldOf(schema), [schema]);
  const [value, setValue] = useState<Json>(() => field.kind === "json" ? {} : initial(field));
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const wrong = violations(value, schema);
  const start = async (): Promise<void> => {
    setTried(true);
    if (wrong.length > 0) return;
    setBusy(true);
    try {
      const id = thread ?? (await api.createThread(graph)).thread_id;
      await api.run(id, { assistant_id: graph, input: value as JsonObject });
      onStarted?.();
      if (thread === undefined) go({ view: "thread", thread: id, at: null, tab: "timeline" });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={(event) => { event.preventDefault(); void start(); }}>
      <FormField field={field} name="input" required value={value} path="" violations={tried ? wrong : []} onChange={setValue} />
      <Failure text={failure} />
      <div className="actions"><button type="submit" className="primary" disabled={busy}>{thread === undefined ? "Start" : "Send"}</button></div>
    </form>
  );
}
