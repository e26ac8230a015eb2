import { classNames } from "../../../components/class-names.ts";
import type { Colour, Style } from "./ansi.ts";

const texts: Readonly<Record<Colour, string>> = {
  black: "text-text",
  red: "text-ansi-red",
  green: "text-ansi-green",
  yellow: "text-ansi-yellow",
  blue: "text-ansi-blue",
  magenta: "text-ansi-magenta",
  cyan: "text-ansi-cyan",
  white: "text-text",
  grey: "text-muted",
};

/** A coloured ground has the page's colour as text: whatever a program combines can be read in both themes. */
const grounds: Readonly<Record<Colour, string>> = {
  black: "bg-text text-page",
  red: "bg-ansi-red text-page",
  green: "bg-ansi-green text-page",
  yellow: "bg-ansi-yellow text-page",
  blue: "bg-ansi-blue text-page",
  magenta: "bg-ansi-magenta text-page",
  cyan: "bg-ansi-cyan text-page",
  white: "bg-hover text-text",
  grey: "bg-muted text-page",
};

/** The classes of a style of the output. */
export function lookOf(style: Style): string {
  return classNames(
    colourClasses(style),
    style.isBold === true && "font-bold",
    style.isUnderlined === true && "underline",
  );
}

function colourClasses({ colour, background, isDim, isInverse }: Style): string | null {
  if (isInverse === true) return grounds[colour ?? "black"];
  if (background !== undefined) return grounds[background];
  if (colour !== undefined) return texts[colour];
  return isDim === true ? "text-muted" : null;
}
