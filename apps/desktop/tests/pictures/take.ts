import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Screens } from "../support/open-screens.ts";

const themes = ["light", "dark"] as const;
const widths = [1_280, 360] as const;

/** A picture `screen-state-theme-width.png` of what is shown, in each theme and width. */
export async function take(ui: Screens, name: string, height?: number): Promise<void> {
  for (const width of widths) {
    await ui.page.setViewportSize({ width, height: height ?? (width === 360 ? 740 : 800) });
    for (const theme of themes) {
      await ui.page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
      // the timeline paints with the next frame
      await ui.page.waitForTimeout(150);
      await ui.picture(`${name}-${theme}-${width}`);
    }
  }
  await ui.page.setViewportSize({ width: 1_280, height: 800 });
}

/** Goes to a page, and waits until it is read. */
export async function visit(ui: Screens, path: string): Promise<void> {
  // as with a mouse: the focus of a keyboard is not shown
  await ui.page.mouse.click(1_000, 790);
  await ui.go(path);
  await ui.page.getByRole("heading", { level: 1 }).first().waitFor();
  await ui.page.getByRole("status", { name: "Loading" }).first().waitFor({ state: "detached" });
  await ui.page.waitForTimeout(250);
}

/**
 * A picture for the documents, `NAME.webp` in the folder `docs` beside the others, with twice the pixels. It shows the
 * upper `height` pixels of the window.
 */
export async function takeForDocs(ui: Screens, name: string, of: DocsPicture): Promise<void> {
  const folder = process.env["BELFRY_PICTURES"];
  if (folder === undefined) return;
  const { width = 1_280, height, isDark = false } = of;
  await ui.page.setViewportSize({ width, height });
  await ui.page.emulateMedia({ colorScheme: isDark ? "dark" : "light", reducedMotion: "reduce" });
  await ui.page.mouse.move(width - 4, height - 4);
  await ui.page.waitForTimeout(300);
  const client = await ui.context.newCDPSession(ui.page);
  const clip = { x: 0, y: await ui.page.evaluate<number>("scrollY"), width, height, scale: 2 };
  const { data } = await client.send("Page.captureScreenshot", { format: "webp", quality: 80, clip });
  await client.detach();
  await mkdir(join(folder, "docs"), { recursive: true });
  await writeFile(join(folder, "docs", `${name}.webp`), Buffer.from(data, "base64"));
  await ui.page.setViewportSize({ width: 1_280, height: 800 });
}

export interface DocsPicture {
  readonly height: number;
  readonly width?: number;
  readonly isDark?: boolean;
}
