import type { Block } from "./read-page.ts";
import type { Reader } from "./reader.ts";

/**
 * Runs the blocks of a page in order. Throws with the output of the first that fails. A block that should keep running
 * fails if it ends within `runsForMs`, the time in which a mistake would end it.
 */
export async function followPage(blocks: readonly Block[], reader: Reader, runsForMs = 1_500): Promise<number> {
  let ran = 0;
  for (const block of blocks) {
    if (block.language !== "sh" || block.onlyChecked) continue;
    const filled = await fillIn(block, reader);
    if (block.keepsRunning) {
      await keepRunning(filled, reader, runsForMs);
    } else {
      const { code, output } = await reader.run(filled);
      if (code !== 0) throw new Error(`line ${block.line}: exit code ${code}\n${filled.text}\n${output}`);
      if (block.kind === "block") await reader.keepOutput(output);
    }
    ran += block.kind === "block" ? 1 : 0;
  }
  return ran;
}

async function keepRunning(block: Block, reader: Reader, runsForMs: number): Promise<void> {
  const { line, text } = block;
  const { shell, readOutput } = reader.start(block);
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  shell.once("exit", () => resolve("ended"));
  const { promise: passed, resolve: pass } = Promise.withResolvers<string>();
  const timer = setTimeout(pass, runsForMs, "runs");
  const result = await Promise.race([ended, passed]);
  clearTimeout(timer);
  if (result === "ended") throw new Error(`line ${line}: does not keep running\n${text}\n${readOutput()}`);
}

async function fillIn(block: Block, reader: Reader): Promise<Block> {
  let { text, typed } = block;
  for (const [word, command] of block.placeholders) {
    if (!`${text}${typed}`.includes(word)) throw new Error(`line ${block.line}: the block does not contain ${word}`);
    const { code, output } = await reader.run({ text: command, typed: "" });
    if (code !== 0) throw new Error(`line ${block.line}: no value for ${word}\n${output}`);
    text = text.replaceAll(word, output.trim());
    typed = typed.replaceAll(word, output.trim());
  }
  return { ...block, text, typed };
}
