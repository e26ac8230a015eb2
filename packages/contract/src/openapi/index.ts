export { type ApiDescription, buildDocument, type OpenApiDocument } from "./document.ts";
export { localApi } from "./local-api.ts";
export { remoteApi } from "./remote-api.ts";
export { tagOf } from "./route.ts";
