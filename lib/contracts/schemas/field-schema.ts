/** Types as JSON Schema names them. */
export const SCHEMA_TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type SchemaType = (typeof SCHEMA_TYPES)[number];

/**
 * JSON Schema 2020-12 as Signalbox writes it. A keyword says something of values of its own type only, so one schema holds all that a
 * field may be: `{ type: ["object", "null"], properties: … }`. Objects may have other fields than those named.
 */
export type FieldSchema = {
  $schema?: string;
  $id?: string;
  /** How often the field was present: `in 9,112 of 9,112`. Not part of what the schema says. */
  $comment?: string;
  title?: string;
  description?: string;
  type?: SchemaType | SchemaType[];
  format?: string;
  /** The only values: of a pinned or accepted enumeration. */
  enum?: unknown[];
  /** The values seen so far of a field that has few: others may come. */
  examples?: unknown[];
  properties?: Record<string, FieldSchema>;
  required?: string[];
  /** Of an object whose keys are data: what each of its fields is. */
  additionalProperties?: FieldSchema;
  items?: FieldSchema;
  /** Where in a body this stands: `data`. Without it the body itself is meant. */
  "x-data-path"?: string;
};

/** The schemas of several event types in one document, each under its `$id`. */
export type SchemaBundle = { $schema: string; $id: string; title: string; $comment: string; $defs: Record<string, FieldSchema> };

export const DIALECT = "https://json-schema.org/draft/2020-12/schema";

export const typesOf = ({ type }: FieldSchema): SchemaType[] => (type === undefined ? [] : Array.isArray(type) ? type : [type]);

const URN = "urn:signalbox:event-type:";

/** Whose schema a document is. `variant`: what the source's sender tells apart within a type. */
export type SchemaOwner = { source: string; type: string; variant: string | null };

export const schemaId = ({ source, type, variant }: SchemaOwner): string =>
  URN + [source, type, ...(variant === null ? [] : [variant])].map(encodeURIComponent).join(":");

/** Returns the owner by a document's `$id`; null for one that Signalbox did not write. */
export function ownerOf({ $id }: FieldSchema): SchemaOwner | null {
  if (typeof $id !== "string" || !$id.startsWith(URN)) return null;
  const parts = $id.slice(URN.length).split(":");
  if (parts.length < 2 || parts.length > 3) return null;
  try {
    const [source = "", type = "", variant = null] = parts.map(decodeURIComponent);
    return { source, type, variant };
  } catch {
    return null;
  }
}
