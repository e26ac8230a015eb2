export { type ApiDescription, buildDocument, type OpenApiDocument } from "./document.ts";
export { localApi } from "./local-api.ts";
export { routeOf, tagOf } from "./route.ts";
