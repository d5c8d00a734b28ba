import type { Json, JsonObject, Schema } from "../api/types";
import { equal, isObject } from "./diff";

const DEPTH_MOST = 6;

/** A control of a form, made of a schema. */
export type Field =
  | { kind: "text"; long: boolean; nullable: boolean; schema: Schema }
  | { kind: "number"; integer: boolean; nullable: boolean; schema: Schema }
  | { kind: "yesno"; nullable: boolean; schema: Schema }
  | { kind: "choice"; options: Json[]; nullable: boolean; schema: Schema }
  | { kind: "list"; item: Field; schema: Schema }
  | { kind: "object"; parts: { name: string; required: boolean; field: Field }[]; schema: Schema }
  | { kind: "cases"; cases: { name: string; field: Field }[]; schema: Schema }
  | { kind: "json"; schema: Schema };

/** The schema that a reference stands for. */
export function resolved(schema: Schema, root: Schema): Schema {
  if (!schema.$ref) return schema;
  if (schema.$ref === "#") return root;
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref)?.[1];
  return (name && root.$defs?.[name]) || {};
}

function types(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

/** The form of a schema; parts for which there is no better control become JSON text. */
export function fieldOf(part: Schema, root: Schema = part, depth = 0): Field {
  const schema = resolved(part, root);
  if (depth > DEPTH_MOST) return { kind: "json", schema };
  if (schema.anyOf) return either(schema, root, depth);
  const all = types(schema);
  const nullable = all.includes("null");
  const type = all.find((each) => each !== "null");
  if (schema.enum) return { kind: "choice", options: schema.enum.filter((each) => each !== null), nullable, schema };
  switch (type) {
    case "string":
      return { kind: "text", long: (schema.maxLength ?? 1000) > 80 && !schema.format, nullable, schema };
    case "integer":
    case "number":
      return { kind: "number", integer: type === "integer", nullable, schema };
    case "boolean":
      return { kind: "yesno", nullable, schema };
    case "array":
      return { kind: "list", item: fieldOf(schema.items ?? {}, root, depth + 1), schema };
    case "object":
      return object(schema, root, depth);
    default:
      return { kind: "json", schema };
  }
}

function object(schema: Schema, root: Schema, depth: number): Field {
  if (!schema.properties) return { kind: "json", schema };
  const required = new Set(schema.required ?? []);
  const parts = Object.entries(schema.properties)
    .filter(([, part]) => part.const === undefined)
    .map(([name, part]) => ({ name, required: required.has(name), field: fieldOf(part, root, depth + 1) }));
  return { kind: "object", parts, schema };
}

/** One of several: a sealed type, whose cases have a property `type`, or something that may be null. */
function either(schema: Schema, root: Schema, depth: number): Field {
  const cases = (schema.anyOf ?? []).map((each) => resolved(each, root));
  const solid = cases.filter((each) => each.type !== "null");
  if (solid.length === 1) return fieldOf(solid[0]!, root, depth + 1);
  const named = solid.map((each) => ({ name: caseName(each), field: fieldOf(each, root, depth + 1) }));
  if (named.some((each) => each.name === "")) return { kind: "json", schema };
  return { kind: "cases", cases: named, schema };
}

export function caseName(schema: Schema): string {
  const name = schema.properties?.["type"]?.const;
  return typeof name === "string" ? name : "";
}

/** The value with which a form begins. */
export function initial(field: Field): Json {
  switch (field.kind) {
    case "text":
      return field.nullable ? null : "";
    case "number":
      return field.nullable ? null : Math.max(field.schema.minimum ?? 0, 0);
    case "yesno":
      return field.nullable ? null : false;
    case "choice":
      return field.nullable ? null : (field.options[0] ?? null);
    case "list":
      return [];
    case "object":
      return objectOf(field, {});
    case "cases":
      return initialCase(field, 0);
    case "json":
      return null;
  }
}

function objectOf(field: Extract<Field, { kind: "object" }>, fixed: JsonObject): JsonObject {
  const value: JsonObject = { ...fixed };
  const name = caseName(field.schema);
  if (name !== "") value["type"] = name;
  for (const part of field.parts) if (part.required) value[part.name] = initial(part.field);
  return value;
}

export function initialCase(field: Extract<Field, { kind: "cases" }>, index: number): Json {
  const chosen = field.cases[index];
  return chosen ? initial(chosen.field) : null;
}

/** A rule that a value breaks. */
export interface Violation {
  path: string;
  message: string;
}

/** What is wrong with a value. It is for people who type; the server checks again. */
export function violations(value: Json | undefined, part: Schema, root: Schema = part, path = ""): Violation[] {
  const schema = resolved(part, root);
  const wrong = (message: string): Violation[] => [{ path, message }];
  if (value === undefined) return wrong("is missing");
  if (schema.anyOf) return anyOf(value, schema, root, path);
  const all = types(schema);
  if (all.length > 0 && !all.some((type) => isOf(value, type))) {
    return wrong(`must be ${all.join(" or ")}, is ${typeName(value)}`);
  }
  if (value === null) return [];
  if (schema.const !== undefined && !equal(value, schema.const)) return wrong(`must be ${JSON.stringify(schema.const)}`);
  if (schema.enum && !schema.enum.some((each) => equal(each, value))) {
    return wrong(`must be one of ${schema.enum.map((each) => JSON.stringify(each)).join(", ")}`);
  }
  if (typeof value === "number") return numberRules(value, schema, wrong);
  if (typeof value === "string") return textRules(value, schema, wrong);
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined && value.length < schema.minItems) return wrong(`must have at least ${schema.minItems} items`);
    if (schema.maxItems !== undefined && value.length > schema.maxItems) return wrong(`must have at most ${schema.maxItems} items`);
    const items = schema.items;
    return items ? value.flatMap((each, i) => violations(each, items, root, `${path}/${i}`)) : [];
  }
  return isObject(value) ? properties(value, schema, root, path) : [];
}

