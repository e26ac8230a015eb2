import type { AsyncRouteComponent } from "@tanstack/react-router";
import { type ComponentType, createElement, type ReactNode, use, useReducer } from "react";
import { ShellError } from "../shell/shell.ts";
import { Crash } from "./crash.tsx";

/**
 * A page whose code is read when it is first opened. The router's own way would load the whole tab again if that fails,
 * and lose it to the browser's error page where `belfry ui` has ended.
 */
export function lazyPage<K extends string>(
  load: () => Promise<Readonly<Record<K, ComponentType>>>,
  name: K,
): AsyncRouteComponent<object> {
  let page: ComponentType | null = null;
  let reading: Promise<void> | null = null;
  let problem: ShellError | null = null;
  const read = async (): Promise<void> => {
    try {
      page = (await load())[name];
    } catch (cause) {
      problem = new ShellError("the code of this page could not be read", {
        code: "shell_unreachable",
        hint: "If belfry ui has ended, start it again, and open the address that it prints. Otherwise, load the page again",
        cause,
      });
    }
  };
  const preload = (): Promise<void> => (reading ??= read());
  function LazyPage(): ReactNode {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    if (page !== null) return createElement(page);
    if (problem === null) use(preload());
    if (page !== null) return createElement(page);
    const again = (): void => {
      problem = null;
      reading = null;
      drawAgain();
    };
    return <Crash error={problem} reset={again} />;
  }
  return Object.assign(LazyPage, { preload });
}
