import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/client";
import type { Diagnostic, RagCheck, RagText, Topology } from "../api/types";
import { lineDiff } from "../model/diff";
import { GraphView } from "./GraphView";
import { useLoaded } from "./hooks";
import { Dialog, Failure, LineDiff, Status } from "./parts";

const CHECK_AFTER = 300;
const NONE: string[] = [];

/** The text of a graph, checked while it is typed; what changes is shown before it is saved. */
export function RagEditor({ graph }: { graph: string }) {
  const file = useLoaded(`rag ${graph}`, (signal) => api.rag(graph, signal));
  return (
    <div className="page">
      <Failure text={file.error} onRetry={file.reload} />
      {file.value && <Editor key={file.value.digest} graph={graph} file={file.value} onReload={file.reload} />}
    </div>
  );
}

const RANKS = ["error", "warning", "note"];

function worstFirst(all: Diagnostic[]): Diagnostic[] {
  return [...all].sort((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity) || a.span.start.byte - b.span.start.byte);
}

/** What the server finds in a text, a moment after the last key. */
function useCheck(graph: string, text: string): { check: RagCheck | null; error: string } {
  const [state, setState] = useState<{ check: RagCheck | null; error: string }>({ check: null, error: "" });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      api.ragCheck(graph, text, abort.signal).then(
        (check) => setState({ check, error: "" }),
        (error: unknown) => {
          if (!abort.signal.aborted) setState((before) => ({ ...before, error: String(error) }));
        },
      );
    }, CHECK_AFTER);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [graph, text]);
  return state;
}

/** Asks before a text that is not saved is left. */
function useLeaveQuestion(changed: boolean): void {
  useEffect(() => {
    if (!changed) return;
    const here = location.hash;
    const leave = (event: BeforeUnloadEvent): void => event.preventDefault();
    const move = (event: HashChangeEvent): void => {
      if (location.hash === here || confirm("The text is not saved. Leave it and lose the changes?")) return;
      event.stopImmediatePropagation();
      history.replaceState(null, "", here);
    };
    addEventListener("beforeunload", leave);
    // Before whoever shows the page that the address names.
    addEventListener("hashchange", move, { capture: true });
    return () => {
      removeEventListener("beforeunload", leave);
      removeEventListener("hashchange", move, { capture: true });
    };
  }, [changed]);
}

function Editor({ graph, file, onReload }: { graph: string; file: RagText; onReload: () => void }) {
  const [saved, setSaved] = useState(file);
  const [text, setText] = useState(file.text);
  const [shows, setShows] = useState(false);
  const [said, setSaid] = useState("");
  const { check, error } = useCheck(graph, text);
  const area = useRef<HTMLTextAreaElement>(null);
  const found = useMemo(() => worstFirst(check?.report?.diagnostics ?? []), [check]);
  const errors = check?.report?.errors ?? 0;
  const changed = text !== saved.text;
  useLeaveQuestion(changed);
  const jump = (diagnostic: Diagnostic): void => {
    const box = area.current;
    if (!box) return;
    const from = indexOf(text, diagnostic.span.start);
    box.focus();
    box.setSelectionRange(from, Math.max(from + 1, indexOf(text, diagnostic.span.end)));
    box.scrollTop = Math.max(0, (diagnostic.span.start.line - 4) * LINE);
  };
  return (
    <>
      <div className="page-head">
        <div className="crumbs"><h1>{graph}</h1><code className="hint">{file.path}</code>
          <Status of={errors > 0 ? "error" : "idle"} text={errors === 0 ? "no errors" : errors === 1 ? "1 error" : `${errors} errors`} />
        </div>
        <div className="actions">
          <button type="button" onClick={() => { setText(saved.text); onReload(); }} disabled={!changed}>Discard</button>
          <button type="button" className="primary" disabled={!changed || !file.editable} onClick={() => setShows(true)}>Review and save …</button>
        </div>
      </div>
      {!file.editable && <p className="hint">The server was started without editing, so changes can be tried here but not saved.</p>}
      <p className="saved" role="status">{said !== "" && !changed ? said : ""}</p>
      <Failure text={error} />
      <div className="rag-grid">
        <div className="rag-text">
          <Gutter text={text} found={found} area={area} />
          <textarea ref={area} className="mono" aria-label={`Text of ${graph}`} spellCheck={false} wrap="off" value={text} onChange={(event) => setText(event.target.value)} />
        </div>
        <div className="rag-side">
          <section className="card" aria-label="Findings" aria-live="polite">
            <h2>Findings</h2>
            {found.length === 0 && <p className="hint">Nothing was found.</p>}
            <ul className="findings">{found.map((each, i) => (
              <li key={i}><button type="button" className={`finding is-${each.severity}`} onClick={() => jump(each)}>
                <span className="finding-head"><strong>{each.severity}</strong> <code>{each.code}</code> <span className="hint">line {each.span.start.line}</span></span>
                <span>{each.message}</span>{each.help && <span className="hint">{each.help}</span>}
              </button></li>
            ))}</ul>
          </section>
          <Preview graph={graph} topology={check?.topology ?? null} checked={check !== null} />
        </div>
      </div>
      {shows && <SaveDialog graph={graph} before={saved} text={text} errors={errors} onClose={() => setShows(false)} onSaved={(next) => { setSaved(next); setShows(false); setSaid(`Saved as ${next.path}. The server runs the older text until its next start.`); }} />}
    </>
  );
}