function anyOf(value: Json, schema: Schema, root: Schema, path: string): Violation[] {
  const tried = (schema.anyOf ?? []).map((each) => ({ each: resolved(each, root), found: violations(value, each, root, path) }));
  if (tried.some((each) => each.found.length === 0)) return [];
  const named = isObject(value) ? tried.find(({ each }) => caseName(each) === value["type"]) : undefined;
  return (named ?? tried[0])?.found ?? [];
}

function numberRules(value: number, schema: Schema, wrong: (message: string) => Violation[]): Violation[] {
  if (schema.minimum !== undefined && value < schema.minimum) return wrong(`must be at least ${schema.minimum}`);
  if (schema.maximum !== undefined && value > schema.maximum) return wrong(`must be at most ${schema.maximum}`);
  return [];
}

function textRules(value: string, schema: Schema, wrong: (message: string) => Violation[]): Violation[] {
  const length = [...value].length;
  if (schema.minLength !== undefined && length < schema.minLength) return wrong(`must have at least ${schema.minLength} characters`);
  if (schema.maxLength !== undefined && length > schema.maxLength) return wrong(`must have at most ${schema.maxLength} characters`);
  return [];
}

function properties(value: JsonObject, schema: Schema, root: Schema, path: string): Violation[] {
  const found: Violation[] = [];
  for (const name of schema.required ?? []) {
    if (!(name in value)) found.push({ path: `${path}/${name}`, message: "is missing" });
  }
  for (const [name, each] of Object.entries(value)) {
    const known = schema.properties?.[name];
    if (known) found.push(...violations(each, known, root, `${path}/${name}`));
    else if (schema.additionalProperties === false) found.push({ path: `${path}/${name}`, message: "is not known" });
    else if (typeof schema.additionalProperties === "object") {
      found.push(...violations(each, schema.additionalProperties, root, `${path}/${name}`));
    }
  }
  return found;
}

function isOf(value: Json, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : type === typeName(value);
}

function typeName(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
