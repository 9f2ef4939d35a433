import { CodeBlock } from "#components/ui/json/code-block";
import { exampleOf } from "#lib/client/format/schema-example";
import type { JsonSchema } from "#lib/contracts/api/openapi";
import { SchemaFields } from "./schema-fields.tsx";

export function SchemaPage({ name, schemas }: { name: string; schemas: Record<string, JsonSchema> }) {
  const schema = schemas[name] ?? {};
  return (
    <article className="flex min-w-0 flex-col gap-4">
      <h2 className="font-mono font-semibold text-16">{name}</h2>
      <SchemaFields schema={schema} schemas={schemas} label={`Fields of ${name}`} />
      <CodeBlock code={JSON.stringify(exampleOf(schema, schemas), null, 2)} label="example" title="Example" wrap={false} />
    </article>
  );
}
