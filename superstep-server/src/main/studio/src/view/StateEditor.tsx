import { useState } from "react";
import { api } from "../api/client";
import type { Json, JsonObject, ThreadState } from "../api/types";
import { equal } from "../model/diff";
import { violations } from "../model/schema";
import { Changes, Dialog, Failure } from "./parts";

/** Edits the values of channels as JSON, checked against their schemas, and shows the difference before it saves. */
export function StateEditor({ thread, state, onClose, onSaved }: {
  thread: string; state: ThreadState; onClose: () => void; onSaved: () => void;
}) {
  const names = Object.keys({ ...state.channels, ...state.values }).filter((name) => state.channels[name]?.tracked !== false);
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(names.map((name) => [name, name in state.values ? JSON.stringify(state.values[name], null, 2) : ""])));
  const [channel, setChannel] = useState(names[0] ?? "");
  const [node, setNode] = useState(state.checkpoint.ran[state.checkpoint.ran.length - 1] ?? "");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  const { edited, wrong } = read(texts, state);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.edit(thread, edited, state.checkpoint.id, node);
      onSaved();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
      setBusy(false);
    }
  };
  const schema = state.channels[channel]?.schema;
  const mistakes = wrong.filter((each) => each.channel === channel);
  return (
    <Dialog title="Edit the state" onClose={onClose} wide>
      <div className="editor-grid">
        <div>
          <label className="field">Channel
            <select value={channel} onChange={(event) => setChannel(event.target.value)}>
              {names.map((name) => <option key={name} value={name}>{name}{name in edited ? " (edited)" : ""}{wrong.some((each) => each.channel === name) ? " (wrong)" : ""}</option>)}
            </select>
          </label>
          <label className="field">Value <span className="optional">{state.channels[channel]?.type}</span>
            <textarea className="mono" rows={12} spellCheck={false} value={texts[channel] ?? ""} aria-invalid={mistakes.length > 0}
              aria-describedby="state-mistakes" onChange={(event) => setTexts({ ...texts, [channel]: event.target.value })} />
          </label>
          <ul id="state-mistakes" className="mistakes">{mistakes.map((each) => <li key={each.text} className="mistake">{each.text}</li>)}</ul>
          {schema && <details><summary>Schema</summary><pre className="mono small" tabIndex={0}>{JSON.stringify(schema, null, 1)}</pre></details>}
        </div>
        <div>
          <h3>What changes</h3>
          <Changes before={pick(state.values, edited)} after={edited} />
          <label className="field">As if this node had written it
            <input type="text" value={node} onChange={(event) => setNode(event.target.value)} />
          </label>
          <p className="hint">What follows that node becomes due. The older state stays in the history.</p>
        </div>
      </div>
      <Failure text={failure} />
      <div className="actions">
        <button type="button" className="primary" disabled={busy || wrong.length > 0 || Object.keys(edited).length === 0} onClick={() => void save()}>
          Save the state
        </button>
      </div>
    </Dialog>
  );
}

function pick(values: JsonObject, names: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(names).filter((name) => name in values).map((name) => [name, values[name]!]));
}

function read(texts: Record<string, string>, state: ThreadState): { edited: JsonObject; wrong: { channel: string; text: string }[] } {
  const edited: JsonObject = {};
  const wrong: { channel: string; text: string }[] = [];
  for (const [name, text] of Object.entries(texts)) {
    if (text.trim() === "") {
      if (name in state.values) wrong.push({ channel: name, text: "A value cannot be taken away here." });
      continue;
    }
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch (error) {
      wrong.push({ channel: name, text: `This is no JSON: ${error instanceof Error ? error.message : String(error)}` });
      continue;
    }
    if (equal(value, state.values[name])) continue;
    edited[name] = value;
    const schema = state.channels[name]?.schema ?? {};
    for (const each of violations(value, schema)) wrong.push({ channel: name, text: `${each.path || "The value"} ${each.message}.` });
  }
  return { edited, wrong };
}
