import { useState } from "react";
import { api } from "../api/client";
import type { Json } from "../api/types";
import { count, span } from "../model/format";
import type { ToolUse } from "../model/run";
import { useLoaded, useWindow } from "./hooks";
import { Empty, Failure, Status, Tree } from "./parts";

const ROW = 34;
const TEXT_MOST = 2000;

/** The calls of tools, in the order in which they began; one of them with what it was asked and what it answered. */
export function Tools({ thread, tools, version }: { thread: string; tools: ToolUse[]; version: number }) {
  void version;
  const view = useWindow(tools.length, ROW);
  const [open, setOpen] = useState<number | null>(null);
  if (tools.length === 0) return <Empty title="No tool was called" />;
  const shown = tools.find((use) => use.offset === open);
  return (
    <>
      <div className="scroll" style={{ height: `min(46vh, 460px, ${view.height + 1}px)` }} ref={view.ref} onScroll={view.onScroll} tabIndex={0} role="group" aria-label="Tool calls">
        <ol className="tool-list" style={{ height: view.height }}>
          {tools.slice(view.from, view.to).map((use, i) => (
            <li key={view.slot(view.from + i)} style={{ top: (view.from + i) * ROW, height: ROW }}>
              <button type="button" className={`tool-row${use.offset === open ? " is-selected" : ""}`} aria-expanded={use.offset === open}
                onClick={() => setOpen(use.offset === open ? null : use.offset)}>
                <code>{use.tool}</code>
                <span className="hint">{[...use.path, use.agent].filter((each) => each !== "").join(" › ")}</span>
                <Status of={use.state} />
                <span className="num">{use.state === "running" ? "" : span(use.took)}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {shown && <Call key={shown.offset} thread={thread} use={shown} />}
    </>
  );
}

function Call({ thread, use }: { thread: string; use: ToolUse }) {
  const at = use.step?.checkpoint ?? "";
  const known = useLoaded(`call ${thread} ${use.offset} ${use.state} ${at}`,
    (signal) => api.call(thread, use.call, at, use.task, signal));
  const call = known.value;
  return (
    <section className="tool-call" aria-label={`Call of ${use.tool}`}>
      <Failure text={known.error} onRetry={known.reload} />
      {call && <>
        <h3>Arguments</h3>
        <Arguments text={call.arguments} length={call.arguments_length} />
        <h3>{call.failed ? "Error" : "Result"}</h3>
        {call.result === undefined ? <p className="hint">{use.state === "running" ? "The tool is at work." : "No answer is saved."}</p>
          : <Text text={call.result} length={call.result_length} label={call.failed ? "Error" : "Result"} />}
      </>}
    </section>
  );
}

function Arguments({ text, length }: { text: string; length: number | undefined }) {
  const value = parsed(text);
  return value === undefined || length !== undefined
    ? <Text text={text} length={length} label="Arguments" /> : <div className="tool-arguments"><Tree value={value} open /></div>;
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** A text of which the begin is shown until somebody wants all of it. */
function Text({ text, length, label }: { text: string; length: number | undefined; label: string }) {
  const [whole, setWhole] = useState(false);
  const isLong = text.length > TEXT_MOST;
  return (
    <>
      <pre className="tool-text" tabIndex={0} role="group" aria-label={label}>{isLong && !whole ? `${text.slice(0, TEXT_MOST)}…` : text}</pre>
      {isLong && <button type="button" className="quiet" onClick={() => setWhole(!whole)}>{whole ? "Show less" : `Show all ${count(text.length)} characters`}</button>}
      {length !== undefined && whole && <p className="hint">These are the first {count(text.length)} of {count(length)} characters.</p>}
    </>
  );
}
