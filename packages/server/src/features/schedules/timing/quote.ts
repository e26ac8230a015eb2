import { excerpt } from "../../../kernel/log/redact.ts";

/** Quotes what a person wrote in a message to them: without control characters, and not at any length. */
export function quote(text: string): string {
  return JSON.stringify(excerpt(text));
}
