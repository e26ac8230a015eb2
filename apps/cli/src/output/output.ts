import { gather } from "../gather.ts";
import type { Host, Sink } from "../host.ts";
import { plainText, type Rewrite } from "./hints.ts";
import { type Paint, painterFor } from "./paint.ts";
import { progressOn } from "./progress.ts";
import { openScreen, type Screen } from "./screen.ts";
import { type Column, renderTable } from "./table.ts";
import { columnsOf } from "./terminal.ts";
import { escapeUnsafe } from "./width.ts";

/** A page of the SDK; iterating over it loads the pages after it. */
interface ListPage<T> extends AsyncIterable<T> {
  readonly next_cursor: string | null;
}

interface ListView<T> {
  /** Name of the list in the API. */
  readonly plural: string;
  /** Whether to show all pages, or only the first. */
  readonly isWhole: boolean;
  /** The columns, or a function that loads what they need for these rows. */
  readonly columns: readonly Column<T>[] | ((rows: readonly T[]) => PromiseLike<readonly Column<T>[]>);
  /** Orders the rows of the text; `--json` keeps the daemon's order. */
  readonly order?: (one: T, other: T) => number;
  /** Shown if the list is empty. */
  readonly empty: string;
}

/** The output of a command: text or JSON. Standard output contains only the result. */
export class Output {
  readonly json: boolean;
  readonly #host: Host;
  #progress: Disposable | null = null;
  readonly paint: (paint: Paint, text: string) => string;
  /** Makes the commands in a message those that the user would type. */
  readonly hint: Rewrite;

  constructor(host: Host, json: boolean, hint: Rewrite = plainText) {
    this.#host = host;
    this.json = json;
    this.hint = hint;
    this.paint = painterFor(host.stdout, host.environment);
  }

  /** Prints the result as JSON, or as the text of `render`. */
  answer(value: unknown, render: () => string): void {
    const text = this.json ? JSON.stringify(value, null, 2) : escapeUnsafe(render());
    this.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Prints one of many results, as it arrives. */
  event(value: unknown, render: () => string): void {
    this.write(`${this.json ? JSON.stringify(value) : escapeUnsafe(render())}\n`);
  }

  async list<T>(page: ListPage<T>, view: ListView<T>): Promise<void> {
    if (this.json && !view.isWhole) return this.answer(page, () => "");
    if (this.json) return this.#streamJson(page, view.plural);
    const listed = view.isWhole ? await gather(page) : itemsOf<T>(page, view.plural);
    const rows = view.order === undefined ? listed : listed.toSorted(view.order);
    if (rows.length === 0) return this.note(view.empty);
    const columns = typeof view.columns === "function" ? await view.columns(rows) : view.columns;
    this.write(this.table(columns, rows));
    if (!view.isWhole && page.next_cursor !== null)
      this.note(`Showing the newest ${rows.length}. Use --limit <n> or --all for more`);
  }

  table<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
    const { stdout } = this.#host;
    return renderTable(columns, rows, { columns: stdout.isTTY === true ? columnsOf(stdout) : null, paint: this.paint });
  }

  /** Draws in place on a terminal; null if standard output is not one. */
  screen(): Screen | null {
    const { stdout } = this.#host;
    return openScreen({
      write: (data) => this.write(data),
      isTTY: stdout.isTTY,
      get rows() {
        return stdout.rows;
      },
    });
  }

  /** Prints a remark to standard error, but not with `--json`. */
  note(text: string): void {
    if (!this.json) this.writeError(`${escapeUnsafe(this.hint(text))}\n`);
  }

  write(data: string | Uint8Array): void {
    this.endProgress();
    this.#host.stdout.write(data);
  }

  /** Waits for a slow reader, such as a pager. What many writes leave unread would fill the memory. */
  async untilRead(): Promise<void> {
    for (const sink of [this.#host.stdout, this.#host.stderr])
      if (sink.writableNeedDrain === true) await untilDrained(sink);
  }

  writeError(data: string | Uint8Array): void {
    this.endProgress();
    this.#host.stderr.write(data);
  }

  /** Shows progress on a terminal after one second, until there is other output or it is disposed. */
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

  /** Writes one JSON document, page by page. */
  async #streamJson(items: AsyncIterable<unknown>, plural: string): Promise<void> {
    let separator = "\n";
    this.write(`{\n  ${JSON.stringify(plural)}: [`);
    for await (const item of items) {
      this.write(`${separator}    ${JSON.stringify(item)}`);
      separator = ",\n";
      await this.untilRead();
    }
    this.write(`${separator === "\n" ? "" : "\n  "}],\n  "next_cursor": null\n}\n`);
  }
}

function untilDrained(sink: Sink): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      sink.off?.("drain", end);
      sink.off?.("close", end);
      resolve();
    };
    sink.on?.("drain", end);
    sink.on?.("close", end);
  });
}

/** The contract's `listOf` names the array after the plural. */
function itemsOf<T>(page: ListPage<T>, plural: string): readonly T[] {
  return Reflect.get(page, plural) as readonly T[];
}
