import { type ReactNode, useState } from "react";
import { Button } from "./button.tsx";

/** Text to copy whole: a command, a key. It can be selected too, where the clipboard is out of reach. */
export function CopyText({
  text,
  label = "Copy",
  isLong = false,
}: {
  readonly text: string;
  readonly label?: string;
  /** Nobody reads it: its first lines are enough. */
  readonly isLong?: boolean;
}): ReactNode {
  const [result, setResult] = useState<"copied" | "refused" | null>(null);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setResult("copied");
    } catch {
      setResult("refused");
    }
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 items-start gap-2 rounded-sm border bg-surface p-2">
        <code className="min-w-0 flex-1 py-2 wrap-anywhere whitespace-pre-wrap select-all">
          {isLong ? <span className="line-clamp-6">{text}</span> : <WholeWords text={text} />}
        </code>
        <Button onClick={() => void copy()}>{result === "copied" ? "Copied" : label}</Button>
      </div>
      <p role="status" className="text-small text-muted">
        {result === "refused" && "The browser does not allow copying. Select the text instead."}
      </p>
    </div>
  );
}

/** A browser breaks lines after each hyphen, and so between `--` and the name of an option. */
function WholeWords({ text }: { readonly text: string }): ReactNode {
  return text.split(/(\s+)/).map((part, index) =>
    part.trim() === "" ? (
      part
    ) : (
      <span key={index} className="inline-block max-w-full">
        {part}
      </span>
    ),
  );
}
