import addFormats from "ajv-formats";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { readFileSync } from "node:fs";

export const publishedSchema = JSON.parse(
  readFileSync(new URL("../../webhook-schema/schema/service.webhook.v1.json", import.meta.url), "utf8"),
) as Readonly<Record<string, unknown>>;

/** Creates a validator from a document alone, by default the published one. */
export function validatorOf(document: object = publishedSchema): ValidateFunction {
  const ajv = new Ajv2020({ strict: true });
  addFormats.default(ajv, ["date-time"]);
  return ajv.compile(document);
}
