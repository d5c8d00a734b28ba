/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export type JsonObject = { [name: string]: Json };

/** Where and when an event happened. */
export interface Origin {
  run: string;
  graph: string;
  path: string[];
  at: string;
  step: number;
}

/** An event of the journal of a thread; what it has beside its origin depends on its type. */
export interface RunEvent {
  type: string;
  origin: Origin;
  node?: string;
  task?: string;
  [field: string]: unknown;
}

export interface Entry {
  offset: number;
  event: RunEvent;
}

export interface EventPage {
  events: Entry[];
  next: number;
  last: number;
}

export interface NodeShape {
  name: string;
  argument: string;
  inside: Topology | null;
  deferred: boolean;
  gate: string[];
}

export interface EdgeShape {
  kind: string;
  from: string[];
  to: string;
  label: string;
  needs: number;
}

export interface Topology {
  graph: string;
  channels: { name: string; kind: string; type: string }[];
  nodes: NodeShape[];
  edges: EdgeShape[];
}

export interface GraphEntry {
  id: string;
  name?: string;
  description: string;
  kind: string;
  startable: boolean;
  why?: string;
}

export interface Thread {
  thread_id: string;
  created_at: string;
  updated_at: string;
  status: string;
  metadata: JsonObject;
}

export interface Problem {
  offset: number;
  at: string;
  node: string;
  code: string;
  message: string;
}

export interface Totals {
  events: number;
  runs: number;
  supersteps: number;
  nodes: number;
  retries: number;
  modelCalls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  cost: number | string | null;
  currency: string;
  toolCalls: number;
  toolErrors: number;
  questions: number;
  problems: Problem[];
  began: string | null;
  last: string | null;
}

export interface Summary {
  thread: string;
  status: string;
  graph?: string;
  checkpoint?: string;
  step?: number;
  at?: string;
  next?: string[];
  questions?: number;
  totals?: Totals;
}

export interface Question {
  id: string;
  node: string;
  task: string;
  question: string;
  answer_type: string;
  text: string;
  review: boolean;
  payload: Json;
  options?: Json[];
  schema: Schema;
}

/** The part of JSON Schema that the engine writes. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: Json[];
  const?: Json;
  anyOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  format?: string;
  $ref?: string;
  $defs?: { [name: string]: Schema };
}

export interface Checkpoint {
  id: string;
  parent: string | null;
  step: number;
  source: string;
  at: string;
  run: string;
  graph: string;
  ran: string[];
  next: string[];
  changed?: string[];
  origin?: { kind: string; thread: string; checkpoint: string };
}

export interface ThreadState {
  checkpoint: Checkpoint;
  values: JsonObject;
  channels: { [name: string]: { kind: string; type: string; tracked: boolean; schema: Schema } };
}

export interface Replayed {
  supersteps: number;
  equal: boolean;
  text: string;
  uncompared: string[];
  divergence?: {
    checkpoint: string;
    step: number;
    what: string;
    node: string;
    channel: string;
    path: string[];
    recorded: string;
    now: string;
    text: string;
  };
}

export interface RagText {
  path: string;
  text: string;
  digest: string;
  editable: boolean;
}

export interface Place {
  byte: number;
  line: number;
  column: number;
}

export interface Diagnostic {
  severity: string;
  code: string;
  message: string;
  span: { start: Place; end: Place };
  help: string;
}

export interface RagCheck {
  report: { errors: number; omitted: number; diagnostics: Diagnostic[] } | null;
  topology: Topology | null;
}

/** A call of a tool. Texts that are very long come without their ends, and with their lengths. */
export interface ToolCall {
  call: string;
  tool: string;
  arguments: string;
  arguments_length?: number;
  result?: string;
  result_length?: number;
  failed?: boolean;
}
