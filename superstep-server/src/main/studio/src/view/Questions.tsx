import { useId, useMemo, useState } from "react";
import { api } from "../api/client";
import type { Json, JsonObject, Question, Schema } from "../api/types";
import { isObject } from "../model/diff";
import { fieldOf, initial, type Violation, violations } from "../model/schema";
import { FormField } from "./Form";
import { Failure, shown, Tree } from "./parts";

interface Props {
  thread: string;
  graph: string;
  questions: Question[];
  onAnswered: () => void;
}

/** The open questions of a thread, each as a form of its answer. */
export function Questions({ thread, graph, questions, onAnswered }: Props) {
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState("");
  if (questions.length === 0) return null;
  const answer = async (question: Question, value: Json): Promise<void> => {
    setBusy(question.id);
    setFailure("");
    try {
      await api.run(thread, { assistant_id: graph, command: { resume: { [question.id]: value } } });
      onAnswered();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
    setBusy("");
  };
  return (
    <section className="card questions" aria-label="Open questions">
      <h2>{questions.length === 1 ? "A question is open" : `${questions.length} questions are open`}</h2>
      <Failure text={failure} />
      {questions.map((question) => (
        <Ask key={question.id} question={question} busy={busy !== ""} onAnswer={(value) => void answer(question, value)} />
      ))}
    </section>
  );
}

function Ask({ question, busy, onAnswer }: { question: Question; busy: boolean; onAnswer: (value: Json) => void }) {
  const isText = question.text !== "" && (typeof question.payload === "string" || !isObject(question.payload) || Object.keys(question.payload).length <= 3);
  return (
    <article className="question" aria-label={`Question of ${question.node}`}>
      <p className="asker"><code>{question.node}</code> asks <span className="hint">({question.question})</span></p>
      {question.text !== "" && <p className="asked">{question.text}</p>}
      {!isText && !question.review && <Tree value={question.payload} open />}
      {question.review ? <Review question={question} busy={busy} onAnswer={onAnswer} />
        : question.answer_type === "Approval" ? <Approve busy={busy} onAnswer={onAnswer} />
          : question.options && question.options.length > 0 ? <Options options={question.options} busy={busy} onAnswer={onAnswer} />
            : <SchemaAnswer question={question} busy={busy} onAnswer={onAnswer} />}
    </article>
  );
}

interface AnswerProps {
  busy: boolean;
  onAnswer: (value: Json) => void;
}

function Approve({ busy, onAnswer }: AnswerProps) {
  const [note, setNote] = useState("");
  const send = (approved: boolean): void => onAnswer(note === "" ? { approved } : { approved, note });
  return (
    <>
      <label className="field">Note <span className="optional">optional</span>
        <input type="text" value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <div className="actions">
        <button type="button" disabled={busy} onClick={() => send(false)}>Reject</button>
        <button type="button" className="primary" disabled={busy} onClick={() => send(true)}>Approve</button>
      </div>
    </>
  );
}

function Options({ options, busy, onAnswer }: AnswerProps & { options: Json[] }) {
  return (
    <div className="actions is-start">
      {options.map((each, i) => (
        <button key={i} type="button" disabled={busy} onClick={() => onAnswer(each)}>{typeof each === "string" ? each : shown(each)}</button>
      ))}
    </div>
  );
}

function SchemaAnswer({ question, busy, onAnswer }: AnswerProps & { question: Question }) {
  const field = useMemo(() => fieldOf(question.schema), [question.schema]);
  const [value, setValue] = useState<Json>(() => initial(field));
  const [tried, setTried] = useState(false);
  const wrong = violations(value, question.schema);
  return (
    <form onSubmit={(event) => {
      event.preventDefault();
      setTried(true);
      if (wrong.length === 0) onAnswer(value);
    }}>
      <FormField field={field} name="answer" required value={value} path="" violations={tried ? wrong : []} onChange={setValue} />
      <div className="actions"><button type="submit" className="primary" disabled={busy}>Answer</button></div>
    </form>
  );
}

interface Action {
  name: string;
  args: Json;
  description?: string;
}

interface Config {
  action_name: string;
  allowed_decisions: string[];
  args_schema?: Schema | null;
}

interface Decision {
  type: string;
  message: string;
  args: Json;
  /** The arguments as they are typed, where they have no form. */
  text: string;
}

const DECISIONS: Record<string, string> = {
  approve: "Approve: make the call", edit: "Edit: make another call", reject: "Reject: do not make it", respond: "Respond in place of the tool",
};

/** Calls of tools that wait for a person: a decision on each, in the same order. */
function Review({ question, busy, onAnswer }: AnswerProps & { question: Question }) {
  const payload = (isObject(question.payload) ? question.payload : {}) as JsonObject;
  const actions = (payload["action_requests"] ?? []) as unknown as Action[];
  const configs = (payload["review_configs"] ?? []) as unknown as Config[];
  const [decisions, setDecisions] = useState<Decision[]>(() =>
    actions.map((each) => ({ type: "", message: "", args: each.args, text: JSON.stringify(each.args, null, 2) })));
  const [tried, setTried] = useState(false);
  const config = (i: number): Config | undefined => configs.find((each) => each.action_name === actions[i]!.name);
  const wrong = decisions.map((each, i) => mistakes(each, config(i)));
  const send = (): void => {
    setTried(true);
    if (wrong.every((each) => each.length === 0)) onAnswer({ decisions: decisions.map((each, i) => decided(each, actions[i]!, config(i))) });
  };
  return (
    <form onSubmit={(event) => { event.preventDefault(); send(); }}>
      {actions.map((action, i) => (
        <Call key={i} action={action} config={config(i)} decision={decisions[i]!} wrong={tried ? wrong[i]! : []}
          onChange={(change) => setDecisions((before) => before.map((each, at) => at === i ? { ...each, ...change } : each))} />
      ))}
      <div className="actions"><button type="submit" className="primary" disabled={busy}>Send {actions.length === 1 ? "decision" : "decisions"}</button></div>
    </form>
  );
}

function Call({ action, config, decision, wrong, onChange }: {
  action: Action; config: Config | undefined; decision: Decision; wrong: Violation[]; onChange: (change: Partial<Decision>) => void;
}) {
  const allowed = config?.allowed_decisions ?? ["approve", "reject"];
  const group = useId();
  return (
    <fieldset>
      <legend>Call of <code>{action.name}</code></legend>
      {action.description && <p>{action.description}</p>}
      <Tree value={action.args} open />
      <div className="choices" role="radiogroup" aria-label={`Decision on the call of ${action.name}`}>
        {allowed.map((each) => (
          <label key={each} className="choice"><input type="radio" name={group} value={each} checked={decision.type === each} onChange={() => onChange({ type: each })} />{DECISIONS[each] ?? each}</label>
        ))}
      </div>
      {decision.type === "edit" && <Arguments config={config} decision={decision} wrong={wrong} onChange={onChange} />}
      {(decision.type === "reject" || decision.type === "respond") && (
        <label className="field">{decision.type === "reject" ? "Why, for the model" : "Answer to the model"}{decision.type === "reject" && <span className="optional"> optional</span>}
          <input type="text" value={decision.message} onChange={(event) => onChange({ message: event.target.value })} />
        </label>
      )}
      {wrong.filter((each) => each.path === "").map((each) => <span key={each.message} className="mistake" role="alert">{each.message}</span>)}
    </fieldset>
  );
}

/** The arguments of the other call: a form of their schema, or JSON where there is none. */
function Arguments({ config, decision, wrong, onChange }: {
  config: Config | undefined; decision: Decision; wrong: Violation[]; onChange: (change: Partial<Decision>) => void;
}) {
  const field = useMemo(() => fieldOf(config?.args_schema ?? {}), [config]);
  if (hasForm(config)) {
    return <FormField field={field} name="arguments" required value={decision.args} path="" violations={wrong} onChange={(args) => onChange({ args })} />;
  }
  return (
    <label className="field">Arguments
      <textarea className="mono" rows={5} spellCheck={false} value={decision.text} onChange={(event) => onChange({ text: event.target.value })} />
    </label>
  );
}

function hasForm(config: Config | undefined): boolean {
  return config?.args_schema != null && fieldOf(config.args_schema).kind !== "json";
}

function mistakes(decision: Decision, config: Config | undefined): Violation[] {
  if (decision.type === "") return [{ path: "", message: "Decide on this call." }];
  if (decision.type === "respond" && decision.message === "") return [{ path: "", message: "Write the answer." }];
  if (decision.type !== "edit") return [];
  if (hasForm(config)) return violations(decision.args, config?.args_schema ?? {});
  try {
    JSON.parse(decision.text);
    return [];
  } catch (error) {
    return [{ path: "", message: `The arguments are no JSON: ${error instanceof Error ? error.message : String(error)}` }];
  }
}

function decided(decision: Decision, action: Action, config: Config | undefined): JsonObject {
  switch (decision.type) {
    case "edit":
      return { type: "edit", edited_action: { name: action.name, args: hasForm(config) ? decision.args : JSON.parse(decision.text) as Json } };
    case "reject":
      return decision.message === "" ? { type: "reject" } : { type: "reject", message: decision.message };
    case "respond":
      return { type: "respond", message: decision.message };
    default:
      return { type: decision.type };
  }
}
