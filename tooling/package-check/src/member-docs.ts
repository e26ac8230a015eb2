import { readFileSync } from "node:fs";
import { join } from "node:path";
// the oldest compiler that the READMEs name; newer ones have no JavaScript API
import ts from "typescript-oldest";

interface Document {
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Readonly<Record<string, { readonly description?: string }>> }>
    >;
  };
}

/** A member that the API document describes, with what an editor shows for the SDK's type. */
export interface MemberDoc {
  /** `Task.timeout` */
  readonly member: string;
  readonly described: string;
  readonly shown: string;
}

/** Reads the members of every type that the SDK exports under its name in the API document. */
export function readMemberDocs(project: string): readonly MemberDoc[] {
  const packages = join(project, "node_modules/@belfry");
  const path = join(packages, "contract/openapi/local.json");
  const { schemas } = (JSON.parse(readFileSync(path, "utf8")) as Document).components;
  const entry = join(packages, "client/dist/lib/index.d.ts");
  const program = ts.createProgram([entry], {
    strict: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(entry)!)!);
  return exported.flatMap((symbol) => {
    const described = Object.entries(schemas[symbol.name]?.properties ?? {});
    const origin = (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
    const type = checker.getDeclaredTypeOfSymbol(origin);
    return described.flatMap(([name, { description }]) => {
      if (description === undefined) return [];
      const shown = checker.getPropertyOfType(type, name)?.getDocumentationComment(checker);
      return [
        { member: `${symbol.name}.${name}`, described: description, shown: ts.displayPartsToString(shown ?? []) },
      ];
    });
  });
}
