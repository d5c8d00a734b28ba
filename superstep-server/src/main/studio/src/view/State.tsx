import type { Json, JsonObject } from "../api/types";
import { conversation, isInternal, type Said } from "../model/messages";
import { Changes, Tree } from "./parts";

function divided(values: JsonObject): { own: JsonObject; internal: JsonObject } {
  const parts: { own: JsonObject; internal: JsonObject } = { own: {}, internal: {} };
  for (const [name, value] of Object.entries(values)) (isInternal(name) ? parts.internal : parts.own)[name] = value;
  return parts;
}

/** What a superstep changed: the channels of the graph, and folded below those of the engine. */
export function StateChanges({ before, after }: { before: JsonObject; after: JsonObject }) {
  const was = divided(before);
  const is = divided(after);
  const isOther = JSON.stringify(was.internal) !== JSON.stringify(is.internal);
  return (
    <>
      <Changes before={was.own} after={is.own} />
      {isOther && <details><summary className="hint">Internal channels</summary><Changes before={was.internal} after={is.internal} /></details>}
    </>
  );
}

/** A state: conversations to be read, other channels as trees, those of the engine folded. */
export function StateValues({ values }: { values: JsonObject }) {
  const { own, internal } = divided(values);
  const names = Object.keys(internal);
  return (
    <>
      {Object.entries(own).map(([name, value]) => <Channel key={name} name={name} value={value} />)}
      {names.length > 0 && (
        <details><summary className="hint">Internal channels ({names.length})</summary>
          {names.map((name) => <Tree key={name} name={name} value={internal[name]!} />)}</details>
      )}
      {Object.keys(values).length === 0 && <p className="hint">No channel has a value.</p>}
    </>
  );
}

const SAID_MOST = 100;

function Channel({ name, value }: { name: string; value: Json }) {
  const said = conversation(value);
  if (!said) return <Tree name={name} value={value} />;
  const last = said.slice(-SAID_MOST);
  return (
    <div className="conversation">
      <p className="hint"><code>{name}</code>{last.length < said.length && ` (the last ${SAID_MOST} of ${said.length})`}</p>
      <ol tabIndex={0} aria-label={`Conversation in ${name}`}>{last.map((each, i) => <Message key={said.length - last.length + i} said={each} />)}</ol>
      <Tree name="as JSON" value={value} />
    </div>
  );
}

function Message({ said }: { said: Said }) {
  return (
    <li className={`said is-${said.role.split(" ")[0]}`}>
      <span className="said-role">{said.role}{said.failed && " failed"}</span>
      {said.text !== "" && <p>{said.text}</p>}
      {said.calls.map((call, i) => <p key={i} className="mono">→ {call.tool} {call.arguments}</p>)}
    </li>
  );
}
