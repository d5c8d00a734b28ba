import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "@xyflow/react/dist/base.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/graph.css";
import { App } from "./view/App";

createRoot(document.getElementById("root")!).render(<StrictMode><App /></StrictMode>);
