import { useRouter } from "@tanstack/react-router";

/** Returns to the page before this one; to `otherwise` where this one was opened by its address. */
export function useBack(otherwise: () => void): () => void {
  const { history } = useRouter();
  return () => (history.canGoBack() ? history.back() : otherwise());
}
