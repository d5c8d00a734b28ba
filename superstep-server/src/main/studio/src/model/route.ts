/** The part of the studio that the address names. */
export type Route =
  | { view: "threads" }
  | { view: "graphs" }
  | { view: "thread"; thread: string; at: string | null; inside?: string; tab: string }
  | { view: "graph"; graph: string }
  | { view: "edit"; graph: string }
  | { view: "compare"; a: string; b: string };

export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2) as [string?, string?];
  const values = new URLSearchParams(query);
  const parts = path.split("/").map(decoded);
  const [first = "", second = "", third = ""] = parts;
  if (first === "threads" && second !== "") {
    const at = values.get("at");
    const inside = at === null ? null : values.get("task");
    return { view: "thread", thread: second, at, ...(inside ? { inside } : {}), tab: values.get("tab") ?? "timeline" };
  }
  if (first === "graphs" && second !== "") {
    return third === "edit" ? { view: "edit", graph: second } : { view: "graph", graph: second };
  }
  if (first === "graphs") return { view: "graphs" };
  if (first === "compare") return { view: "compare", a: values.get("a") ?? "", b: values.get("b") ?? "" };
  return { view: "threads" };
}

export function format(route: Route): string {
  const part = encodeURIComponent;
  switch (route.view) {
    case "threads":
      return "#/threads";
    case "graphs":
      return "#/graphs";
    case "thread": {
      const values = new URLSearchParams();
      if (route.at) values.set("at", route.at);
      if (route.at && route.inside) values.set("task", route.inside);
      if (route.tab !== "timeline") values.set("tab", route.tab);
      const query = values.toString();
      return `#/threads/${part(route.thread)}${query ? "?" + query : ""}`;
    }
    case "graph":
      return `#/graphs/${part(route.graph)}`;
    case "edit":
      return `#/graphs/${part(route.graph)}/edit`;
    case "compare":
      return `#/compare?a=${part(route.a)}&b=${part(route.b)}`;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
