import type { Call } from "#components/api-reference/reference";
import { FieldTable } from "#components/api-reference/schemas/field-table";
import { SchemaFields } from "#components/api-reference/schemas/schema-fields";
import { CopyButton } from "#components/ui/json/copy-button";
import { Badge } from "#components/ui/primitives/badge";
import { fieldLine } from "#lib/client/format/schema-labels";
import type { ApiDocument, ApiOperation, JsonSchema } from "#lib/contracts/api/openapi";
import { MethodBadge } from "../method-badge.tsx";
import { Part } from "./part.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { Responses } from "./responses.tsx";

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
        {operation.description === undefined ? null : <p className="max-w-[72ch] text-13">{operation.description}</p>}
        <p className="flex flex-wrap items-center gap-1.5 text-12 text-muted">
          Allowed roles:
          {operation["x-roles"].map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </p>
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
        lines={parameters.map(({ name, required, schema: { description: _, ...schema } }) => fieldLine(name, schema, required))}
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
