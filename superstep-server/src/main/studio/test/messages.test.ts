import { expect, test } from "vitest";
import { conversation, isInternal } from "../src/model/messages";

test("messages are read with their roles, texts and calls", () => {
  expect(conversation([
    { type: "UserMessage", id: "1", content: [{ type: "Text", text: "How is Oslo?" }] },
    { type: "AssistantMessage", id: "2", content: [], calls: [{ id: "c", tool: "weather", arguments: "{}", seal: null }] },
    { type: "ToolMessage", id: "3", tool: "weather", content: [{ type: "Text", text: "sunny" }, { type: "Image" }], error: true },
  ])).toEqual([
    { role: "user", text: "How is Oslo?", calls: [], failed: false },
    { role: "assistant", text: "", calls: [{ tool: "weather", arguments: "{}" }], failed: false },
    { role: "tool weather", text: "sunny\n[Image]", calls: [], failed: true },
  ]);
});

test("other lists are no conversation", () => {
  expect(conversation([])).toBeNull();
  expect(conversation(["a"])).toBeNull();
  expect(conversation([{ type: "Note" }])).toBeNull();
  expect(conversation({ type: "UserMessage" })).toBeNull();
});

test("channels of agents and texts are told from those of a graph", () => {
  expect(["agent-spend", "rag-tool-calls"].every(isInternal)).toBe(true);
  expect(["messages", "agents", "rag"].some(isInternal)).toBe(false);
});
