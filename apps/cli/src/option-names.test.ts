import { readFileSync } from "node:fs";
import { Command as Parser } from "commander";
import { expect, test } from "vitest";
import { type CommandEntry, commandList } from "./command-list.ts";
import { withOptionNames } from "./option-names.ts";

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
            readonly parameters?: readonly { readonly in: string; readonly name: string }[];
          }
        >
      >
    >
  >;
}

const file = new URL("../../../packages/contract/openapi/local.json", import.meta.url);
const api = JSON.parse(readFileSync(file, "utf8")) as Document;

/** Every member of a body or query of the API, with those below it. */
const members = new Set(
  Object.values(api.paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ requestBody, parameters = [] }) => [
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => membersOf(schema)),
      ...parameters.filter((one) => one.in === "query").map(({ name }) => name),
    ])
    // where a definition is in the body is no matter of its errors
    .map((member) => member.replace(/^(?:groups|tasks|schedules|draft)\./, "")),
);

function membersOf(schema: Schema): readonly string[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema;
  if ($ref !== undefined) return membersOf(api.components.schemas[$ref.split("/").at(-1)!]!);
  return [
    ...Object.entries(properties).flatMap(([name, below]) => [
      name,
      ...membersOf(below).map((member) => `${name}.${member}`),
    ]),
    ...[...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])].flatMap(membersOf),
  ];
}

const commands: readonly (readonly [path: string, entry: CommandEntry])[] = commandList.flatMap((entry) =>
  "subcommands" in entry
    ? entry.subcommands.map((below) => [`${entry.name} ${below.name}`, below] as const)
    : [[entry.name, entry] as const],
);

async function parserOf(entry: CommandEntry): Promise<Parser> {
  const parser = new Parser(entry.name);
  (await entry.load()).command.describe(parser);
  return parser;
}

/** The subject of an error about a member, as the command prints it. */
function subjectOf(parser: Parser, member: string): string {
  return withOptionNames(parser, member, `${member} must be something else`).replace(/ must be something else$/, "");
}

/** What only the definition in the editor can say, and what the command itself decides: no user typed these. */
const untyped =
  /^(?:retry\.(?:backoff|max_delay|jitter)|cause|schedule_id|collapse|buckets|recent|(?:stdout_|stderr_)?offset|tail|(?:parent|group|task)_key)$/;
/** Objects whose members have the options, and lists of such objects. */
const wholes = /^(?:retry|concurrency|retention|dst|misfire|output|draft|groups|tasks|schedules)$/;

test("every member of the API that a command can send has an option, an argument or words in some command", async () => {
  const named = new Set<string>();
  for (const [, entry] of commands) {
    const parser = await parserOf(entry);
    const argumentNames = parser.registeredArguments.map((one) => one.name());
    for (const member of members)
      if (subjectOf(parser, member) !== member || argumentNames.includes(member)) named.add(member);
  }
  // secrets are typed at a prompt, or come from a file with an option of its own
  const secrets = ["endpoint", "authorization", "signing_secret", "passphrase"];
  const nameless = [...members].filter((member) => !named.has(member) && !untyped.test(member) && !wholes.test(member));
  expect(nameless.filter((member) => !secrets.includes(member))).toEqual([]);
});

test.each(commands)("an error of belfry %s names only options and arguments that it has", async (_path, entry) => {
  const parser = await parserOf(entry);
  const known = [...parser.options.map(({ long }) => long), ...parser.registeredArguments.map((one) => one.name())];
  for (const member of members) {
    const subject = subjectOf(parser, member);
    if (subject === member || subject.startsWith("the ")) continue;
    expect(known, `${member}: ${subject}`).toContain(subject.split(" ")[0]);
  }
});
