import { useEffect, useRef, useState } from "react";
import { useLate } from "../data/late.ts";

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
  const known = useRef(inAddress ?? "");
  useEffect(() => {
    if (asked === known.current) return;
    known.current = asked;
    change(asked === "" ? undefined : asked);
  }, [asked]);
  useEffect(() => {
    const value = inAddress ?? "";
    if (value === known.current) return;
    // a link led here
    known.current = value;
    setText(value);
  }, [inAddress]);
  return { text, setText, asked };
}
