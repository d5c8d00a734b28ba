import type { Json } from "../api/types";
import { isObject } from "./diff";

/** A message as people read it. */
export interface Said {
  role: string;
  text: string;
  calls: { tool: string; arguments: string }[];
  failed: boolean;
}

const ROLES: Record<string, string> = {
  UserMessage: "user", AssistantMessage: "assistant", SystemMessage: "system", ToolMessage: "tool",
};

/** The conversation that a value is, or null if it is something else. */
export function conversation(value: Json | undefined): Said[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const all: Said[] = [];
  for (const each of value) {
    const role = isObject(each) ? ROLES[String(each["type"])] : undefined;
    if (!isObject(each) || role === undefined) return null;
    all.push({
      role: role === "tool" ? `tool ${String(each["tool"] ?? "")}` : role, text: textOf(each["content"]),
      calls: list(each["calls"]).filter(isObject).map((call) => ({ tool: String(call["tool"]), arguments: String(call["arguments"] ?? "") })),
      failed: each["error"] === true,
    });
  }
  return all;
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The text of a content; parts that are no text are named. */
function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return list(content).map((part) => !isObject(part) ? String(part)
    : typeof part["text"] === "string" ? part["text"] : `[${String(part["type"])}]`).join("\n");
}

/** Channels in which agents and texts keep their own accounts. */
export function isInternal(channel: string): boolean {
  return /^(agent|rag)-/.test(channel);
}
