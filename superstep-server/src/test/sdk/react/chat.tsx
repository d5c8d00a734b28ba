import { useStream } from "@langchain/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

type Stream = ReturnType<typeof useStream>;
const query = new URLSearchParams(location.search);
const apiUrl = query.get("api") ?? "http://localhost:2024";

/** Keeps the thread in the address, so that a reload comes back to it, and to the run at work. */
function remember(thread: string) {
  query.set("thread", thread);
  history.replaceState(null, "", `?${query}`);
}

function Chat() {
  const [threadId] = useState(query.get("thread"));
  const stream = useStream({ apiUrl, assistantId: "chat", threadId, onThreadId: remember });
  const [text, setText] = useState("");
  const send = () => {
    void stream.submit({ messages: [{ type: "human", content: text }] });
    setText("");
  };
  return (
    <main>
      <ol>
        {stream.messages.map((message) => (
          <Line key={message.id} stream={stream} message={message} />
        ))}
      </ol>
      {stream.toolCalls.map((call) => (
        <p key={call.id} className="call">
          {`${call.name} ${JSON.stringify(call.input)}: ${call.status}`}
        </p>
      ))}
      {stream.interrupt && <Review stream={stream} value={stream.interrupt.value} />}
      {stream.error != null && <p role="alert">{String(stream.error)}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button onClick={send}>Send</button>
      <button onClick={() => void stream.stop()}>Stop</button>
      <p id="state">{stream.isLoading ? "working" : "idle"}</p>
    </main>
  );
}

/** A message; one of a person can be edited, which branches from the checkpoint before it. */
function Line({ stream, message }: { stream: Stream; message: any }) {
  const edit = async () => {
    const content = prompt("New text", message.text) ?? message.text;
    const forkFrom = await checkpointBefore(stream, message.id);
    await stream.submit({ messages: [{ type: "human", content }] }, { forkFrom });
  };
  return (
    <li className={message.type}>
      {message.text}
      {message.type === "human" && <button onClick={() => void edit()}>Edit</button>}
    </li>
  );
}

async function checkpointBefore(stream: Stream, id: string) {
  const states = await stream.client.threads.getHistory<any>(stream.threadId!, { limit: 1000 });
  const having = states.filter(({ values }) => values.messages?.some((one: any) => one.id === id));
  return having.at(-1)?.parent_checkpoint?.checkpoint_id ?? undefined;
}

/** The form in which a person decides about tool calls. */
function Review({ stream, value }: { stream: Stream; value: any }) {
  const actions: any[] = value.actionRequests ?? value.action_requests ?? [];
  const decide = (type: "approve" | "reject") =>
    void stream.respond({ decisions: actions.map(() => ({ type })) });
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      {actions.map((action, i) => (
        <p key={i}>{`${action.name} ${JSON.stringify(action.args)}?`}</p>
      ))}
      <button onClick={() => decide("approve")}>Approve</button>
      <button onClick={() => decide("reject")}>Reject</button>
    </form>
  );
}

createRoot(document.getElementById("root")!).render(<Chat />);
