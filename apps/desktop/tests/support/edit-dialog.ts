import type { Locator, Page } from "playwright-core";
import type { Screens } from "./open-screens.ts";

/** Chooses "Edit" among the actions of a row. Returns the page of the form. */
export async function openEdit({ page }: Screens, name: string): Promise<Locator> {
  await page.getByRole("button", { name: `Actions of ${name}` }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByRole("heading", { name: `Edit ${name}`, level: 1 }).waitFor();
  return page.getByRole("main");
}

/** The form has been left for the list that led to it. */
export async function leftEdit({ page }: Screens, list: string): Promise<void> {
  await page.getByRole("heading", { name: list, exact: true, level: 1 }).waitFor();
}

/** What the next change of something stored sends. */
export async function sentBy(page: Page, act: () => Promise<void>) {
  const [request] = await Promise.all([page.waitForRequest((sent) => sent.method() === "PATCH"), act()]);
  return { body: request.postDataJSON() as unknown, ifMatch: await request.headerValue("if-match") };
}

/** Chooses an act in the menu of a page. */
export async function chooseMore({ page }: Screens, act: string): Promise<void> {
  await page.getByRole("button", { name: "More ▾" }).click();
  // the key that does the same is a part of the name
  await page.getByRole("menuitem", { name: new RegExp(`^${act}( \\S)?$`) }).click();
}

/** The acts that a menu offers. */
export async function actsOf({ page }: Screens, button: string): Promise<readonly string[]> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("menu").waitFor();
  const acts = await page.getByRole("menuitem").allInnerTexts();
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  return acts;
}
