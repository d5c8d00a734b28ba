import { useEffect, useState } from "react";
import { apiKey, setApiKey } from "../api/client";
import { format, type Route } from "../model/route";
import { Compare } from "./Compare";
import { GraphPage, Graphs } from "./Graphs";
import { useRoute } from "./hooks";
import { RagEditor } from "./RagEditor";
import { ThreadPage } from "./ThreadPage";
import { Threads } from "./Threads";
import { Dialog } from "./parts";

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
  const [asksKey, setAsksKey] = useState(false);
  const [round, setRound] = useState(0);
  useEffect(() => {
    document.documentElement.dataset["theme"] = theme;
    localStorage.setItem(THEME, theme);
  }, [theme]);
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
          <button type="button" className="quiet" onClick={() => setAsksKey(true)}>
            {apiKey() === "" ? "API key" : "API key set"}
          </button>
        </div>
      </header>
      <main id="main" tabIndex={-1} key={round}><Page route={route} /></main>
      {asksKey && <KeyDialog onClose={() => { setAsksKey(false); setRound(round + 1); }} />}
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
      return <ThreadPage key={route.thread} thread={route.thread} at={route.at} tab={route.tab} />;
    case "graph":
      return <GraphPage graph={route.graph} />;
    case "edit":
      return <RagEditor key={route.graph} graph={route.graph} />;
    case "compare":
      return <Compare a={route.a} b={route.b} />;
  }
}

function KeyDialog({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState(apiKey());
  return (
    <Dialog title="API key" onClose={onClose}>
      <form onSubmit={(event) => { event.preventDefault(); setApiKey(key.trim()); onClose(); }}>
        <label className="field">Key
          <input type="password" value={key} autoComplete="off" onChange={(event) => setKey(event.target.value)} />
        </label>
        <p className="hint">It is kept in this tab only, until you close it.</p>
        <div className="actions"><button type="submit" className="primary">Use this key</button></div>
      </form>
    </Dialog>
  );
}
