/** A time span for people: 340 ms, 2.4 s, 3 min 05 s. */
export function span(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${String(Math.floor((ms % 60_000) / 1000)).padStart(2, "0")} s`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

const NUMBERS = new Intl.NumberFormat("en");

export function count(value: number): string {
  return NUMBERS.format(value);
}

/** A number with its noun: 1 event, 2 events. */
export function plural(value: number, one: string, many = one + "s"): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Large numbers in short: 12.3k. */
export function short(value: number): string {
  if (value < 10_000) return count(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(1)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export function money(value: number, currency: string): string {
  const digits = value !== 0 && value < 1 ? 4 : 2;
  return `${value.toFixed(digits)} ${currency || "USD"}`;
}

/** When it was, seen from now. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  return new Date(at).toISOString().slice(0, 10);
}

export function clock(at: string): string {
  return at.slice(11, 23);
}

/** The first part of an id, which is enough to tell it from its neighbours. */
export function brief(id: string): string {
  return id.length <= 13 ? id : `${id.slice(0, 6)}…${id.slice(-6)}`;
}
