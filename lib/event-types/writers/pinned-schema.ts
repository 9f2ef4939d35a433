import { JSON_TYPES } from "#lib/contracts/event-types";
import type { FieldSchema } from "#lib/contracts/schemas/field-schema";
import type { PinnedField } from "#lib/event-types/live-field";
import { ABSENT, outcomesIn } from "#lib/event-types/outcomes";
import { partsOfPath } from "#lib/event-types/paths";
import type { FieldPath } from "#lib/event-types/schema";
import { compareTexts } from "./described-types.ts";

/** Returns the JSON Schema of what a pin from a file asks of events: types, what is required, and values. */
export function pinnedSchema(fields: Record<FieldPath, PinnedField>): FieldSchema {
  const root: FieldSchema = { type: "object" };
  // A holder's path is shorter than those of the fields that it holds.
  for (const path of Object.keys(fields).sort((a, b) => a.length - b.length || compareTexts(a, b))) {
    const parts = partsOfPath(path) ?? [];
    const last = parts.pop();
    let holder: FieldSchema | undefined = root;
    for (const part of parts) {
      if (part.kind === "key")
        holder = holder?.properties && Object.hasOwn(holder.properties, part.key) ? holder.properties[part.key] : undefined;
      else holder = part.kind === "element" ? holder?.items : holder?.additionalProperties;
    }
    const { usual, values } = fields[path] as PinnedField;
    if (last && holder) place(holder, last, schemaOfPin(usual, values), (usual & ABSENT) === 0);
  }
  return root;
}

type Part = NonNullable<ReturnType<typeof partsOfPath>>[number];

function place(holder: FieldSchema, part: Part, schema: FieldSchema, required: boolean): void {
  if (part.kind === "element") holder.items = schema;
  else if (part.kind === "entry") holder.additionalProperties = schema;
  else {
    holder.properties = Object.fromEntries([...Object.entries(holder.properties ?? {}), [part.key, schema]]);
    if (required) holder.required = [...(holder.required ?? []), part.key].sort(compareTexts);
  }
}

/** All types together are none in particular. */
function schemaOfPin(usual: number, values: readonly string[] | undefined): FieldSchema {
  const outcomes = new Set<string>(outcomesIn(usual));
  const types = JSON_TYPES.filter((type) => outcomes.has(type));
  const [first] = types;
  const texts = types.every((type) => type === "string" || type === "null") && values && values.length > 0 ? values : null;
  return {
    ...(first && types.length < JSON_TYPES.length && { type: types.length === 1 ? first : types }),
    ...(texts && { enum: [...texts, ...(outcomes.has("null") ? [null] : [])] }),
  };
}
