import { expect, test } from "vitest";
import { createJobs } from "./jobs.ts";

function setup() {
  const log: string[] = [];
  const errors: unknown[] = [];
  const jobs = createJobs<string>((error) => errors.push(error));
  const steps = (name: string, count: number) =>
    function* (): Generator<void> {
      for (let step = 1; step <= count; step++) {
        log.push(`${name}${step}`);
        if (step < count) yield;
      }
    };
  /** Stops after so many steps. */
  const work = (stepsMax: number): void => {
    let left = stepsMax;
    jobs.work(() => left-- <= 0);
  };
  return { log, errors, jobs, steps, work };
}

test("jobs run one after the other, a step at a time, and continue where they were", () => {
  const { log, jobs, steps, work } = setup();
  jobs.add("a", steps("a", 3));
  jobs.add("b", steps("b", 2));
  work(2);
  expect(log).toEqual(["a1", "a2"]);
  expect(jobs.size()).toBe(2);
  work(100);
  expect(log).toEqual(["a1", "a2", "a3", "b1", "b2"]);
  expect(jobs.size()).toBe(0);
});

test("a job that waits is not added again, one that has begun is", () => {
  const { log, jobs, steps, work } = setup();
  jobs.add("a", steps("a", 2));
  jobs.add("a", steps("other", 1));
  work(1);
  jobs.add("a", steps("again", 1));
  work(100);
  expect(log).toEqual(["a1", "a2", "again1"]);
});

test("a job that was dropped before it began does not run", () => {
  const { log, jobs, steps, work } = setup();
  jobs.add("a", steps("a", 1));
  jobs.add("b", steps("b", 1));
  jobs.drop("a");
  work(100);
  expect(log).toEqual(["b1"]);
});

test("a job that fails is reported, and the next one runs", () => {
  const { log, errors, jobs, steps, work } = setup();
  const failure = new Error("cannot be read");
  jobs.add("a", function* (): Generator<void> {
    yield;
    throw failure;
  });
  jobs.add("b", steps("b", 1));
  work(100);
  expect(errors).toEqual([failure]);
  expect(log).toEqual(["b1"]);
});
