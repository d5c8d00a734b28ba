import { useMemo, useState } from "react";
import { api } from "../api/client";
import type { Json, JsonObject, Question } from "../api/types";
import { isObject } from "../model/diff";
import { fieldOf, initial, violations } from "../model/schema";
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

interface Decision {
  type: string;
  message: string;
  args: string;
}

/** Calls of tools that wait for a person: a decision on each, in the same order. */
function Review({ question, busy, onAnswer }: AnswerProps & { question: Question }) {
  const payload = (isObject(question.payload) ? question.payload : {}) as JsonObject;
  const actions = (payload["action_requests"] ?? []) as unknown as Action[];
  const configs = (payload["review_configs"] ?? []) as unknown as { action_name: string; allowed_decisions: string[] }[];
  const [decisions, setDecisions] = useState<Decision[]>(() =>
    actions.map((each) => ({ type: "approve", message: "", args: JSON.stringify(each.args, null, 2) })));
  const set = (i: number, change: Partial<Decision>): void =>
    setDecisions((before) => before.map((each, at) => at === i ? { ...each, ...change } : each));
  const [failure, setFailure] = useState("");
  const send = (): void => {
    try {
      onAnswer({ decisions: decisions.map((each, i) => decided(each, actions[i]!)) });
    } catch (error) {
      setFailure(`The arguments are no JSON: ${String(error)}`);
    }
  };
  return (
    <>
      {actions.map((action, i) => {
        const decision = decisions[i]!;
        const allowed = configs.find((each) => each.action_name === action.name)?.allowed_decisions ?? ["approve", "reject"];
        return (
          <fieldset key={i}>
            <legend>Call of <code>{action.name}</code></legend>
            {action.description && <p>{action.description}</p>}
            <Tree value={action.args} open />
            <label className="field">Decision
              <select value={decision.type} onChange={(event) => set(i, { type: event.target.value })}>
                {allowed.map((each) => <option key={each}>{each}</option>)}
              </select>
            </label>
            {decision.type === "edit" && (
              <label className="field">Arguments
                <textarea className="mono" rows={5} spellCheck={false} value={decision.args} onChange={(event) => set(i, { args: event.target.value })} />
              </label>
            )}
            {(decision.type === "reject" || decision.type === "respond") && (
              <label className="field">Message to the model
                <input type="text" value={decision.message} onChange={(event) => set(i, { message: event.target.value })} />
              </label>
            )}
          </fieldset>
        );
      })}
      <Failure text={failure} />
      <div className="actions"><button type="button" className="primary" disabled={busy} onClick={send}>Send {actions.length === 1 ? "decision" : "decisions"}</button></div>
    </>
  );
}

function decided(decision: Decision, action: Action): JsonObject {
  switch (decision.type) {
    case "edit":
      return { type: "edit", edited_action: { name: action.name, args: JSON.parse(decision.args) as Json } };
    case "reject":
      return decision.message === "" ? { type: "reject" } : { type: "reject", message: decision.message };
    case "respond":
      return { type: "respond", message: decision.message };
    default:
      return { type: "approve" };
  }
}
