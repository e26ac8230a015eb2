import "./styles/app.css";
import { createRoot } from "react-dom/client";
import { start } from "./app/start.tsx";

// the page's policy allows style elements with this nonce alone; the dialogs' library reads it from here
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce;
Object.assign(globalThis, { __webpack_nonce__: nonce });

void start(createRoot(document.getElementById("root")!));
