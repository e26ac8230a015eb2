import { useState } from "react";

/** What a person types over something that is stored, or into something new. Somebody else may change it meanwhile. */
export interface Draft<R, F> {
  /** What the form began with. Null for something new. */
  readonly base: R | null;
  /** What is stored now. */
  readonly newest: R | null;
  readonly form: F;
  readonly set: (change: Partial<F>) => void;
  /** The members of the form that differ from the base. */
  readonly changed: Partial<F>;
  /** Puts what was changed on top of the newest state, and begins with that. */
  readonly rebase: () => void;
}

/** `formOf` says what a form begins with. Only the first state that is given is the base, until `rebase` is called. */
export function useDraft<R, F extends object>(newest: R | null, formOf: (stored: R | null) => F): Draft<R, F> {
  const [base, setBase] = useState(newest);
  const [form, setForm] = useState(() => formOf(newest));
  const changed = changesOf(formOf(base), form);
  return {
    base,
    newest,
    form,
    set: (change) => setForm({ ...form, ...change }),
    changed,
    rebase: () => {
      setForm({ ...formOf(newest), ...changed });
      setBase(newest);
    },
  };
}

/** What is stored now of something that is edited, from the list that shows it; the last known state if it is gone. */
export function newestOf<R extends { readonly id: string }>(edited: R, list: readonly R[] | null): R {
  return list?.find(({ id }) => id === edited.id) ?? edited;
}

function changesOf<F extends object>(before: F, form: F): Partial<F> {
  const names = Object.keys(form) as (keyof F)[];
  const changed: Partial<F> = {};
  for (const name of names) if (form[name] !== before[name]) changed[name] = form[name];
  return changed;
}
