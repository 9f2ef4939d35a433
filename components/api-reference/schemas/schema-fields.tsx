import { fieldLines, refOf, typeWords } from "#lib/client/format/schema-labels";
import type { JsonSchema } from "#lib/contracts/api/openapi";
import { FieldTable, SchemaLink } from "./field-table.tsx";

type SchemaFieldsProps = { schema: JsonSchema; schemas: Record<string, JsonSchema>; label: string };

/** Shows a schema's fields, or its type if it has none. */
export function SchemaFields({ schema, schemas, label }: SchemaFieldsProps) {
  const lines = fieldLines(schema);
  if (lines.length > 0) return <FieldTable label={label} lines={lines} schemas={schemas} />;
  const ref = refOf(schema);
  const words = typeWords(schema);
  if (ref === null) return <p className="text-13 text-muted">{words}</p>;
  return (
    <>
      <p className="text-13 text-muted">
        <SchemaLink name={ref}>{words}</SchemaLink>
      </p>
      <FieldTable label={label} lines={fieldLines(schemas[ref] ?? {})} schemas={schemas} />
    </>
  );
}