/** The graph as it is written; while the text has errors, as it was before. */
function Preview({ graph, topology, checked }: { graph: string; topology: Topology | null; checked: boolean }) {
  const [last, setLast] = useState<Topology | null>(null);
  useEffect(() => {
    // A change of the text that changes nothing of the graph does not draw it again.
    if (topology) setLast((before) => before && JSON.stringify(before) === JSON.stringify(topology) ? before : topology);
  }, [topology]);
  const shown = last ?? topology;
  return (
    <section className="preview" aria-label="Preview">
      <p className={checked && !topology && shown ? "preview-note is-old" : "preview-note"} role="status">
        {!checked ? "The text is being checked …" : topology ? "The graph as the text says it"
          : shown ? "The text has errors: this is the graph before them" : "The text has errors, so there is no graph to draw yet"}
      </p>
      {shown && <GraphView topology={shown} model={null} version={0} marked={NONE} label={`Graph ${graph} as it is written`} />}
    </section>
  );
}

const LINE = 20;

function Gutter({ text, found, area }: { text: string; found: Diagnostic[]; area: React.RefObject<HTMLTextAreaElement | null> }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = area.current;
    if (!box) return;
    const scroll = (): void => {
      if (ref.current) ref.current.scrollTop = box.scrollTop;
    };
    box.addEventListener("scroll", scroll);
    return () => box.removeEventListener("scroll", scroll);
  }, [area]);
  const worst = useMemo(() => {
    const lines = new Map<number, string>();
    for (const each of found) if (lines.get(each.span.start.line) !== "error") lines.set(each.span.start.line, each.severity);
    return lines;
  }, [found]);
  return (
    <div className="gutter" ref={ref} aria-hidden="true">
      {text.split("\n").map((_, i) => <div key={i} className={worst.has(i + 1) ? `is-${worst.get(i + 1)}` : ""}>{i + 1}</div>)}
    </div>
  );
}

/** The place in a text of a line and a column, which count code points from 1. */
export function indexOf(text: string, place: { line: number; column: number }): number {
  const lines = text.split("\n");
  const before = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return before + [...(lines[place.line - 1] ?? "")].slice(0, place.column - 1).join("").length;
}

function SaveDialog({ graph, before, text, errors, onClose, onSaved }: {
  graph: string; before: RagText; text: string; errors: number; onClose: () => void; onSaved: (next: RagText) => void;
}) {
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const lines = useMemo(() => lineDiff(before.text, text), [before.text, text]);
  const save = (): void => {
    setBusy(true);
    api.ragSave(graph, text, before.digest).then(onSaved, (error: unknown) => {
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    });
  };
  return (
    <Dialog title="Review the change" onClose={onClose} wide>
      <LineDiff lines={lines} />
      {errors > 0 && <p className="mistake">The text has errors, so the graph cannot run like this.</p>}
      <p className="hint">The file is written as {before.path}. The server uses it from its next start on.</p>
      <Failure text={failure} />
      <div className="actions"><button type="button" className="primary" disabled={busy} onClick={save}>Approve and save</button></div>
    </Dialog>
  );
}
