import { describe, expect, it } from "vitest";
import { FrameParser } from "../src/api/sse";
import { align } from "../src/model/compare";
import { ago, money, short, span } from "../src/model/format";
import { format, parse, type Route } from "../src/model/route";
import type { StepView } from "../src/model/run";

describe("addresses", () => {
  it("come back as they were written", () => {
    const routes: Route[] = [
      { view: "threads" }, { view: "graphs" }, { view: "graph", graph: "a b/c" }, { view: "edit", graph: "desk" },
      { view: "thread", thread: "t/1?", at: "c#1", tab: "events" }, { view: "thread", thread: "t", at: null, tab: "timeline" },
      { view: "compare", a: "x&y", b: "" },
    ];
    for (const route of routes) expect(parse(format(route))).toEqual(route);
  });

  it("lead to the threads if they name nothing", () => {
    expect(parse("")).toEqual({ view: "threads" });
    expect(parse("#/%E0%A4%A")).toEqual({ view: "threads" });
  });
});

describe("server-sent events", () => {
  const stream = ": hello\r\nid: 7\r\nevent: node.started\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nid: 8\ndata: \u2028x\n\n: beat\n\n";

  it("are cut the same, however they arrive", () => {
    const whole = new FrameParser().push(stream);
    expect(whole).toEqual([
      { id: "7", event: "node.started", data: '{"a":\n1}' }, { id: "8", event: "", data: "\u2028x" },
    ]);
    for (let size = 1; size < 9; size++) {
      const parser = new FrameParser();
      const frames = [];
      for (let i = 0; i < stream.length; i += size) frames.push(...parser.push(stream.slice(i, i + size)));
      expect(frames).toEqual(whole);
    }
  });
});

describe("two runs beside each other", () => {
  const step = (...nodes: string[]): StepView => ({ kind: "step", nodes, changed: [] }) as unknown as StepView;

  it("have the same supersteps in one row", () => {
    const pairs = align([step("a"), step("b"), step("c")], [step("a"), step("x"), step("c")]);
    expect(pairs.map((pair) => [pair.a?.nodes[0], pair.b?.nodes[0], pair.same])).toEqual([
      ["a", "a", true], ["b", undefined, false], [undefined, "x", false], ["c", "c", true],
    ]);
  });
});

describe("figures", () => {
  it("are short", () => {
    expect([span(340), span(2400), span(185_000), span(3_900_000)]).toEqual(["340 ms", "2.4 s", "3 min 05 s", "1 h 05 min"]);
    expect([short(9999), short(12_340), short(2_500_000)]).toEqual(["9,999", "12.3k", "2.5M"]);
    expect([money(0.0123, ""), money(12.5, "EUR")]).toEqual(["0.0123 USD", "12.50 EUR"]);
    expect(ago(0, 120_000)).toBe("2 min ago");
  });
});
