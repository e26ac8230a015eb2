import { useEffect, useState } from "react";
import { useLate } from "../data/late.ts";
import { createWrittenValues } from "./written-values.ts";

export interface AddressText {
  /** What stands in the field. */
  readonly text: string;
  readonly setText: (text: string) => void;
  /** What to search for: the text, once it has stood still for a moment. */
  readonly asked: string;
}

const stillMs = 150;

/** A text to search for that is typed, and is a member of the address. `change` sets this member; undefined removes it. */
export function useAddressText(inAddress: string | undefined, change: (text: string | undefined) => void): AddressText {
  const [text, setText] = useState(inAddress ?? "");
  const asked = useLate(text.trim(), stillMs);
  const [written] = useState(() => createWrittenValues(inAddress ?? ""));
  useEffect(() => {
    if (asked === written.latest()) return;
    written.write(asked);
    change(asked === "" ? undefined : asked);
  }, [asked]);
  useEffect(() => {
    const value = inAddress ?? "";
    if (written.arrive(value)) setText(value);
  }, [inAddress]);
  return { text, setText, asked };
}
