import type { SchemaField } from "#lib/contracts/event-types";
import { type FieldSchema, type SchemaType, typesOf } from "#lib/contracts/schemas/field-schema";
import { countedPresence, FieldTree, isAlways, isWhole, occurrencesOf } from "#lib/contracts/schemas/learnt-fields";
import { MAX_ELEMENTS } from "#lib/event-types/schema";
import { compareTexts } from "./described-types.ts";

/**
 * Returns the JSON Schema (2020-12) of what was seen of an event type's data.
 *
 * @param closed which values seen so far are all that there are: those of an `accepted` version's enumerations, all of them (`all`, for a
 * version), or none
 */
export function observedSchema(fields: SchemaField[], closed: FieldSchema | "all" | null): FieldSchema {
  const tree = new FieldTree(fields);
  return tree.root ? new ObservedSchema(tree).read(tree.root, { closed, whole: true }) : {};
}

type Closed = FieldSchema | "all" | null | undefined;

const partOf = (closed: Closed, part: (schema: FieldSchema) => FieldSchema | undefined): Closed =>
  closed === "all" || !closed ? closed : part(closed);

/** `whole`: false within a list of which not all elements were looked at. What they have besides is not known: nothing is required, no value the last. */
type About = { closed: Closed; whole: boolean };

/** The order in which types are written; null last. */
const ORDER: SchemaType[] = ["string", "integer", "number", "boolean", "object", "array", "null"];

/** JSON Schema's names of formats that it knows, too. */
const FORMATS: Partial<Record<string, string>> = { uuid: "uuid", "date-time": "date-time", date: "date", email: "email", url: "uri" };

class ObservedSchema {
  private readonly tree: FieldTree;

  constructor(tree: FieldTree) {
    this.tree = tree;
  }

  read(field: SchemaField, { closed, whole }: About): FieldSchema {
    const types = schemaTypes(field);
    const [first] = types;
    const element = occurrencesOf(field, "array") && this.tree.elementOf(field);
    const ofElements = { closed: partOf(closed, ({ items }) => items), whole: whole && (field.elements?.max ?? 0) <= MAX_ELEMENTS };
    return {
      ...(first && { type: types.length === 1 ? first : types }),
      ...formatOf(field),
      ...valuesOf(field, types, whole ? closed : null),
      ...(occurrencesOf(field, "object") && this.fieldsOf(field, { closed, whole })),
      ...(element && { items: this.read(element, ofElements) }),
    };
  }

  private fieldsOf(field: SchemaField, { closed, whole }: About): FieldSchema {
    const named = this.tree.keysOf(field).sort(([a], [b]) => compareTexts(a, b));
    const entry = this.tree.entryOf(field);
    const required = named.filter(([, child]) => whole && isAlways(child)).map(([key]) => key);
    const properties = named.map(([key, child]) => {
      const own = partOf(closed, (schema) =>
        schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined,
      );
      return [key, { ...this.read(child, { closed: own, whole }), $comment: countedPresence(child) }] as const;
    });
    const ofEntries = { closed: partOf(closed, ({ additionalProperties }) => additionalProperties), whole };
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(entry && { additionalProperties: this.read(entry, ofEntries) }),
    };
  }
}

function schemaTypes(field: SchemaField): SchemaType[] {
  const types = field.types.map(({ type }): SchemaType => (type === "number" && isWhole(field) ? "integer" : type));
  return types.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
}

/** Only where every text had it. */
function formatOf({ formats, types }: SchemaField): FieldSchema {
  const ofTexts = formats.filter(({ format }) => format !== "int" && format !== "decimal");
  const [only] = ofTexts;
  const format = only && ofTexts.length === 1 && types.some(({ type }) => type === "string") ? FORMATS[only.format] : undefined;
  return format === undefined ? {} : { format };
}

function valuesOf({ values }: SchemaField, types: SchemaType[], closed: Closed): FieldSchema {
  const texts = (values ?? []).map(({ value }) => value).sort(compareTexts);
  if (texts.length === 0 || types.some((type) => type !== "string" && type !== "null")) return {};
  const orNull = types.includes("null") ? [null] : [];
  if (closed === "all") return { enum: [...texts, ...orNull] };
  const accepted = closed && typesOf(closed).includes("string") ? closed.enum?.filter((value) => typeof value === "string") : undefined;
  if (accepted && texts.every((text) => accepted.includes(text))) return { enum: [...accepted, ...orNull] };
  return { examples: texts };
}
