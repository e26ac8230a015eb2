import type { WebhookPayload } from "@belfry/webhook-schema";
import { DatabaseSync } from "node:sqlite";

/** What is done about a delivery. One that throws is tried again with the next delivery, and at the next start. */
export type Handle = (payload: WebhookPayload) => void | Promise<void>;

/** Done deliveries are known this long: one that the daemon could not finish before it was switched off comes late. */
const knownForMs = 30 * 86_400_000;

/**
 * Deliveries on disk before they are answered, and worked off afterwards, one by one. The daemon sends at least once
 * and in any order, so the id is the key: a delivery that is known already is answered and not worked off again. A
 * redelivery that somebody asks for has a new id: where the work must happen once per run, let it check `run.id` too. A
 * crash between the work and its mark does it once more; where that matters, let the work write its own result and the
 * mark in one transaction.
 */
export class Inbox implements Disposable {
  readonly #database: DatabaseSync;
  readonly #handle: Handle;
  #isWorking = false;

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
    this.#database.prepare("DELETE FROM delivery WHERE done_at < ?").run(Date.now() - knownForMs);
    this.#wake();
  }

  /** On disk when it returns; only then answer with 2xx. */
  keep(payload: WebhookPayload): void {
    this.#database
      .prepare("INSERT INTO delivery (id, payload) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")
      .run(payload.delivery.id, JSON.stringify(payload));
    this.#wake();
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }

  #wake(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    // after the answer
    setImmediate(() => void this.#work());
  }

  async #work(): Promise<void> {
    for (let last = 0; this.#database.isOpen;) {
      const next = this.#database
        .prepare("SELECT number, payload FROM delivery WHERE done_at IS NULL AND number > ? ORDER BY number LIMIT 1")
        .get(last);
      if (next === undefined) break;
      last = Number(next["number"]);
      await this.#workOff(last, JSON.parse(String(next["payload"])) as WebhookPayload);
    }
    this.#isWorking = false;
  }

  async #workOff(number: number, payload: WebhookPayload): Promise<void> {
    try {
      await this.#handle(payload);
      if (!this.#database.isOpen) return;
      this.#database.prepare("UPDATE delivery SET done_at = ? WHERE number = ?").run(Date.now(), number);
    } catch (error) {
      console.error(`delivery ${payload.delivery.id} was not worked off and is kept:`, error);
    }
  }
}
