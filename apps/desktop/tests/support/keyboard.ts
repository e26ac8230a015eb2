import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

const tabsMax = 200;

/** Where the focus is, and what is wrong with it; it runs in the page. */
const look = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return { at: "body", fault: "no element has the focus" };
  const at = element.outerHTML.replace(/ class="[^"]*"/, "").slice(0, 140);
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return { at, fault: "it is not shown" };
  if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth)
    return { at, fault: "it is outside of the window: " + [top, bottom, left, right, scrollY].join(" ") };
  const bar = document.querySelector("header.sticky");
  const covered = bar !== null && !bar.contains(element) && element.closest("[role=dialog], [role=menu], a[href='#content']") === null ? bar.getBoundingClientRect().bottom : 0;
  if (bottom <= covered) return { at, fault: "the bar above the page covers it" };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  // an item of a menu has a ground of its own, and the palette is nothing but its field
  const isMarked = element.matches("[data-highlighted], [role=menu], [cmdk-input]");
  if (!isMarked && (outlineStyle === "none" || parseFloat(outlineWidth) < 2)) return { at, fault: "nothing shows the focus" };
  return { at, fault: null };
})()`;

interface Look {
  readonly at: string;
  readonly fault: string | null;
}

/** The page by its keyboard alone. After each act, the focus is on something that can be seen. */
export function openKeyboard(page: Page) {
  const expectFocus = async (message?: string): Promise<void> => {
    const fault = async () => (await page.evaluate<Look>(look)).fault;
    // what closes, and a page that is read, may take a moment to hand the focus on
    await expect.poll(fault, { interval: 50, ...(message === undefined ? {} : { message }) }).toBeNull();
  };
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await expectFocus();
    }
  };
  const isAt = (target: Locator): Promise<boolean> =>
    target.evaluateAll((found) => found.some((element) => element === element.ownerDocument.activeElement));
  /** Presses Tab until the focus is there, looking at each place on the way. */
  const tabTo = async (target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> => {
    await expect.poll(() => target.first().isEnabled(), { interval: 50 }).toBe(true);
    const way: string[] = [];
    for (let tabs = 0; tabs < tabsMax; tabs += 1) {
      if (await isAt(target)) return;
      await page.keyboard.press(key);
      const { at, fault } = await page.evaluate<Look>(look);
      // beyond the last element, the focus is with the browser for one step
      if (at !== "body" && fault !== null) await expectFocus(`${at}, on the way to ${String(target)}`);
      way.push(at);
    }
    throw new Error(`Tab does not reach ${String(target)}. The way was:\n${way.slice(-40).join("\n")}`);
  };
  return {
    press,
    tabTo,
    expectFocus: () => expectFocus(),
    type: (text: string) => page.keyboard.type(text),
    /** Goes to a field and writes in it. */
    write: async (target: Locator, text: string): Promise<void> => {
      await tabTo(target);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(text);
    },
    /** Goes to a button, a link or a row, and presses Enter. */
    choose: async (target: Locator): Promise<void> => {
      await tabTo(target);
      await press("Enter");
    },
    /** Puts text on the clipboard, and pastes it. */
    paste: async (target: Locator, text: string): Promise<void> => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await tabTo(target);
      await press("Control+v");
    },
  };
}

/** The keyboard of a page, without a look at the focus after each key. */
export const plainKeys = (page: Page) => ({
  type: (text: string) => page.keyboard.type(text),
  press: async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  },
});
