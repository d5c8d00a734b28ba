import { useEffect, useState } from "react";
import { apiKey, onRefused, setApiKey } from "../api/client";
import { format, type Route } from "../model/route";
import { Compare } from "./Compare";
import { GraphPage, Graphs } from "./Graphs";
import { useRoute } from "./hooks";
import { RagEditor } from "./RagEditor";
import { ThreadPage } from "./ThreadPage";
import { Threads } from "./Threads";
import { Dialog, Empty } from "./parts";

const THEME = "superstep.theme";
const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function storedTheme(): Theme {
  const stored = localStorage.getItem(THEME);
  return THEMES.find((each) => each === stored) ?? "system";
}

export function App() {
  const route = useRoute();
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const [asksKey, setAsksKey] = useState<"" | "wanted" | "refused">("");
  const [refused, setRefused] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(THEME, theme);
  }, [theme]);
  // Whoever closes the window without a key is not asked again and again; "Try again" asks.
  useEffect(() => onRefused(() => {
    setRefused(true);
    setAsksKey((before) => before === "" ? "refused" : before);
  }), []);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById("main")?.focus(); }}>
        Skip to content
      </a>
      <header className="top">
        <a className="brand" href="#/threads"><Mark />Superstep <span>studio</span></a>
        <nav aria-label="Studio">
          <Tab route={{ view: "threads" }} on={route.view === "threads" || route.view === "thread"}>Threads</Tab>
          <Tab route={{ view: "graphs" }} on={route.view === "graphs" || route.view === "graph" || route.view === "edit"}>Graphs</Tab>
          <Tab route={{ view: "compare", a: "", b: "" }} on={route.view === "compare"}>Compare</Tab>
        </nav>
        <div className="top-end">
          <button type="button" className="quiet" onClick={() => setTheme(next)} aria-label={`Theme: ${theme}. Change to ${next}.`}>
            <span aria-hidden="true">{theme === "system" ? "◐" : theme === "light" ? "☀" : "☾"}</span>
            <span className="wide-only">{theme}</span>
          </button>
          <button type="button" className="quiet" onClick={() => setAsksKey("wanted")}>
            {apiKey() === "" ? "API key" : refused ? "API key refused" : "API key set"}
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1} key={round}>
        {/* What the page says of a missing key is said by the window. */}
        {refused && apiKey() === "" ? <NoKey onAsk={() => setAsksKey("wanted")} /> : <Page route={route} />}
      </main>
      {asksKey !== "" && <KeyDialog refused={asksKey === "refused"} onClose={() => setAsksKey("")} onKey={() => { setRefused(false); setRound((before) => before + 1); }} />}
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" className="mark" />
      <path d="M6 23h7v-6h6v-6h7" fill="none" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

function NoKey({ onAsk }: { onAsk: () => void }) {
  return (
    <div className="page">
      <Empty title="This server asks for a key or a token">
        <button type="button" className="primary" onClick={onAsk}>Enter a key</button>
      </Empty>
    </div>
  );
}

function Tab({ route, on, children }: { route: Route; on: boolean; children: string }) {
  return <a href={format(route)} aria-current={on ? "page" : undefined}>{children}</a>;
}

function Page({ route }: { route: Route }) {
  switch (route.view) {
    case "threads":
      return <Threads />;
    case "graphs":
      return <Graphs />;
    case "thread":
      return <ThreadPage key={route.thread} thread={route.thread} at={route.at} inside={route.inside ?? ""} tab={route.tab} />;
    case "graph":
      return <GraphPage graph={route.graph} />;
    case "edit":
      return <RagEditor key={route.graph} graph={route.graph} />;
    case "compare":
      return <Compare a={route.a} b={route.b} />;
  }
}

function KeyDialog({ refused, onClose, onKey }: { refused: boolean; onClose: () => void; onKey: () => void }) {
  const [key, setKey] = useState("");
  const known = apiKey();
  const use = (value: string): void => {
    setApiKey(value);
    onClose();
    onKey();
  };
  return (
    <Dialog title="API key" onClose={onClose}>
      <form onSubmit={(event) => { event.preventDefault(); if (key.trim() !== "") use(key.trim()); }}>
        {refused && <p role="alert">{known === "" ? "This server asks for a key or a token." : "The server does not know this key, or does not accept it any more."}</p>}
        <label className="field">Key or token
          <input type="password" value={key} autoComplete="off" autoFocus required onChange={(event) => setKey(event.target.value)} />
        </label>
        <p className="hint">It is kept in this tab only, until you close it, and sent to this server alone.</p>
        <div className="actions">
          {known !== "" && <button type="button" onClick={() => use("")}>Forget the key</button>}
          <button type="submit" className="primary">Use this key</button>
        </div>
      </form>
    </Dialog>
  );
}
