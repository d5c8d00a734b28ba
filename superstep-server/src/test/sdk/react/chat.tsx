import { useStream } from "@langchain/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const thread = new URLSearchParams(location.search).get("thread");

function remember(id: string) {
  history.replaceState(null, "", `?${new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(location.search)), thread: id })}`);
}

function Chat({ apiUrl }: { apiUrl: string }) {
  const stream = useStream({ apiUrl, assistantId: "chat", threadId: thread, onThreadId: remember });
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
        <p key={call.id} className="call">{`${call.name} ${JSON.stringify(call.input)}: ${call.status}`}</p>
      ))}
      {stream.interrupt && <Review stream={stream} value={stream.interrupt.value as ReviewRequest} />}
      {stream.error != null && <p role="alert">{String(stream.error)}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button onClick={send}>Send</button>
      <button onClick={() => void stream.stop()}>Stop</button>
      <p id="state">{stream.isLoading ? "working" : "idle"}</p>
    </main>
  );
}

/** A message; one of a person can be edited, which branches from the checkpoint before it. */
function Line({ stream, message }: { stream: ReturnType<typeof useStream>; message: any }) {
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

async function checkpointBefore(stream: ReturnType<typeof useStream>, id: string) {
  const states = await stream.client.threads.getHistory<{ messages?: { id: string }[] }>(stream.threadId!, { limit: 1000 });
  const first = states.filter((state) => state.values.messages?.some((message) => message.id === id)).at(-1);
  return first?.parent_checkpoint?.checkpoint_id ?? undefined;
}

type ReviewRequest = { actionRequests?: Action[]; action_requests?: Action[] };
type Action = { name: string; args: Record<string, unknown> };

/** The form in which a person decides about tool calls. */
function Review({ stream, value }: { stream: ReturnType<typeof useStream>; value: ReviewRequest }) {
  const actions = value.actionRequests ?? value.action_requests ?? [];
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

const apiUrl = new URLSearchParams(location.search).get("api") ?? "http://localhost:2024";
createRoot(document.getElementById("root")!).render(<Chat apiUrl={apiUrl} />);
