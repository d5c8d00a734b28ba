import { type ReactNode, useEffect, useId, useRef } from "react";
import type { Json } from "../api/types";
import { type Change, changes, type DiffLine, isObject } from "../model/diff";

const SYMBOLS: Record<string, string> = {
  busy: "●", running: "●", pending: "○", idle: "✓", done: "✓", completed: "✓", interrupted: "?", asked: "?",
  error: "✕", failed: "✕", stopped: "■", skipped: "–", live: "●", loading: "○", waiting: "○",
};

/** A state in a word, with a sign and a colour that say the same. */
export function Status({ of, text }: { of: string; text?: string }) {
  return <span className={`status is-${of}`}><span aria-hidden="true">{SYMBOLS[of] ?? "·"}</span>{text ?? of}</span>;
}

export function Failure({ text, onRetry }: { text: string; onRetry?: () => void }) {
  if (text === "") return null;
  return (
    <div className="failure" role="alert">
      <p>{text}</p>
      {onRetry && <button type="button" onClick={onRetry}>Try again</button>}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return <div className="empty"><p className="empty-title">{title}</p>{children}</div>;
}

/** A window over the page that holds the focus until it is closed. */
export function Dialog({ title, onClose, wide, children }: {
  title: string; onClose: () => void; wide?: boolean; children: ReactNode;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || dialog.open) return;
    dialog.showModal();
    // The browser would take the first control, which closes the window.
    dialog.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea, .primary")?.focus();
  }, []);
  return (
    <dialog ref={ref} aria-labelledby={id} className={wide ? "wide" : ""} onClose={onClose}>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="quiet" aria-label="Close" onClick={() => ref.current?.close()}>✕</button>
      </div>
      {children}
    </dialog>
  );
}

export function Meter({ label, value, sub }: { label: string; value: ReactNode; sub?: string }) {
  return <div className="meter"><dt>{label}</dt><dd>{value}{sub && <small>{sub}</small>}</dd></div>;
}

const TEXT_MOST = 4000;

export function shown(value: Json | undefined): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 1);
  return text.length <= TEXT_MOST ? text : `${text.slice(0, TEXT_MOST)}… (${text.length} characters)`;
}

/** A value as a tree that can be unfolded. */
export function Tree({ value, name, open }: { value: Json; name?: string; open?: boolean }) {
  const label = name === undefined ? null : <span className="key">{name}</span>;
  if (!Array.isArray(value) && !isObject(value)) {
    return <div className="leaf">{label}<span className={`v-${value === null ? "null" : typeof value}`}>{shown(value)}</span></div>;
  }
  const parts = Array.isArray(value) ? value.map((each, i) => [String(i), each] as const) : Object.entries(value);
  const size = Array.isArray(value) ? `[${parts.length}]` : `{${parts.length}}`;
  if (parts.length === 0) return <div className="leaf">{label}<span className="v-null">{Array.isArray(value) ? "[]" : "{}"}</span></div>;
  return (
    <details className="tree" open={open ?? false}>
      <summary>{label}<span className="size">{size}</span></summary>
      {parts.slice(0, 200).map(([key, each]) => <Tree key={key} name={key} value={each} open={parts.length === 1} />)}
      {parts.length > 200 && <p className="hint">{parts.length - 200} more</p>}
    </details>
  );
}

/** What differs between two states. */
export function Changes({ before, after }: { before: Json | undefined; after: Json | undefined }) {
  const all = changes(before, after);
  if (all.length === 0) return <p className="hint">Nothing has changed.</p>;
  return <ul className="changes" aria-label="Changes" tabIndex={0}>{all.map((change) => <ChangeRow key={change.path.join("/")} change={change} />)}</ul>;
}

function ChangeRow({ change }: { change: Change }) {
  return (
    <li className={`change is-${change.kind}`}>
      <div className="change-path"><code>{change.path.join(" › ") || "value"}</code><span>{change.kind}</span></div>
      {change.before !== undefined && <pre className="before"><span className="sr">before: </span>{shown(change.before)}</pre>}
      {change.after !== undefined && <pre className="after"><span className="sr">after: </span>{shown(change.after)}</pre>}
    </li>
  );
}

const AROUND = 3;

/** The lines that differ, with some around them. */
export function LineDiff({ lines }: { lines: DiffLine[] }) {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some((each) => each.kind !== "same"));
  return (
    <div className="line-diff" role="group" aria-label="Changed lines" tabIndex={0}>
      {lines.map((line, i) => {
        if (!near[i]) return i > 0 && !near[i - 1] ? null : <div key={i} className="gap">⋯</div>;
        return (
          <div key={i} className={`line is-${line.kind}`}>
            <span className="no" aria-hidden="true">{line.before ?? ""}</span>
            <span className="no" aria-hidden="true">{line.after ?? ""}</span>
            <span className="sign">{line.kind === "added" ? "+" : line.kind === "removed" ? "−" : " "}</span>
            <code>{line.text}</code>
          </div>
        );
      })}
    </div>
  );
}

/** Parts of a page of which one is shown, moved through by the arrow keys. */
export function Tabs({ tabs, now, onChange, label }: {
  tabs: { id: string; name: string; badge?: number }[]; now: string; onChange: (id: string) => void; label: string;
}) {
  const move = (by: number): void => {
    const at = tabs.findIndex((tab) => tab.id === now);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (!next) return;
    onChange(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={(event) => {
      if (event.key === "ArrowRight") move(1);
      else if (event.key === "ArrowLeft") move(-1);
    }}>
      {tabs.map((tab) => (
        <button key={tab.id} id={`tab-${tab.id}`} type="button" role="tab" aria-selected={tab.id === now}
          aria-controls={`panel-${tab.id}`} tabIndex={tab.id === now ? 0 : -1} onClick={() => onChange(tab.id)}>
          {tab.name}{tab.badge ? <span className="badge">{tab.badge}</span> : null}
        </button>
      ))}
    </div>
  );
}
