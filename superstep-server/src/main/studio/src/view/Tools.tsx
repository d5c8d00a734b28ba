import { span } from "../model/format";
import type { ToolUse } from "../model/run";
import { useWindow } from "./hooks";
import { Empty, Status } from "./parts";

const ROW = 34;

/** The calls of tools, in the order in which they began. */
export function Tools({ tools, version }: { tools: ToolUse[]; version: number }) {
  void version;
  const view = useWindow(tools.length, ROW);
  if (tools.length === 0) return <Empty title="No tool was called" />;
  return (
    <div className="scroll" style={{ height: `min(46vh, 460px, ${view.height + 1}px)` }} ref={view.ref} onScroll={view.onScroll} tabIndex={0} role="group" aria-label="Tool calls">
      <ol className="tool-list" style={{ height: view.height }}>
        {tools.slice(view.from, view.to).map((use, i) => (
          <li key={view.slot(view.from + i)} style={{ top: (view.from + i) * ROW, height: ROW }}>
            <code>{use.tool}</code><span className="hint">{use.agent}</span><Status of={use.state} />
            <span className="num">{use.state === "running" ? "" : span(use.took)}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
