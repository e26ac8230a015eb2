import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";

const box =
  "rounded-sm border border-control bg-page px-2 py-1 text-text placeholder:text-muted aria-invalid:border-failure";

interface FieldProps {
  readonly label: string;
  /** What the value does, and what is allowed. */
  readonly hint?: ReactNode;
  /** The daemon's words on this member. */
  readonly error?: string | null | undefined;
  readonly isLabelHidden?: boolean;
  readonly className?: string;
}

interface Described {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": true | undefined;
}

function Field({
  label,
  hint,
  error,
  isLabelHidden,
  className,
  children,
}: FieldProps & { readonly children: (input: Described) => ReactNode }): ReactNode {
  const id = useId();
  const isWrong = error !== null && error !== undefined;
  const described = [hint === undefined ? null : `${id}-hint`, isWrong ? `${id}-error` : null]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={classNames("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={id} className={isLabelHidden === true ? "sr-only" : "font-medium"}>
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": isWrong || undefined })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-small text-muted">
          {hint}
        </p>
      )}
      {isWrong && (
        <p id={`${id}-error`} role="alert" className="text-small text-failure">
          {error}
        </p>
      )}
    </div>
  );
}

type Own<P> = FieldProps & Omit<P, keyof FieldProps>;
const ownNames = (props: FieldProps): FieldProps => props;

export function TextField(props: Own<ComponentProps<"input">> & { readonly isMono?: boolean }): ReactNode {
  const { label, hint, error, isLabelHidden, className, isMono, ...input } = props;
  return (
    <Field {...ownNames({ label, hint, error, ...pick(isLabelHidden, className) })}>
      {(described) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...described}
          className={classNames(box, "h-8 w-full", isMono === true && "font-mono text-small")}
        />
      )}
    </Field>
  );
}

/** Several lines: of code, unless `isProse`. */
export function TextArea(props: Own<ComponentProps<"textarea"> & { readonly isProse?: boolean }>): ReactNode {
  const { label, hint, error, isLabelHidden, className, isProse = false, ...input } = props;
  return (
    <Field {...ownNames({ label, hint, error, ...pick(isLabelHidden, className) })}>
      {(described) => (
        <textarea
          autoComplete="off"
          spellCheck={isProse}
          rows={4}
          {...input}
          {...described}
          className={classNames(box, "w-full", !isProse && "font-mono text-small")}
        />
      )}
    </Field>
  );
}

export function SelectField(props: Own<ComponentProps<"select">>): ReactNode {
  const { label, hint, error, isLabelHidden, className, children, ...input } = props;
  return (
    <Field {...ownNames({ label, hint, error, ...pick(isLabelHidden, className) })}>
      {(described) => (
        <select {...input} {...described} className={classNames(box, "h-8 w-full")}>
          {children}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  ...input
}: Omit<ComponentProps<"input">, "type"> & { readonly label: string; readonly hint?: string }): ReactNode {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="mt-0.5 size-4 accent-accent"
      />
      <div>
        <label htmlFor={id}>{label}</label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-small text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

function pick(isLabelHidden: boolean | undefined, className: string | undefined) {
  return {
    ...(isLabelHidden === undefined ? {} : { isLabelHidden }),
    ...(className === undefined ? {} : { className }),
  };
}
