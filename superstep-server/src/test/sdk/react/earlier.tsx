// The hook of @langchain/langgraph-sdk/react, which speaks the API of runs.
import { useStream } from "@langchain/langgraph-sdk/react";
import { useState } from "react";
import { createRoot } from "react-dom/client";

const query = new URLSearchParams(location.search);

function Chat({ apiUrl }: { apiUrl: string }) {
  const [threadId, setThreadId] = useState(query.get("thread"));
  const stream = useStream<{ messages: any[] }>({
    apiUrl,
    assistantId: "chat",
    threadId,
    onThreadId: (id) => {
      history.replaceState(null, "", `?${new URLSearchParams({ api: apiUrl, thread: id })}`);
      setThreadId(id);
    },
    reconnectOnMount: () => localStorage as any,
    fetchStateHistory: { limit: 1000 },
  });
  const [text, setText] = useState("");
  const value = stream.interrupt?.value as any;
  const actions = value?.action_requests ?? value?.actionRequests ?? [];
  const send = () => {
    void stream.submit({ messages: [{ type: "human", content: text }] }, { streamResumable: true, onDisconnect: "continue" } as any);
    setText("");
  };
  const edit = (message: any) => {
    const checkpoint = stream.getMessagesMetadata(message)?.firstSeenState?.parent_checkpoint;
    const content = prompt("New text", message.content) ?? message.content;
    void stream.submit({ messages: [{ type: "human", content }] }, { checkpoint } as any);
  };
  const decide = (type: string) =>
    void stream.submit(null, { command: { resume: { decisions: actions.map(() => ({ type })) } } } as any);
  return (
    <main>
      <ol>
        {stream.messages.map((message: any) => (
          <li key={message.id} className={message.type}>
            {String(message.content)}
            {message.type === "human" && <button onClick={() => edit(message)}>Edit</button>}
          </li>
        ))}
      </ol>
      {stream.toolCalls.map((call: any) => (
        <p key={call.id} className="call">{`${call.call.name} ${JSON.stringify(call.call.args)}: ${call.state}`}</p>
      ))}
      {actions.length > 0 && (
        <div>
          <p>{`${actions[0].name} ${JSON.stringify(actions[0].args)}?`}</p>
          <button onClick={() => decide("approve")}>Approve</button>
        </div>
      )}
      {stream.error != null && <p role="alert">{String(stream.error)}</p>}
      <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      <button onClick={send}>Send</button>
      <p id="state">{stream.isLoading ? "working" : "idle"}</p>
    </main>
  );
}

createRoot(document.getElementById("root")!).render(<Chat apiUrl={query.get("api")!} />);
