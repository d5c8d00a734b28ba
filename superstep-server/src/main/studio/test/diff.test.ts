import { describe, expect, it } from "vitest";
import { changes, lineDiff } from "../src/model/diff";

describe("differences of values", () => {
  it("are the innermost places", () => {
    expect(changes({ a: 1, b: { c: [1, 2] } }, { a: 1, b: { c: [1, 3, 4] }, d: null })).toEqual([
      { path: ["b", "c", "1"], kind: "changed", before: 2, after: 3 },
      { path: ["b", "c", "2"], kind: "added", before: undefined, after: 4 },
      { path: ["d"], kind: "added", before: undefined, after: null },
    ]);
    expect(changes({ a: [] }, {})).toEqual([{ path: ["a"], kind: "removed", before: [], after: undefined }]);
  });

  it("are none between equal values, whatever the order of names", () => {
    expect(changes({ a: 1, b: [true] }, { b: [true], a: 1 })).toEqual([]);
  });
});

describe("differences of texts", () => {
  const signs = { same: " ", added: "+", removed: "-" };
  const text = (before: string, after: string): string =>
    lineDiff(before, after).map((line) => signs[line.kind] + line.text).join("|");

  it("keep what stands and number both sides", () => {
    expect(text("a\nb\nc", "a\nx\nc")).toBe(" a|-b|+x| c");
    expect(text("a\nb", "a\nb\nc")).toBe(" a| b|+c");
    expect(lineDiff("a\nb\nc", "b\nc")).toEqual([
      { kind: "removed", before: 1, after: null, text: "a" },
      { kind: "same", before: 2, after: 1, text: "b" },
      { kind: "same", before: 3, after: 2, text: "c" },
    ]);
  });

  it("give both texts back, for any texts", () => {
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
    for (let round = 0; round < 300; round++) {
      const make = (): string => Array.from({ length: 1 + random(9) }, () => "abc"[random(3)]!).join("\n");
      const before = make();
      const after = make();
      const lines = lineDiff(before, after);
      expect(lines.filter((line) => line.kind !== "added").map((line) => line.text).join("\n")).toBe(before);
      expect(lines.filter((line) => line.kind !== "removed").map((line) => line.text).join("\n")).toBe(after);
    }
  });
});
