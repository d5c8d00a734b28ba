import { api, ApiError, failure, headers } from "./client";
import { FrameParser } from "./sse";
import type { Entry, RunEvent } from "./types";

const PAGE = 2_000;
const BACKOFF_FIRST = 500;
const BACKOFF_MOST = 5_000;
/** The server sends a comment every three seconds, so a connection that is silent for longer is dead. */
const SILENCE_MOST = 12_000;

export type Connection = "loading" | "live" | "waiting" | "failed";

export interface Listener {
  entries(all: Entry[]): void;
  connection(state: Connection, why: string): void;
}

/**
 * Follows the journal of a thread: what is there page by page, then what comes. After a loss of the connection it
 * goes on after the last event that it has, so that none is missing and none comes twice.
 */
export function follow(thread: string, listener: Listener): () => void {
  const abort = new AbortController();
  void run(thread, listener, abort.signal);
  return () => abort.abort();
}

async function run(thread: string, listener: Listener, signal: AbortSignal): Promise<void> {
  let after = 0;
  let delay = BACKOFF_FIRST;
  const take = (entries: Entry[]): void => {
    const fresh = entries.filter((entry) => entry.offset > after);
    if (fresh.length === 0) return;
    after = fresh[fresh.length - 1]!.offset;
    delay = BACKOFF_FIRST;
    listener.entries(fresh);
  };
  listener.connection("loading", "");
  while (!signal.aborted) {
    try {
      await pages(thread, () => after, take, signal);
      await stream(thread, after, take, listener, signal);
    } catch (error) {
      if (signal.aborted) return;
      const why = error instanceof Error ? error.message : String(error);
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
        listener.connection("failed", why);
        return;
      }
      listener.connection("waiting", why);
    }
    await pause(delay, signal);
    delay = Math.min(delay * 2, BACKOFF_MOST);
  }
}

async function pages(
  thread: string, after: () => number, take: (entries: Entry[]) => void, signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const page = await api.events(thread, after(), PAGE, signal);
    take(page.events);
    if (page.events.length < PAGE) return;
  }
}

async function stream(
  thread: string, after: number, take: (entries: Entry[]) => void, listener: Listener, signal: AbortSignal,
): Promise<void> {
  const response = await fetch(api.eventsPath(thread, after), {
    headers: headers({ accept: "text/event-stream", "last-event-id": String(after) }), signal,
  });
  if (!response.ok || !response.body) throw await failure(response);
  listener.connection("live", "");
  const parser = new FrameParser();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await heard(reader);
    if (done) throw new Error("The connection was closed.");
    const frames = parser.push(value);
    take(frames.map((frame) => ({ offset: Number(frame.id), event: JSON.parse(frame.data) as RunEvent })));
  }
}

async function heard<T>(reader: ReadableStreamDefaultReader<T>): Promise<ReadableStreamReadResult<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error("The server is silent.")), SILENCE_MOST);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits, but not longer than until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      done();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
