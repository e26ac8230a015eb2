export { routeOf, tagOf } from "./route.ts";
