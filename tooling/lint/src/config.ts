import { defineConfig, type OxlintConfig } from "oxlint";
import { ambientOverrides, propertiesBannedEverywhere } from "./ambient-rules.ts";
import { importOverrides } from "./import-rules.ts";

const tests = ["**/*.test.ts", "**/tests/**/*.ts", "tooling/test-kit/**/*.ts", "bench/**/*.ts"];

type Rules = NonNullable<OxlintConfig["rules"]>;

const everywhere: Rules = {
  eqeqeq: ["error", "always", { null: "ignore" }],
  // bans the property as a key; a restricted property below bans its use
  "id-denylist": ["error", "rejectUnauthorized"],
  "no-restricted-properties": ["error", ...propertiesBannedEverywhere],
  // A copy without some members destructures them beside `...rest`. A resource that is kept only for its end (`await
  // using _lock`) has a name with an underscore.
  "no-unused-vars": ["error", { ignoreRestSiblings: true, varsIgnorePattern: "^_" }],
  "no-underscore-dangle": "off",
  "no-warning-comments": "error",
  "import/no-default-export": "error",
  "max-lines": ["error", { max: 300 }],
  "max-params": ["error", { max: 3 }],
  // a style sheet has nothing to assign
  "import/no-unassigned-import": ["error", { allow: ["**/*.css"] }],
  "typescript/ban-ts-comment": ["error", { "ts-expect-error": true }],
  "typescript/no-deprecated": "error",
  "typescript/no-explicit-any": "error",
  "typescript/no-floating-promises": "error",
  "typescript/no-misused-promises": "error",
  "typescript/no-require-imports": "error",
  "typescript/no-unsafe-argument": "error",
  "typescript/no-unsafe-assignment": "error",
  "typescript/no-unsafe-call": "error",
  "typescript/no-unsafe-member-access": "error",
  "typescript/no-unsafe-return": "error",
  "typescript/only-throw-error": "error",
  // an abort signal's reason is whatever aborted it
  "typescript/prefer-promise-reject-errors": ["error", { allowThrowingAny: true, allowThrowingUnknown: true }],
  "typescript/return-await": "error",
  "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
  // a callback or a signal often ends a loop, which the rule does not see
  "no-unmodified-loop-condition": "off",
  // fast-check is used as its documentation uses it: fc.property
  "import/no-named-as-default-member": "off",
  // the compiler's noImplicitReturns checks this, and knows exhaustive switches
  "typescript/consistent-return": "off",
  // intended spreads: an error's fields into JSON, and a string into characters
  "typescript/no-misused-spread": "off",
  // a cast belongs in a named helper whose comment explains why it is safe, which only a reader can judge
  "typescript/no-unsafe-type-assertion": "off",
  "typescript/no-unnecessary-type-parameters": "off",
  // sorting or reversing a fresh copy in place is cheaper, with the same result
  "unicorn/no-array-reverse": "off",
  "unicorn/no-array-sort": "off",
  // the rule is for browser windows, and mistakes the port of a thread for a window
  "unicorn/require-post-message-target-origin": "off",
  // a small function is clearest next to its only caller's data
  "unicorn/consistent-function-scoping": "off",
};

const realThings = "Tests use real things: no module is mocked.";
const manualClock = "Pass time with the ManualClock of @belfry/test-kit.";

/** Tests may import any file and be long, but must not mock a module or leave a promise unhandled. */
const inTests: Rules = {
  "max-lines": "off",
  "max-params": "off",
  "no-restricted-globals": "off",
  "no-restricted-imports": "off",
  "no-restricted-properties": ["error", ...propertiesBannedEverywhere],
  // a type test expects an error, and its description explains why
  "typescript/ban-ts-comment": ["error", { "ts-expect-error": "allow-with-description" }],
  "typescript/no-explicit-any": "off",
  "typescript/no-unsafe-argument": "off",
  "typescript/no-unsafe-assignment": "off",
  "typescript/no-unsafe-call": "off",
  "typescript/no-unsafe-member-access": "off",
  "typescript/no-unsafe-return": "off",
  // a property may hold for some values only, so its test has conditions
  "vitest/no-conditional-expect": "off",
  // the name of a helper with assertions begins with `expect`
  "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*", "assert*", "fc.assert"] }],
  // a test may guarantee the kind of an error without its message
  "vitest/require-to-throw-message": "off",
  // the second argument names the failed one of many cases
  "vitest/valid-expect": ["error", { maxArgs: 2 }],
  "vitest/no-restricted-vi-methods": ["error", { mock: realThings, doMock: realThings, useFakeTimers: manualClock }],
};

/** The rules for every file of the repository; the overrides come from the tables in layers.ts and outside.ts. */
export const config = defineConfig({
  options: { typeAware: true, denyWarnings: true },
  plugins: ["typescript", "import", "unicorn", "oxc", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  ignorePatterns: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
  rules: everywhere,
  overrides: [
    ...importOverrides(),
    ...ambientOverrides(),
    { files: tests, rules: inTests },
    // the class is awaited like the promise that it wraps
    { files: ["packages/client/src/api-promise.ts"], rules: { "unicorn/no-thenable": "off" } },
    // Express recognizes an error handler by its four parameters, and since version 5 it handles rejected promises
    {
      files: ["examples/receivers/express.ts"],
      rules: { "max-params": ["error", { max: 4 }], "oxc/no-async-endpoint-handlers": "off" },
    },
    { files: ["**/*.config.ts"], rules: { "import/no-default-export": "off" } },
  ],
});
