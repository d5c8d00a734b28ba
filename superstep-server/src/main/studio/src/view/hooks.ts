import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { type Connection, follow } from "../api/live";
import { format, parse, type Route } from "../model/route";
import { RunModel } from "../model/run";

/** The place that the address names, and how to go elsewhere. */
export function useRoute(): Route {
  const hash = useSyncExternalStore(
    (changed) => {
      addEventListener("hashchange", changed);
      return () => removeEventListener("hashchange", changed);
    },
    () => location.hash,
  );
  return parse(hash);
}

export function go(route: Route, replace = false): void {
  if (replace) {
    history.replaceState(null, "", format(route));
    dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = format(route);
}

export interface Loaded<T> {
  value: T | null;
  error: string;
  loading: boolean;
  reload(): void;
}

/** Asks once, and again when the key changes. */
export function useLoaded<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; value: T | null; error: string; loading: boolean }>(
    { key, value: null, error: "", loading: true });
  const [round, setRound] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    if (key === "") return;
    const abort = new AbortController();
    setState((before) => ({ key, value: before.key === key ? before.value : null, error: "", loading: true }));
    latest.current(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ key, value, error: "", loading: false });
      },
      (error: unknown) => {
        if (abort.signal.aborted) return;
        setState((before) => ({ ...before, error: error instanceof Error ? error.message : String(error), loading: false }));
      },
    );
    return () => abort.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { value: state.key === key ? state.value : null, error: state.error, loading: state.loading, reload };
}

const SHOWN_EVERY = 160;
const SHOWN_SELDOM = 1000;
/** So many times as long as the page took to be drawn it does nothing, however slow the machine. */
const REST = 5;

export interface Journal {
  model: RunModel;
  version: number;
  connection: Connection;
  why: string;
}

/**
 * The journal of a thread, followed live. However fast events come, what shows them is drawn a few times a second.
 */
export function useJournal(thread: string): Journal {
  const [shown, setShown] = useState<Journal>(() => ({ model: new RunModel(), version: 0, connection: "loading", why: "" }));
  useEffect(() => {
    const model = new RunModel();
    let connection: Connection = "loading";
    let why = "";
    let timer: ReturnType<typeof setTimeout> | null = null;
    let took = 0;
    const show = (): void => {
      if (timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        const began = performance.now();
        setShown({ model, version: model.version, connection, why });
        // The second frame from here comes after what was drawn is seen.
        requestAnimationFrame(() => requestAnimationFrame(() => { took = performance.now() - began; }));
      }, Math.min(SHOWN_SELDOM, Math.max(SHOWN_EVERY, REST * took)));
    };
    setShown({ model, version: 0, connection, why });
    if (thread === "") return;
    const stop = follow(thread, {
      entries(all) {
        model.add(all);
        show();
      },
      connection(state, reason) {
        connection = state;
        why = reason;
        show();
      },
    });
    return () => {
      stop();
      if (timer !== null) clearTimeout(timer);
    };
  }, [thread]);
  return shown;
}

const AROUND = 4;

/** The part of a long list that can be seen, for rows of one height. */
export function useWindow(total: number, row: number): {
  ref: React.RefObject<HTMLDivElement | null>; from: number; to: number; onScroll: () => void; height: number; seen: number;
  slot: (index: number) => number;
} {
  const ref = useRef<HTMLDivElement | null>(null);
  const [place, setPlace] = useState({ top: 0, height: 400 });
  const onScroll = useCallback(() => {
    const top = ref.current?.scrollTop ?? 0;
    setPlace((before) => before.top === top ? before : { ...before, top });
  }, []);
  useEffect(() => {
    const box = ref.current;
    if (!box) return;
    // To ask for the height would make the browser lay out the page at once.
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.contentRect.height ?? 0;
      setPlace((before) => before.height === height ? before : { ...before, height });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  const rows = Math.ceil(place.height / row) + 2 * AROUND + 1;
  // The key of a row: rows that come into view take the elements of those that leave it.
  const slot = (index: number): number => index % rows;
  const from = Math.max(0, Math.floor(place.top / row) - AROUND);
  const to = Math.min(total, Math.ceil((place.top + place.height) / row) + AROUND);
  return { ref, from, to, onScroll, height: total * row, seen: place.height, slot };
}
