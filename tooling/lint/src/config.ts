import { defineConfig, type OxlintConfig } from "oxlint";
import { ambientOverrides, propertiesBannedEverywhere } from "./ambient-rules.ts";
import { importOverrides } from "./import-rules.ts";

const tests = ["**/*.test.ts", "**/tests/**/*.ts", "tooling/test-kit/**/*.ts", "bench/**/*.ts"];

type Rules = NonNullable<OxlintConfig["rules"]>;

const everywhere: Rules = {
  eqeqeq: ["error", "always", { null: "ignore" }],
  // the property as a key; reading it is a restricted property below
  "id-denylist": ["error", "rejectUnauthorized"],
  "no-restricted-properties": ["error", ...propertiesBannedEverywhere],
  // a member is left out of a copy by naming it beside the rest
  // what is held for its end alone (`await using _lock`) has a name that says so
  "no-unused-vars": ["error", { ignoreRestSiblings: true, varsIgnorePattern: "^_" }],
  "no-underscore-dangle": "off",
  "no-warning-comments": "error",
  "import/no-default-export": "error",
  "max-lines": ["error", { max: 300 }],
  "max-params": ["error", { max: 3 }],
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
  // what ends a loop is often a callback or a signal, which the rule does not see
  "no-unmodified-loop-condition": "off",
  // fast-check is used as its documentation uses it: fc.property
  "import/no-named-as-default-member": "off",
  // the compiler's noImplicitReturns says it, and knows exhaustive switches
  "typescript/consistent-return": "off",
  // an error copies its own fields into its JSON, and a string is taken apart by characters, on purpose
  "typescript/no-misused-spread": "off",
  // a cast sits in a named helper whose comment says why it is safe: a reader judges that
  "typescript/no-unsafe-type-assertion": "off",
  "typescript/no-unnecessary-type-parameters": "off",
  // sorting or turning a fresh copy in place is the cheaper of two equals
  "unicorn/no-array-reverse": "off",
  "unicorn/no-array-sort": "off",
  // it is about browser windows, and takes the ports of a thread for one
  "unicorn/require-post-message-target-origin": "off",
  // a small function is clearest next to its only caller's data
  "unicorn/consistent-function-scoping": "off",
};

const realThings = "Tests use real things: no module is mocked.";
const manualClock = "Pass time with the ManualClock of @belfry/test-kit.";

/** Tests arrange and observe: they may reach anywhere and be long, but not mock a module or leave a promise behind. */
const inTests: Rules = {
  "max-lines": "off",
  "max-params": "off",
  "no-restricted-globals": "off",
  "no-restricted-imports": "off",
  "no-restricted-properties": ["error", ...propertiesBannedEverywhere],
  // a type test expects an error, and says why
  "typescript/ban-ts-comment": ["error", { "ts-expect-error": "allow-with-description" }],
  "typescript/no-explicit-any": "off",
  "typescript/no-unsafe-argument": "off",
  "typescript/no-unsafe-assignment": "off",
  "typescript/no-unsafe-call": "off",
  "typescript/no-unsafe-member-access": "off",
  "typescript/no-unsafe-return": "off",
  // a property holds for what it speaks of, so its test branches
  "vitest/no-conditional-expect": "off",
  // a helper that expects is named so
  "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*", "assert*", "fc.assert"] }],
  // the kind of error may be all that is promised
  "vitest/require-to-throw-message": "off",
  // the second argument says which of many cases failed
  "vitest/valid-expect": ["error", { maxArgs: 2 }],
  "vitest/no-restricted-vi-methods": ["error", { mock: realThings, doMock: realThings, useFakeTimers: manualClock }],
};

/** For every file of the repository; the overrides come from the tables in layers.ts and outside.ts. */
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
    // it is awaited like the promise it wraps: that is its use
    { files: ["packages/client/src/api-promise.ts"], rules: { "unicorn/no-thenable": "off" } },
    // Express recognizes an error handler by its four parameters, and since version 5 it handles rejected promises
    {
      files: ["examples/receivers/express.ts"],
      rules: { "max-params": ["error", { max: 4 }], "oxc/no-async-endpoint-handlers": "off" },
    },
    { files: ["**/*.config.ts"], rules: { "import/no-default-export": "off" } },
  ],
});
