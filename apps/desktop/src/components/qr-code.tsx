import type { ReactNode } from "react";
import { encode } from "uqr";

/** A QR code, dark on light in both themes, because cameras want it so. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width="168"
      height="168"
      shapeRendering="crispEdges"
      className="bg-[white]"
    >
      <path d={path} fill="black" />
    </svg>
  );
}
