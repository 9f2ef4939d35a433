import { SchemaLink } from "#components/api-reference/schemas/field-table";
import { SchemaFields } from "#components/api-reference/schemas/schema-fields";
import { CodeBlock } from "#components/ui/json/code-block";
import { exampleOf } from "#lib/client/format/schema-example";
import type { ApiAnswer, JsonSchema } from "#lib/contracts/api/openapi";
import { Part } from "./part.tsx";

type Schemas = { schemas: Record<string, JsonSchema> };

/** Shows the responses with an example each, and the errors that the operation may return. */
export function Responses({ responses, schemas }: Schemas & { responses: Record<string, ApiAnswer> }) {
  const all = Object.entries(responses);
  const problems = all.filter(([, { $ref }]) => $ref !== undefined);
  return (
    <Part title="Responses">
      {all
        .filter(([, { $ref }]) => $ref === undefined)
        .map(([status, answer]) => (
          <Answer key={status} status={status} answer={answer} schemas={schemas} />
        ))}
      <p className="text-12 text-muted">
        Errors: {problems.map(([status]) => status).join(", ")}, returned as <SchemaLink name="Problem">Problem</SchemaLink>.
      </p>
    </Part>
  );
}

function Answer({ status, answer: { description, content }, schemas }: Schemas & { status: string; answer: ApiAnswer }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-13">
        <span className="font-medium font-mono text-fine">{status}</span> <span className="text-muted">{description}</span>
      </p>
      {Object.entries(content ?? {}).map(([type, { schema }]) => (
        <div key={type} className="flex flex-col gap-2">
          {type === "application/json" ? (
            <CodeBlock
              code={JSON.stringify(exampleOf(schema, schemas), null, 2)}
              label="example response"
              title="Example"
              wrap={false}
              className="[&_pre]:max-h-72"
            />
          ) : (
            <p className="font-mono text-12 text-muted">{type}</p>
          )}
          <SchemaFields schema={schema} schemas={schemas} label={`Fields of the ${status} response`} />
        </div>
      ))}
    </div>
  );
}
