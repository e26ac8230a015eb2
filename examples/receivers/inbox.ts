import type { WebhookPayload } from "@belfry/webhook-schema";
import { DatabaseSync } from "node:sqlite";

/** Processes a delivery. If it throws, the inbox tries again after the next delivery and at the next start. */
export type Handle = (payload: WebhookPayload) => void | Promise<void>;

/** How long processed ids are kept: a daemon that was off sends its unfinished deliveries late. */
const keepDoneMs = 30 * 86_400_000;

/**
 * Stores deliveries on disk before the answer, and processes them afterwards, one at a time. The daemon delivers at least
 * once and in any order, so `delivery.id` is the key: a known delivery is answered but not processed again. A manual
 * redelivery has a new id, so work that must happen once per run must check `run.id` too. After a crash between the work
 * and `done_at`, the work happens again. To prevent that, write the result and `done_at` in one transaction.
 */
export class Inbox implements Disposable {
  readonly #database: DatabaseSync;
  readonly #handle: Handle;
  #isProcessing = false;

  constructor(path: string, handle: Handle) {
    this.#handle = handle;
    this.#database = new DatabaseSync(path);
    this.#database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS delivery (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, payload TEXT NOT NULL, done_at INTEGER
      ) STRICT;
      CREATE INDEX IF NOT EXISTS delivery_open ON delivery (number) WHERE done_at IS NULL;
      CREATE INDEX IF NOT EXISTS delivery_done ON delivery (done_at) WHERE done_at IS NOT NULL;
    `);
    this.#database.prepare("DELETE FROM delivery WHERE done_at < ?").run(Date.now() - keepDoneMs);
    this.#startWork();
  }

  /** Stores a delivery. It is on disk when this returns: answer 2xx only then. */
  keep(payload: WebhookPayload): void {
    this.#database
      .prepare("INSERT INTO delivery (id, payload) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")
      .run(payload.delivery.id, JSON.stringify(payload));
    this.#startWork();
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #startWork(): void {
    if (this.#isProcessing) return;
    this.#isProcessing = true;
    // process it after the answer is sent
    setImmediate(() => void this.#processAll());
  }

  async #processAll(): Promise<void> {
    for (let last = 0; this.#database.isOpen;) {
      const next = this.#database
        .prepare("SELECT number, payload FROM delivery WHERE done_at IS NULL AND number > ? ORDER BY number LIMIT 1")
        .get(last);
      if (next === undefined) break;
      last = Number(next["number"]);
      await this.#process(last, JSON.parse(String(next["payload"])) as WebhookPayload);
    }
    this.#isProcessing = false;
  }

  async #process(number: number, payload: WebhookPayload): Promise<void> {
    try {
      await this.#handle(payload);
      if (!this.#database.isOpen) return;
      this.#database.prepare("UPDATE delivery SET done_at = ? WHERE number = ?").run(Date.now(), number);
    } catch (error) {
      console.error(`delivery ${payload.delivery.id} failed and is kept:`, error);
    }
  }
}
