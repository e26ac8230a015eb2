import { gather } from "../gather.ts";
import type { Host } from "../host.ts";
import { type Paint, painterFor } from "./paint.ts";
import { progressOn } from "./progress.ts";
import { type Column, renderTable } from "./table.ts";
import { escapeUnsafe } from "./width.ts";

/** A page of the SDK: the wire's object, which goes on when it is iterated. */
interface ListPage<T> extends AsyncIterable<T> {
  readonly next_cursor: string | null;
}

interface ListView<T> {
  /** The list's name on the wire. */
  readonly plural: string;
  /** All pages, or only the first. */
  readonly isWhole: boolean;
  /** Or what they are for these rows, where that is to be asked for. */
  readonly columns: readonly Column<T>[] | ((rows: readonly T[]) => PromiseLike<readonly Column<T>[]>);
  /** Said where there is nothing to list. */
  readonly empty: string;
}

/** What a command says: JSON for programs, or words for people. Standard output holds the answer and nothing else. */
export class Output {
  readonly json: boolean;
  readonly #host: Host;
  #progress: Disposable | null = null;
  readonly paint: (paint: Paint, text: string) => string;

  constructor(host: Host, json: boolean) {
    this.#host = host;
    this.json = json;
    this.paint = painterFor(host.stdout, host.environment);
  }

  /** The answer as JSON, or as `render` words it. */
  answer(value: unknown, render: () => string): void {
    const text = this.json ? JSON.stringify(value, null, 2) : escapeUnsafe(render());
    this.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** One of many answers, as it comes. */
  event(value: unknown, render: () => string): void {
    this.write(`${this.json ? JSON.stringify(value) : escapeUnsafe(render())}\n`);
  }

  async list<T>(page: ListPage<T>, view: ListView<T>): Promise<void> {
    if (this.json && !view.isWhole) return this.answer(page, () => "");
    if (this.json) return this.#streamJson(page, view.plural);
    const rows = view.isWhole ? await gather(page) : itemsOf<T>(page, view.plural);
    if (rows.length === 0) return this.note(view.empty);
    const columns = typeof view.columns === "function" ? await view.columns(rows) : view.columns;
    this.write(this.table(columns, rows));
    if (!view.isWhole && page.next_cursor !== null) this.note("There are more: --limit <n>, or --all");
  }

  table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
    const { isTTY, columns: width } = this.#host.stdout;
    return renderTable(columns, rows, { columns: isTTY === true ? (width ?? 80) : null, paint: this.paint });
  }

  /** A remark for a person; a program neither needs nor sees it. */
  note(text: string): void {
    if (!this.json) this.writeError(`${escapeUnsafe(text)}\n`);
  }

  write(data: string | Uint8Array): void {
    this.endProgress();
    this.#host.stdout.write(data);
  }

  writeError(data: string | Uint8Array): void {
    this.endProgress();
    this.#host.stderr.write(data);
  }

  /** Shown to a terminal once a second has passed, until anything else is said, or it is disposed of. */
  progress(text: () => string): Disposable {
    this.endProgress();
    const shown = progressOn(this.#host.stderr, text);
    this.#progress = shown;
    return { [Symbol.dispose]: () => (this.#progress === shown ? this.endProgress() : undefined) };
  }

  endProgress(): void {
    this.#progress?.[Symbol.dispose]();
    this.#progress = null;
  }

  /** One document, however long: pages are written as they come. */
  async #streamJson(items: AsyncIterable<unknown>, plural: string): Promise<void> {
    let separator = "\n";
    this.write(`{\n  ${JSON.stringify(plural)}: [`);
    for await (const item of items) {
      this.write(`${separator}    ${JSON.stringify(item)}`);
      separator = ",\n";
    }
    this.write(`${separator === "\n" ? "" : "\n  "}],\n  "next_cursor": null\n}\n`);
  }
}

/** The plural names the list's array; so the contract's `listOf` makes it. */
function itemsOf<T>(page: ListPage<T>, plural: string): readonly T[] {
  return Reflect.get(page, plural) as readonly T[];
}
