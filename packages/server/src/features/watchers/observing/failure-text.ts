/** Never an error's own message, which may contain a path. */
export function failureText(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return code ?? (error instanceof Error ? error.name : "unknown");
}
