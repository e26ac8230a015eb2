import { globSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
// the compiler has no JavaScript API, and this parser gives the position of each member
import { parseSync, type TSType } from "oxc-parser";
import { describeSchema, isSchema, schemasWithin } from "./schema-descriptions.ts";

// Puts the descriptions of the schemas above the members of the built types, so that editors show them.

interface Comment {
  /** The offset of the member. */
  readonly at: number;
  readonly text: string;
}

const lib = join(import.meta.dirname, "dist/lib");
for (const file of globSync("**/*.d.ts", { cwd: lib })) await documentTypes(join(lib, file));

async function documentTypes(path: string): Promise<void> {
  const text = await readFile(path, "utf8");
  const values: unknown = await import(pathToFileURL(path.replace(/\.d\.ts$/, ".js")).href);
  const comments = listConstants(path, text).flatMap(({ name, type }) => listComments(type, memberOf(values, name)));
  if (comments.length === 0) return;
  const { documented, lines } = insertComments(text, comments);
  await writeFile(path, documented);
  await writeFile(`${path}.map`, moveMappings(await readFile(`${path}.map`, "utf8"), lines));
}

function listConstants(path: string, text: string): readonly { readonly name: string; readonly type: TSType }[] {
  return parseSync(path, text).program.body.flatMap((statement) => {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration?.type !== "VariableDeclaration") return [];
    return statement.declaration.declarations.flatMap(({ id }) => {
      const type = id.typeAnnotation?.typeAnnotation;
      return id.type === "Identifier" && type !== undefined ? [{ name: id.name, type }] : [];
    });
  });
}

/** Follows a type and the value of this type to the members of all schemas. */
function listComments(type: TSType, value: unknown): readonly Comment[] {
  switch (type.type) {
    case "TSTypeOperator":
      return listComments(type.typeAnnotation, value);
    case "TSTupleType":
      return type.elementTypes.flatMap((element, index) =>
        listComments(element as TSType, memberOf(value, `${index}`)),
      );
    case "TSTypeReference":
    case "TSImportType": {
      if (!isSchema(value)) return [];
      const inner = schemasWithin(value);
      return (type.typeArguments?.params ?? []).flatMap((argument, index) => listComments(argument, inner[index]));
    }
    case "TSTypeLiteral":
      return type.members.flatMap((member) => {
        if (member.type !== "TSPropertySignature" || member.typeAnnotation === null) return [];
        const name = member.key.type === "Identifier" ? member.key.name : String(memberOf(member.key, "value"));
        const child = memberOf(value, name);
        const inner = listComments(member.typeAnnotation.typeAnnotation, child);
        const text = isSchema(child) ? describeSchema(child) : null;
        return text === null ? inner : [{ at: member.start, text }, ...inner];
      });
    default:
      return [];
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Inserts each comment on a line of its own. Returns the numbers of the lines that were moved down. */
function insertComments(text: string, comments: readonly Comment[]) {
  const lines: number[] = [];
  let documented = "";
  let from = 0;
  for (const comment of comments.toSorted((a, b) => a.at - b.at)) {
    const before = text.slice(0, comment.at);
    const indent = before.slice(before.lastIndexOf("\n") + 1);
    // a comment after other code belongs to that code
    if (indent.trim() !== "") throw new Error(`A member does not begin its line: ${indent}`);
    documented += `${text.slice(from, comment.at)}/** ${comment.text.replaceAll("*/", "*\\/")} */\n${indent}`;
    from = comment.at;
    lines.push(before.split("\n").length - 1);
  }
  return { documented: documented + text.slice(from), lines };
}

/** In a source map, `;` ends the mappings of a line. */
function moveMappings(json: string, lines: readonly number[]): string {
  const map = JSON.parse(json) as { readonly mappings: string };
  const moved = new Set(lines);
  const mappings = map.mappings.split(";").map((line, index) => (moved.has(index) ? `;${line}` : line));
  return JSON.stringify({ ...map, mappings: mappings.join(";") });
}
