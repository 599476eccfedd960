/** The part of JSON Schema that our OpenAPI document uses; everything else is ignored. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly description?: string;
  readonly default?: unknown;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Readonly<Record<string, Content>>;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The JSON schema of a body, or null when there is none. */
export function jsonOf(part: Content | undefined): Schema | null {
  return part?.content?.["application/json"]?.schema ?? null;
}

/** Guarantees paths and components; what stands in them is ours, drawn from the route list. */
export function asOpenApi(document: unknown): OpenApi {
  const isOne =
    typeof document === "object" &&
    document !== null &&
    "paths" in document &&
    "components" in document;
  if (!isOne) throw new Error("not an OpenAPI document with paths and components");
  return document as OpenApi;
}
