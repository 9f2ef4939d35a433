import type { ReactNode } from "react";
import { CodeBlock, CopyButton } from "#components/ui/code-block";
import { exampleOf, exampleWords, fieldLine } from "#lib/client/format/api-schema";
import type { ApiAnswer, ApiDocument, ApiOperation, JsonSchema } from "#lib/contracts/api/openapi";
import { MethodBadge } from "./method-badge.tsx";
import type { Call } from "./reference.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { FieldTable, SchemaFields, SchemaLink, withCode } from "./schema-fields.tsx";

export function OperationPage({ call: { method, path, operation }, document }: { call: Call; document: ApiDocument }) {
  const { schemas } = document.components;
  return (
    <article className="grid min-w-0 gap-x-8 gap-y-6 2xl:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
      <header className="flex min-w-0 flex-col gap-2 2xl:col-span-2">
        <h2 className="font-semibold text-16">{operation.summary}</h2>
        <p className="flex min-w-0 items-center gap-1 text-13">
          <MethodBadge method={method} />
          <code className="min-w-0 break-all font-medium">{path}</code>
          <CopyButton value={path} label="Copy path" />
        </p>
        <p className="max-w-[72ch] text-13">{withCode(operation.description)}</p>
      </header>
      <div className="min-w-0 2xl:sticky 2xl:top-16 2xl:order-last 2xl:self-start">
        <RequestPanel
          key={operation.operationId}
          origin={document.servers[0]?.url ?? ""}
          method={method}
          path={path}
          parameters={operation.parameters}
          requestBody={operation.requestBody}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-6">
        <Parameters operation={operation} />
        <Body operation={operation} schemas={schemas} />
        <Responses responses={operation.responses} schemas={schemas} />
      </div>
    </article>
  );
}

function Parameters({ operation: { parameters } }: { operation: ApiOperation }) {
  if (parameters.length === 0) return null;
  const words = Object.fromEntries(parameters.flatMap(({ name, description }) => (description === undefined ? [] : [[name, description]])));
  return (
    <Part title="Parameters">
      <FieldTable
        label="Parameters"
        lines={parameters.map(({ name, required, example, schema: { description: _, ...schema } }) => {
          const line = fieldLine(name, schema, required);
          return { ...line, example: line.example ?? exampleWords(example) };
        })}
        words={words}
      />
    </Part>
  );
}

function Body({ operation: { requestBody }, schemas }: { operation: ApiOperation; schemas: Record<string, JsonSchema> }) {
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined) return null;
  return (
    <Part title={requestBody?.required ? "Body" : "Body, optional"}>
      <SchemaFields schema={schema} schemas={schemas} label="Body fields" />
    </Part>
  );
}

type Schemas = { schemas: Record<string, JsonSchema> };

/** Shows the responses with an example each, and the errors that the operation may return. */
function Responses({ responses, schemas }: Schemas & { responses: Record<string, ApiAnswer> }) {
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

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="flex flex-col gap-2">
    <h3 className="font-medium text-13">{title}</h3>
    {children}
  </section>
);
