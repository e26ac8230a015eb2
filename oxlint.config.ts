import { config } from "@belfry/lint";

export default config;
