import { useState } from "react";
import { api } from "../api/client";
import type { Json, Replayed, ThreadState } from "../api/types";
import { brief, plural } from "../model/format";
import { lineDiff } from "../model/diff";
import { go, useLoaded } from "./hooks";
import { Changes, Dialog, Failure, LineDiff } from "./parts";
import { StateChanges, StateValues } from "./State";
import { StateEditor } from "./StateEditor";

/** A checkpoint: what its superstep changed, the whole state, and what can be done from there. */
export function StepPanel({ thread, at, inside, newest, onChanged }: {
  thread: string; at: string; inside: string; newest: boolean; onChanged: () => void;
}) {
  const state = useLoaded(`state ${thread} ${inside} ${at}`, (signal) => api.state(thread, at, inside, signal));
  const parent = state.value?.checkpoint.parent ?? null;
  const before = useLoaded(parent ? `state ${thread} ${inside} ${parent}` : "", (signal) => api.state(thread, parent ?? undefined, inside, signal));
  const [edits, setEdits] = useState(false);
  const [forks, setForks] = useState(false);
  const [failure, setFailure] = useState("");
  const act = (work: () => Promise<void>): void => {
    setFailure("");
    work().catch((error: unknown) => setFailure(error instanceof Error ? error.message : String(error)));
  };
  const known = state.value;
  if (!known) return <section className="card" aria-label="Checkpoint"><Failure text={state.error} onRetry={state.reload} /></section>;
  const checkpoint = known.checkpoint;
  return (
    <section className="card" aria-label="Checkpoint">
      <div className="card-head">
        <h2>{checkpoint.source === "loop" ? `Superstep ${checkpoint.step}` : sourceName(checkpoint.source)}</h2>
        <code className="hint" title={checkpoint.id}>{brief(checkpoint.id)}</code>
      </div>
      <dl className="pairs">
        {inside !== "" && <><dt>Graph</dt><dd>{checkpoint.graph}</dd><dt>Inside of task</dt><dd><code>{inside.split("/").slice(1).join("/")}</code></dd></>}
        {checkpoint.ran.length > 0 && <><dt>Ran</dt><dd>{checkpoint.ran.join(", ")}</dd></>}
        <dt>Next</dt><dd>{checkpoint.next.length > 0 ? checkpoint.next.join(", ") : "nothing"}</dd>
        {checkpoint.origin && <><dt>From</dt><dd>{checkpoint.origin.kind} of <a href={`#/threads/${encodeURIComponent(checkpoint.origin.thread)}?at=${checkpoint.origin.checkpoint}`}>{brief(checkpoint.origin.thread)}</a></dd></>}
      </dl>
      {inside === "" && <div className="actions is-start">
        <button type="button" onClick={() => setForks(true)}>Fork from here</button>
        {!newest && <button type="button" onClick={() => act(async () => { await api.rewind(thread, at); onChanged(); })}>Rewind to here</button>}
        {newest && <button type="button" onClick={() => setEdits(true)}>Edit state</button>}
        <ReplayButton thread={thread} at={at} />
      </div>}
      {inside !== "" && <p className="hint">A superstep inside is taken back, edited or replayed with the superstep around it.</p>}
      {forks && <ForkDialog thread={thread} state={known} onClose={() => setForks(false)} />}
      <Failure text={failure} />
      <h3>What changed</h3>
      {parent && !before.value ? <Failure text={before.error} /> : <StateChanges before={before.value?.values ?? {}} after={known.values} />}
      <h3>State</h3>
      <StateValues values={known.values} />
      {edits && <StateEditor thread={thread} state={known} onClose={() => setEdits(false)} onSaved={() => { setEdits(false); onChanged(); }} />}
    </section>
  );
}

/** Says what a fork is before it makes one. */
function ForkDialog({ thread, state, onClose }: { thread: string; state: ThreadState; onClose: () => void }) {
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const { checkpoint } = state;
  const fork = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await api.fork(thread, checkpoint.id);
      go({ view: "thread", thread: made.thread, at: null, tab: "timeline" });
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="Fork from here" onClose={onClose}>
      <p>A new thread begins with the state of superstep {checkpoint.step} of {brief(thread)}. This thread stays as it is.</p>
      <p className="hint">{checkpoint.next.length > 0
        ? `Nothing runs yet: “Continue” on the new thread runs ${checkpoint.next.join(", ")}, and asks again what was asked there.`
        : "Nothing is due there: the new thread waits for its next input."}</p>
      <Failure text={failure} />
      <div className="actions"><button type="button" className="primary" disabled={busy} onClick={() => void fork()}>Make the new thread</button></div>
    </Dialog>
  );
}

function sourceName(source: string): string {
  const names: Record<string, string> = { input: "Input", update: "Edit", fork: "Fork", migration: "Migration" };
  return names[source] ?? source;
}

function ReplayButton({ thread, at }: { thread: string; at: string }) {
  const [result, setResult] = useState<Replayed | null>(null);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    setBusy(true);
    setFailure("");
    setResult(null);
    try {
      setResult(await api.replay(thread, { to: at }));
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <>
      <button type="button" disabled={busy} onClick={() => void run()}>{busy ? "Replaying …" : "Replay to here"}</button>
      <Failure text={failure} />
      {result && <ReplayResult result={result} />}
    </>
  );
}

/** What was recorded, and what happens now: place by place if both are JSON. */
function Sides({ recorded, now }: { recorded: string; now: string }) {
  const before = parsed(recorded);
  const after = parsed(now);
  return before !== undefined && after !== undefined
    ? <Changes before={before} after={after} /> : <LineDiff lines={lineDiff(recorded, now)} />;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** How a replay went, and the first place where it did something else. */
function ReplayResult({ result }: { result: Replayed }) {
  const divergence = result.divergence;
  return (
    <div className={`replay ${divergence ? "is-bad" : result.supersteps === 0 ? "" : "is-good"}`} role="status">
      {!divergence && result.supersteps === 0
        ? <p><strong>Nothing was compared.</strong> No superstep of this thread leads to this checkpoint.</p>
        : <p><strong>{divergence ? "The replay diverges." : "The replay agrees."}</strong> {plural(result.supersteps, "superstep agrees", "supersteps agree")}.</p>}
      {result.uncompared.map((each) => <p key={each} className="hint">Not compared: {each}.</p>)}
      {divergence && (
        <>
          <p>Superstep {divergence.step}{divergence.path.length > 0 ? ` in ${divergence.path.join(" / ")}` : ""}: {divergence.what}{" "}
            {divergence.node && <>of node <code>{divergence.node}</code></>} {divergence.channel && <>in channel <code>{divergence.channel}</code></>}</p>
          <Sides recorded={divergence.recorded} now={divergence.now} />
        </>
      )}
    </div>
  );
}
