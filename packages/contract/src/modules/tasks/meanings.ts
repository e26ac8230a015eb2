/** What the members of a task mean. Several schemas have them, each with its own bounds and default. */
export const meanings = {
  retry: "Whether and when an attempt that failed is repeated",
  concurrency: "How many runs may be active at the same time, and what happens to the next one",
  output: "How much output of each attempt is kept",
  retention: "Which finished runs are deleted",
  group: "The group of the task; null for none",
  command: "A program with arguments, or a script for /bin/sh; null for a draft",
  standardInput: "Text that each attempt gets on its standard input; null for none. Answers do not contain it",
  environment: "Variables of the task, with their values. Answers contain only the names",
  timeout: "The maximum duration of each attempt, from the start of its process; null for none",
  expectSuccess: "The longest expected time between two successful runs; null if none is expected",
  labels: "Names and values of your own, by which lists can be filtered",
  killGrace: "The time between SIGTERM and SIGKILL",
};
