import { type ReactNode, useEffect } from "react";

export interface PageProps {
  readonly title: string;
  /** Where the page is: the task of a run, for example. */
  readonly above?: ReactNode;
  readonly status?: ReactNode;
  /** The one act. */
  readonly act?: ReactNode;
  /** The other acts, behind one button. */
  readonly more?: ReactNode;
  readonly filters?: ReactNode;
  readonly children: ReactNode;
}

/** A page: title, status, one act and the rest behind a button; then filters; then content. */
export function Page({ title, above, status, act, more, filters, children }: PageProps): ReactNode {
  useEffect(() => {
    document.title = `${title} · Belfry`;
  }, [title]);
  return (
    <div className="flex min-w-0 flex-col gap-4 p-4 md:px-6">
      <header className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="flex min-w-0 flex-1 flex-col max-sm:basis-auto">
          {above !== undefined && <div className="text-small text-muted">{above}</div>}
          <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
            <h1 tabIndex={-1} className="min-w-0 break-words">
              {title}
            </h1>
            {status}
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          {act}
          {more}
        </div>
      </header>
      {filters !== undefined && (
        <div className="flex flex-wrap items-end gap-2 max-sm:*:flex-1 max-sm:*:basis-36">{filters}</div>
      )}
      {children}
    </div>
  );
}

export function Section({
  title,
  act,
  children,
}: {
  readonly title: string;
  readonly act?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <section className="flex min-w-0 flex-col gap-2" aria-label={title}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2">
        <h2>{title}</h2>
        {act}
      </div>
      {children}
    </section>
  );
}

export interface Fact {
  readonly name: string;
  readonly value: ReactNode;
}

/** Names and values. A fact without a value is left out. */
export function Facts({ facts }: { readonly facts: readonly (Fact | null)[] }): ReactNode {
  return (
    <dl className="grid grid-cols-[minmax(92px,max-content)_minmax(0,1fr)] sm:grid-cols-[minmax(96px,max-content)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5">
      {facts.map(
        (fact) =>
          fact !== null && (
            <div key={fact.name} className="contents">
              <dt className="text-muted">{fact.name}</dt>
              <dd className="min-w-0 break-words">{fact.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
