import type { IncomingMessage } from "node:http";
import { AppError } from "../../kernel/errors/errors.ts";
import { countHeader } from "./raw-headers.ts";

type Sent = Pick<IncomingMessage, "headers" | "rawHeaders">;

/** Rejects a body by its headers: it must be `application/json` in UTF-8, without an encoding. */
export function refuseContent({ headers, rawHeaders }: Sent): void {
  if (!announcesBody(headers)) return;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity")
    throw unsupported(
      "Content-Encoding",
      `the body must not be encoded as ${JSON.stringify(encoding)}: send it without Content-Encoding`,
    );
  const type = headers["content-type"];
  if (type === undefined)
    throw unsupported("Content-Type", "the body has no Content-Type: send it as application/json");
  if (countHeader(rawHeaders, "content-type") > 1 || !isJson(type)) {
    const message = `the body must be application/json in UTF-8, not ${JSON.stringify(type)}: send it with Content-Type: application/json`;
    throw unsupported("Content-Type", message);
  }
}

function announcesBody(headers: Sent["headers"]): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Whether a content type is JSON in UTF-8. Of its parameters, only `charset` can change the meaning of the bytes. */
function isJson(contentType: string): boolean {
  const [type, ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  return (
    type === "application/json" &&
    parameters.every((parameter) => !/^charset\b/.test(parameter) || /^charset=("?)utf-8\1$/.test(parameter))
  );
}

function unsupported(field: string, message: string): AppError {
  return new AppError("unsupported_media_type", message, { field });
}
