import type { Answer, Json } from "./harness.ts";
import { type Api, query } from "./api.ts";

export function fire(api: Api, key: string, headers: Record<string, string> = {}): Promise<Answer> {
  return api.call("POST", "/v1/triggers/fire", { key }, headers);
}

export function getTrigger(api: Api, id: string): Promise<Json> {
  return api.call("GET", `/v1/triggers/${id}`).then(({ json }) => json);
}

/** The trigger's row in the database: it stays the same without a change. */
export function rowOf(api: Pick<Api, "dataDir">, id: string): unknown {
  return query(api, "SELECT * FROM triggers WHERE id = ?", id)[0];
}

export function countRuns(api: Pick<Api, "dataDir">, triggerId: string): number {
  const [row] = query<{ n: number }>(api, "SELECT count(*) AS n FROM runs WHERE source_trigger_id = ?", triggerId);
  return row!.n;
}
