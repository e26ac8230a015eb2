import { excerpt } from "../../../kernel/log/redact.ts";

/** Quotes user input in a message: without control characters, and shortened. */
export function quote(text: string): string {
  return JSON.stringify(excerpt(text));
}
