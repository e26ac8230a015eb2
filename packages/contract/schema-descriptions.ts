/** A schema of zod, as far as its description needs it. */
export interface Schema {
  readonly description?: string | undefined;
  readonly _zod: { readonly def: Definition };
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly valueType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly defaultValue?: unknown;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && "_zod" in value;
}

/** The values that belong to the type arguments of a schema's type, in their order. */
export function schemasWithin({ _zod: { def } }: Schema): readonly unknown[] {
  switch (def.type) {
    case "object":
      return [def.shape];
    case "array":
      return [def.element];
    case "union":
      return [def.options];
    case "record":
      return [undefined, def.valueType];
    case "pipe":
      return [def.in, def.out];
    default:
      return [def.innerType];
  }
}

/** Returns the description of a schema or of the schema that it wraps, with its default; null if it has neither. */
export function describeSchema(schema: Schema): string | null {
  const description = findDescription(schema);
  const byDefault = findDefault(schema);
  const sentences = [
    ...(description === null ? [] : [asSentence(description)]),
    ...(byDefault === null || description?.includes("Default") === true ? [] : [`Default: \`${byDefault}\`.`]),
  ];
  return sentences.length === 0 ? null : sentences.join(" ");
}

function findDescription(schema: Schema): string | null {
  if (schema.description !== undefined) return schema.description;
  const inner = unwrap(schema);
  return inner === null ? null : findDescription(inner);
}

function findDefault(schema: Schema): string | null {
  const { def } = schema._zod;
  if (def.type === "default") return JSON.stringify(def.defaultValue);
  const inner = unwrap(schema);
  return inner === null ? null : findDefault(inner);
}

/** The schema inside a wrapper, or beside null. */
function unwrap({ _zod: { def } }: Schema): Schema | null {
  if (def.innerType !== undefined) return def.innerType;
  const others = def.options?.filter((option) => option._zod.def.type !== "null");
  return others?.length === 1 ? others[0]! : null;
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
