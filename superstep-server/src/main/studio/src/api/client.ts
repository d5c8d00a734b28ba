import type {
  Checkpoint, EventPage, GraphEntry, Json, JsonObject, Question, RagCheck, RagText, Replayed, Summary, Thread,
  ThreadState, ToolCall, Topology,
} from "./types";

const KEY = "superstep.key";
const REFUSED = "superstep.refused";

/** The address of the API: the studio is one folder below it, wherever the server is mounted. */
export const root = typeof document === "undefined" ? "" : new URL("..", document.baseURI).href.replace(/\/$/, "");

/** An answer that is no success, with what the server says about it. */
export class ApiError extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export function apiKey(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

export function setApiKey(key: string): void {
  if (key === "") sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, key);
}

export function headers(more: Record<string, string> = {}): Record<string, string> {
  const key = apiKey();
  // Keys and signed tokens go the same way; none ever goes into an address.
  return key === "" ? more : { authorization: `Bearer ${key}`, "x-api-key": key, ...more };
}

/** Calls back when a request was refused since it shows no key, or none that the server knows. */
export function onRefused(told: () => void): () => void {
  addEventListener(REFUSED, told);
  return () => removeEventListener(REFUSED, told);
}

/** What a person can do about an error of the server is in its message, in one of these forms. */
export async function failure(response: Response): Promise<ApiError> {
  if (response.status === 401) dispatchEvent(new Event(REFUSED));
  const text = await response.text();
  try {
    const body = JSON.parse(text) as { detail?: string; message?: string; error?: string };
    const said = body.detail ?? body.message ?? body.error;
    return new ApiError(response.status, typeof said === "string" ? said : text);
  } catch {
    return new ApiError(response.status, text || `The server answers with status ${response.status}.`);
  }
}

async function send<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit = { method, headers: headers() };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = headers({ "content-type": "application/json" });
  }
  if (signal) init.signal = signal;
  let response: Response;
  try {
    response = await fetch(root + path, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "The server does not answer. Is it running?");
  }
  if (!response.ok) throw await failure(response);
  return (response.status === 204 || response.status === 202 ? undefined : await response.json()) as T;
}

const part = encodeURIComponent;
const get = <T>(path: string, signal?: AbortSignal): Promise<T> => send<T>("GET", path, undefined, signal);

function query(values: Record<string, string | number | undefined>): string {
  const all = Object.entries(values).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${part(String(value))}`);
  return all.length === 0 ? "" : "?" + all.join("&");
}

/** What the studio asks of a server. */
export const api = {
  graphs: (signal?: AbortSignal) => get<{ editable: boolean; graphs: GraphEntry[] }>("/superstep/graphs", signal),
  topology: (graph: string, signal?: AbortSignal) => get<Topology>(`/superstep/graphs/${part(graph)}/topology`, signal),

  threads: (filter: JsonObject, signal?: AbortSignal) => send<Thread[]>("POST", "/threads/search", filter, signal),
  summary: (thread: string, signal?: AbortSignal) => get<Summary>(`/superstep/threads/${part(thread)}/summary`, signal),
  events: (thread: string, after: number, limit: number, signal?: AbortSignal) =>
    get<EventPage>(`/superstep/threads/${part(thread)}/events` + query({ after, limit }), signal),
  eventsPath: (thread: string, after: number) => `${root}/superstep/threads/${part(thread)}/events` + query({ after }),
  questions: (thread: string, signal?: AbortSignal) =>
    get<{ questions: Question[] }>(`/superstep/threads/${part(thread)}/questions`, signal),
  state: (thread: string, checkpoint?: string, task?: string, signal?: AbortSignal) =>
    get<ThreadState>(`/superstep/threads/${part(thread)}/state` + query({ checkpoint, task: task || undefined }), signal),
  call: (thread: string, call: string, checkpoint?: string, task?: string, signal?: AbortSignal) =>
    get<ToolCall>(`/superstep/threads/${part(thread)}/calls/${part(call)}`
      + query({ checkpoint: checkpoint || undefined, task: task || undefined }), signal),
  checkpoints: (thread: string, before?: string, signal?: AbortSignal) =>
    get<{ checkpoints: Checkpoint[] }>(`/superstep/threads/${part(thread)}/checkpoints` + query({ before }), signal),

  fork: (thread: string, checkpoint_id: string) =>
    send<{ thread: string }>("POST", `/superstep/threads/${part(thread)}/fork`, { checkpoint_id }),
  rewind: (thread: string, checkpoint_id: string) =>
    send<{ thread: string }>("POST", `/superstep/threads/${part(thread)}/rewind`, { checkpoint_id }),
  replay: (thread: string, range: { from?: string; to?: string }) =>
    send<Replayed>("POST", `/superstep/threads/${part(thread)}/replay`, range),
  edit: (thread: string, values: JsonObject, checkpoint_id: string, as_node?: string) =>
    send<{ checkpoint: string }>("POST", `/superstep/threads/${part(thread)}/state`,
      { values, checkpoint_id, ...(as_node ? { as_node } : {}) }),

  createThread: (graph: string) => send<Thread>("POST", "/threads", { metadata: { graph_id: graph } }),
  run: (thread: string, body: JsonObject) => send<{ run_id: string }>("POST", `/threads/${part(thread)}/runs`, body),
  cancel: async (thread: string) => {
    const runs = await get<{ run_id: string; status: string }[]>(`/threads/${part(thread)}/runs`);
    for (const run of runs.filter((each) => each.status === "running" || each.status === "pending")) {
      await send<unknown>("POST", `/threads/${part(thread)}/runs/${part(run.run_id)}/cancel?wait=0&action=interrupt`, {});
    }
  },
  deleteThread: (thread: string) => send<unknown>("DELETE", `/threads/${part(thread)}`),
  schemas: (graph: string, signal?: AbortSignal) =>
    get<{ input_schema: Json }>(`/assistants/${part(graph)}/schemas`, signal),

  rag: (graph: string, signal?: AbortSignal) => get<RagText>(`/superstep/rag/${part(graph)}`, signal),
  ragCheck: (graph: string, text: string, signal?: AbortSignal) =>
    send<RagCheck>("POST", `/superstep/rag/${part(graph)}/check`, { text }, signal),
  ragSave: (graph: string, text: string, digest: string) =>
    send<RagText>("PUT", `/superstep/rag/${part(graph)}`, { text, digest }),
};
