// uqr: the encoder of the QR standard's reference implementation, without dependencies and with types
import { encode } from "uqr";

/** Readers need a light margin. Four modules are the standard, and two are enough for a screen. */
const margin = 2;
/** Black on white, whatever the colors of the terminal are: many readers do not recognize an inverted code. */
const blackOnWhite = "\u001B[30;107m";
const plain = "\u001B[0m";
const halves = { none: " ", upper: "\u2580", lower: "\u2584", both: "\u2588" } as const;

export interface QrCode {
  /** The width in terminal columns. */
  readonly columns: number;
  readonly text: string;
}

/** Draws a QR code with two rows of modules on each line. Without colors, it is drawn for a light background. */
export function drawQrCode(content: string, { hasColors }: { readonly hasColors: boolean }): QrCode {
  const { data } = encode(content, { ecc: "L", border: margin });
  const lines = Array.from({ length: Math.ceil(data.length / 2) }, (_, line) => {
    const [upper = [], lower = []] = [data[line * 2], data[line * 2 + 1]];
    const drawn = upper.map((isUpper, column) => drawHalves(isUpper, lower[column] === true)).join("");
    return hasColors ? `${blackOnWhite}${drawn}${plain}\n` : `${drawn}\n`;
  });
  return { columns: data.length, text: lines.join("") };
}

function drawHalves(isUpper: boolean, isLower: boolean): string {
  if (isUpper) return isLower ? halves.both : halves.upper;
  return isLower ? halves.lower : halves.none;
}
