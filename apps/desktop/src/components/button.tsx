import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";

export interface ButtonProps extends ComponentProps<"button"> {
  /** `primary`: the one act of a page. `danger`: it takes something away. `quiet`: an act in a row. */
  readonly look?: "primary" | "plain" | "danger" | "quiet";
  readonly isBusy?: boolean;
}

const looks = {
  primary: "bg-accent text-on-accent border-accent hover:opacity-90",
  plain: "bg-raised border-control hover:bg-hover",
  danger: "bg-raised border-failure text-failure hover:bg-hover",
  quiet: "border-transparent hover:bg-hover",
} as const;

/** A button. While it is busy, it cannot be pressed again, but keeps the focus. */
export function Button({
  look = "plain",
  isBusy = false,
  className,
  disabled,
  children,
  onClick,
  ...rest
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...rest}
      // a disabled button would lose the focus; a prevented click sends no form either
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      disabled={disabled === true && !isBusy}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      className={classNames(
        "inline-flex h-8 shrink-0 items-center justify-center gap-2 rounded-sm border px-3 whitespace-nowrap disabled:opacity-60 aria-disabled:opacity-60",
        looks[look],
        className,
      )}
    >
      {children}
    </button>
  );
}
