import { parseSync, Visitor, type ImportDeclarationSpecifier, type ModuleExportName } from "oxc-parser";
import type { Source } from "./sources.ts";

/** One place where a source names another module, in whatever form. */
export interface Import {
  readonly file: string;
  readonly line: number;
  /** Undefined if it is not a plain string, as in `import(name)`. */
  readonly specifier: string | undefined;
  readonly isTypeOnly: boolean;
  /** The exports that the import names; `*` for the whole module. */
  readonly names: readonly string[];
}

interface Place {
  readonly start: number;
}

/** Reads static imports, re-exports, dynamic imports, type imports and `require`. No other form is checked. */
export function readImports(source: Source): readonly Import[] {
  const parsed = parseSync(source.path, source.text);
  if (parsed.errors.length > 0) throw new Error(`${source.path} does not parse: ${parsed.errors[0]?.message}`);
  const imports: Import[] = [];
  const add = (place: Place, from: unknown, found: Pick<Import, "isTypeOnly" | "names">): void => {
    const line = source.text.slice(0, place.start).split("\n").length;
    imports.push({ file: source.path, line, specifier: plainText(from), ...found });
  };
  const whole = { isTypeOnly: false, names: ["*"] };
  new Visitor({
    ImportDeclaration: (node) =>
      add(node, node.source, { isTypeOnly: node.importKind === "type", names: node.specifiers.map(importedName) }),
    ExportNamedDeclaration: (node) => {
      if (node.source === null) return;
      const names = node.specifiers.map(({ local }) => nameOf(local));
      add(node, node.source, { isTypeOnly: node.exportKind === "type", names });
    },
    ExportAllDeclaration: (node) => add(node, node.source, { isTypeOnly: node.exportKind === "type", names: ["*"] }),
    ImportExpression: (node) => add(node, node.source, whole),
    TSImportType: (node) => add(node, node.source, { isTypeOnly: true, names: ["*"] }),
    TSExternalModuleReference: (node) => add(node, node.expression, whole),
    CallExpression: (node) => {
      if (node.callee.type === "Identifier" && node.callee.name === "require") add(node, node.arguments[0], whole);
    },
  }).visit(parsed.program);
  return imports;
}

function importedName(specifier: ImportDeclarationSpecifier): string {
  return specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "*";
}

function nameOf(node: ModuleExportName): string {
  return node.type === "Literal" ? node.value : node.name;
}

function plainText(node: unknown): string | undefined {
  if (typeof node !== "object" || node === null || !("value" in node)) return undefined;
  return typeof node.value === "string" ? node.value : undefined;
}
