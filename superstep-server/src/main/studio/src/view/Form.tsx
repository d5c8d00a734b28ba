import { useId, useState } from "react";
import type { Json, JsonObject } from "../api/types";
import { isObject } from "../model/diff";
import { caseName, type Field, initial, initialCase, type Violation } from "../model/schema";

interface Props<F extends Field = Field> {
  field: F;
  name: string;
  value: Json;
  path: string;
  required: boolean;
  violations: Violation[];
  onChange: (value: Json) => void;
}

/** The control of a field, with what is wrong with its value. */
export function FormField(props: Props) {
  const { field } = props;
  switch (field.kind) {
    case "object":
      return <ObjectField {...props} field={field} />;
    case "list":
      return <ListField {...props} field={field} />;
    case "cases":
      return <CasesField {...props} field={field} />;
    case "yesno":
      return <YesNo {...props} />;
    case "text":
    case "number":
    case "choice":
    case "json":
      return <Single {...props} />;
  }
}

function mistake(props: Props): string {
  return props.violations.filter((each) => each.path === props.path).map((each) => each.message).join("; ");
}

function Mistake({ text, id }: { text: string; id: string }) {
  return text === "" ? null : <span className="mistake" id={id}>{text}</span>;
}

function title(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/_/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

function Single(props: Props) {
  const id = useId();
  const wrong = mistake(props);
  const description = props.field.schema.description;
  return (
    <div className="field">
      <label htmlFor={id}>{title(props.name)}{props.required ? "" : <span className="optional"> optional</span>}</label>
      <Control {...props} id={id} invalid={wrong !== ""} describedBy={`${id}-d`} />
      <span id={`${id}-d`}>{description && <span className="hint">{description} </span>}<Mistake text={wrong} id={`${id}-m`} /></span>
    </div>
  );
}

function Control(props: Props & { id: string; invalid: boolean; describedBy: string }) {
  const { field, value, onChange, id, invalid } = props;
  const common = { id, "aria-invalid": invalid, "aria-describedby": props.describedBy, "aria-required": props.required };
  if (field.kind === "choice") {
    const at = field.options.findIndex((each) => JSON.stringify(each) === JSON.stringify(value));
    return (
      <select {...common} value={at} onChange={(event) => onChange(field.options[Number(event.target.value)] ?? null)}>
        {(field.nullable || at < 0) && <option value={-1}>none</option>}
        {field.options.map((each, i) => <option key={i} value={i}>{typeof each === "string" ? each : JSON.stringify(each)}</option>)}
      </select>
    );
  }
  if (field.kind === "number") {
    const step = field.integer ? 1 : "any";
    return <input {...common} type="number" step={step} value={typeof value === "number" ? value : ""}
      onChange={(event) => onChange(event.target.value === "" ? null : Number(event.target.value))} />;
  }
  if (field.kind === "json") return <JsonText {...common} value={value} onChange={onChange} />;
  const text = typeof value === "string" ? value : "";
  const nullable = field.kind === "text" && field.nullable;
  const change = (next: string): void => onChange(next === "" && nullable ? null : next);
  return field.kind === "text" && field.long
    ? <textarea {...common} rows={Math.min(8, Math.max(2, text.split("\n").length))} value={text} onChange={(event) => change(event.target.value)} />
    : <input {...common} type="text" value={text} onChange={(event) => change(event.target.value)} />;
}

/** JSON as text; while it cannot be read, the value stays as it was. */
function JsonText({ value, onChange, ...rest }: { id: string; value: Json; onChange: (value: Json) => void }) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const [wrong, setWrong] = useState(false);
  return (
    <>
      <textarea {...rest} className="mono" rows={4} spellCheck={false} value={text} aria-invalid={wrong} onChange={(event) => {
        setText(event.target.value);
        try {
          onChange(JSON.parse(event.target.value) as Json);
          setWrong(false);
        } catch {
          setWrong(true);
        }
      }} />
      {wrong && <span className="mistake">This is no JSON.</span>}
    </>
  );
}

function YesNo(props: Props) {
  const id = useId();
  return (
    <div className="field is-row">
      <input id={id} type="checkbox" checked={props.value === true} onChange={(event) => props.onChange(event.target.checked)} />
      <label htmlFor={id}>{title(props.name)}</label>
      <Mistake text={mistake(props)} id={`${id}-m`} />
    </div>
  );
}

function ObjectField(props: Props<Extract<Field, { kind: "object" }>>) {
  const value: JsonObject = isObject(props.value) ? props.value : {};
  const wrong = mistake(props);
  const parts = props.field.parts.map((part) => (
    <FormField key={part.name} field={part.field} name={part.name} required={part.required}
      value={value[part.name] ?? (part.required ? initial(part.field) : null)} path={`${props.path}/${part.name}`} violations={props.violations}
      onChange={(next) => {
        const after = { ...value };
        if (next === null && !part.required) delete after[part.name];
        else after[part.name] = next;
        props.onChange(after);
      }} />
  ));
  if (props.path === "") return <>{parts}<Mistake text={wrong} id="form-mistake" /></>;
  return <fieldset><legend>{title(props.name)}</legend>{parts}<Mistake text={wrong} id={`${props.path}-m`} /></fieldset>;
}

function ListField(props: Props<Extract<Field, { kind: "list" }>>) {
  const items = Array.isArray(props.value) ? props.value : [];
  const item = props.field.item;
  return (
    <fieldset>
      <legend>{title(props.name)}</legend>
      {items.map((each, i) => (
        <div className="list-item" key={i}>
          <FormField field={item} name={`${props.name} ${i + 1}`} required value={each} path={`${props.path}/${i}`} violations={props.violations}
            onChange={(next) => props.onChange(items.map((old, at) => at === i ? next : old))} />
          <button type="button" className="quiet" aria-label={`Remove ${props.name} ${i + 1}`}
            onClick={() => props.onChange(items.filter((_, at) => at !== i))}>✕</button>
        </div>
      ))}
      <button type="button" onClick={() => props.onChange([...items, initial(item)])}>Add</button>
      <Mistake text={mistake(props)} id={`${props.path}-m`} />
    </fieldset>
  );
}

function CasesField(props: Props<Extract<Field, { kind: "cases" }>>) {
  const id = useId();
  const name = isObject(props.value) ? props.value["type"] : "";
  const at = Math.max(0, props.field.cases.findIndex((each) => each.name === name));
  const chosen = props.field.cases[at];
  return (
    <fieldset>
      <legend>{title(props.name)}</legend>
      <div className="field">
        <label htmlFor={id}>Kind</label>
        <select id={id} value={at} onChange={(event) => props.onChange(initialCase(props.field, Number(event.target.value)))}>
          {props.field.cases.map((each, i) => <option key={each.name} value={i}>{each.name}</option>)}
        </select>
      </div>
      {chosen && chosen.field.kind === "object" && chosen.field.parts.map((part) => {
        const value: JsonObject = isObject(props.value) ? props.value : { type: caseName(chosen.field.schema) };
        return <FormField key={part.name} field={part.field} name={part.name} required={part.required} value={value[part.name] ?? null}
          path={`${props.path}/${part.name}`} violations={props.violations} onChange={(next) => props.onChange({ ...value, [part.name]: next })} />;
      })}
      <Mistake text={mistake(props)} id={`${props.path}-m`} />
    </fieldset>
  );
}
