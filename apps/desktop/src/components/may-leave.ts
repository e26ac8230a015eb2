/** Asks before something is left that would be lost. */
export function mayLeave(question = "Leave without saving your changes?"): boolean {
  return window.confirm(question);
}
