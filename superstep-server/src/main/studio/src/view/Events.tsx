import { useEffect, useMemo, useRef, useState } from "react";
import type { Entry, Json } from "../api/types";
import { clock, plural } from "../model/format";
import { useWindow } from "./hooks";
import { Empty, Tree } from "./parts";

const ROW = 30;

/** All events of a thread, however many: only those that can be seen are drawn. */
export function Events({ entries, version }: { entries: Entry[]; version: number }) {
  const [text, setText] = useState("");
  const [picked, setPicked] = useState<Entry | null>(null);
  const [follows, setFollows] = useState(true);
  const found = useFiltered(entries, version, text);
  const view = useWindow(found.length, ROW);
  const { ref } = view;
  useEffect(() => {
    if (follows && ref.current) ref.current.scrollTop = found.length * ROW;
  }, [found.length, follows, ref]);
  const onScroll = (): void => {
    view.onScroll();
    setFollows((ref.current?.scrollTop ?? 0) + view.seen >= view.height - 2 * ROW);
  };
  return (
    <div className="events">
      <div className="filters">
        <label className="search"><span className="sr">Filter events</span>
          <input type="search" placeholder="Filter by type, node or task" value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <span className="hint" role="status">{plural(found.length, "event")}</span>
      </div>
      {found.length === 0 && <Empty title={entries.length === 0 ? "No event yet" : "No event matches"} />}
      <div className="scroll" ref={ref} onScroll={onScroll} tabIndex={0} role="group" aria-label="Events">
        <ol className="event-list" style={{ height: view.height }}>
          {found.slice(view.from, view.to).map((entry, i) => (
            <li key={view.slot(view.from + i)} style={{ top: (view.from + i) * ROW, height: ROW }} aria-setsize={found.length} aria-posinset={view.from + i + 1}>
              <button type="button" className={picked?.offset === entry.offset ? "is-selected" : ""} onClick={() => setPicked(entry)}>
                <span className="no">{entry.offset}</span>
                <span className="time">{clock(entry.event.origin.at)}</span>
                <span className="type">{String(entry.event["name"] ?? entry.event.type)}</span>
                <span className="where">{[...entry.event.origin.path, entry.event.node ?? ""].filter(Boolean).join(" › ")}</span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      {picked && (
        <div className="picked" role="region" aria-label="Event">
          <div className="picked-head"><strong>{picked.event.type}</strong> <span className="hint">{picked.offset}</span>
            <button type="button" className="quiet" aria-label="Close the event" onClick={() => setPicked(null)}>✕</button></div>
          <Tree value={picked.event as unknown as Json} open />
        </div>
      )}
    </div>
  );
}

/** What matches, brought up to date from where it was; the whole list is searched only for another text. */
function useFiltered(entries: Entry[], version: number, text: string): Entry[] {
  const state = useRef<{ of: Entry[]; text: string; seen: number; found: Entry[] }>({ of: entries, text: "", seen: 0, found: [] });
  return useMemo(() => {
    void version;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return entries;
    let known = state.current;
    if (known.of !== entries || known.text !== text) known = { of: entries, text, seen: 0, found: [] };
    const more: Entry[] = [];
    for (let i = known.seen; i < entries.length; i++) {
      const { event } = entries[i]!;
      const all = `${event.type} ${String(event["name"] ?? "")} ${event.origin.path.join(" ")} ${event.node ?? ""} ${event.task ?? ""}`.toLowerCase();
      if (words.every((word) => all.includes(word))) more.push(entries[i]!);
    }
    state.current = { of: entries, text, seen: entries.length, found: more.length === 0 ? known.found : [...known.found, ...more] };
    return state.current.found;
  }, [entries, version, text]);
}
