import { describe, expect, it } from "vitest";
import type { Schema } from "../src/api/types";
import { fieldOf, initial, violations } from "../src/model/schema";

const MAIL: Schema = {
  type: "object",
  properties: {
    summary: { type: "string", minLength: 3, maxLength: 20 },
    priority: { type: "string", enum: ["LOW", "HIGH"] },
    score: { type: "integer", minimum: 1, maximum: 9 },
    tags: { type: "array", items: { type: "string" }, maxItems: 2 },
    note: { type: ["string", "null"] },
  },
  required: ["summary", "priority", "score", "tags"],
  additionalProperties: false,
};

const SHAPE: Schema = {
  anyOf: [
    { type: "object", properties: { type: { const: "Circle" }, r: { type: "number" } }, required: ["type", "r"] },
    { type: "object", properties: { type: { const: "Square" }, a: { type: "number" } }, required: ["type", "a"] },
  ],
};

describe("forms from schemas", () => {
  it("have a control for each property", () => {
    const field = fieldOf(MAIL);
    expect(field.kind === "object" && field.parts.map((part) => [part.name, part.field.kind, part.required])).toEqual([
      ["summary", "text", true], ["priority", "choice", true], ["score", "number", true], ["tags", "list", true], ["note", "text", false],
    ]);
    expect(initial(field)).toEqual({ summary: "", priority: "LOW", score: 1, tags: [] });
  });

  it("let one choose the case of a sealed type", () => {
    const field = fieldOf(SHAPE);
    expect(field.kind === "cases" && field.cases.map((each) => each.name)).toEqual(["Circle", "Square"]);
    expect(initial(field)).toEqual({ type: "Circle", r: 0 });
  });

  it("end at a type that holds itself", () => {
    const tree: Schema = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } }, required: ["children"] };
    expect(JSON.stringify(fieldOf(tree))).toContain("json");
  });

  it("take JSON where nothing is known", () => {
    expect(fieldOf({}).kind).toBe("json");
  });
});

describe("checks against schemas", () => {
  it("name the place and the rule", () => {
    const found = violations({ summary: "x", priority: "MID", score: 10, tags: ["a", "b", "c"], extra: 1 }, MAIL);
    expect(found.map((each) => `${each.path} ${each.message}`)).toEqual([
      "/summary must have at least 3 characters", '/priority must be one of "LOW", "HIGH"', "/score must be at most 9",
      "/tags must have at most 2 items", "/extra is not known",
    ]);
    expect(violations({}, MAIL).map((each) => each.path)).toEqual(["/summary", "/priority", "/score", "/tags"]);
  });

  it("accept what fits, nulls and cases too", () => {
    expect(violations({ summary: "fine", priority: "LOW", score: 1, tags: [], note: null }, MAIL)).toEqual([]);
    expect(violations({ type: "Square", a: 2 }, SHAPE)).toEqual([]);
    expect(violations({ type: "Square", a: "2" }, SHAPE)).toEqual([{ path: "/a", message: "must be number, is string" }]);
  });
});
