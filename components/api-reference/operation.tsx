import { ChevronRight } from "lucide-react";
import { FieldTable, SchemaLink } from "#components/api-reference/field-table";
import { CodeBlock } from "#components/ui/json/code-block";
import { Badge } from "#components/ui/primitives/badge";
import { curlExample } from "#lib/client/format/requests/curl-example";
import { fieldLines, refOf, typeWords } from "#lib/client/format/schema-labels";
import type { ApiAnswer, ApiOperation, JsonSchema } from "#lib/contracts/api/openapi";

type OperationProps = { origin: string; method: string; path: string; operation: ApiOperation };

const TONES: Record<string, "accent" | "working" | "failed" | "attention"> = { get: "accent", post: "working", delete: "failed" };

/** One operation of the API: a line that expands to its details. */
export function Operation({ origin, method, path, operation }: OperationProps) {
  return (
    <details id={operation.operationId} className="group scroll-mt-16 rounded-md border border-line bg-raised">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden className="size-4 shrink-0 text-faint transition-transform group-open:rotate-90" />
        <Badge tone={TONES[method] ?? "attention"} className="w-16 justify-center font-mono">
          {method.toUpperCase()}
        </Badge>
        <code className="min-w-0 text-13 font-medium break-all">{path}</code>
        <span className="min-w-0 flex-1 basis-56 text-13 text-muted">{operation.summary}</span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-4">
        {operation.description === undefined ? null : <p className="max-w-[72ch] text-13">{operation.description}</p>}
        <p className="flex flex-wrap items-center gap-1.5 text-12 text-muted">
          Allowed roles:{" "}
          {operation["x-roles"].map((role) => (
            <Badge key={role}>{role}</Badge>
          ))}
        </p>
        <CodeBlock code={curlExample(origin, method, path, operation)} label="example" title="Example" wrap={false} />
        <Parameters operation={operation} />
        <Body operation={operation} />
        <Responses responses={operation.responses} />
      </div>
    </details>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-13 font-medium">{title}</h3>
      {children}
    </div>
  );
}

function Parameters({ operation: { parameters } }: { operation: ApiOperation }) {
  if (parameters.length === 0) return null;
  const lines = parameters.map(({ name, required, schema }) => ({ name, always: required, type: typeWords(schema), ref: null }));
  const words = Object.fromEntries(parameters.flatMap(({ name, description }) => (description === undefined ? [] : [[name, description]])));
  return (
    <Part title="Parameters">
      <FieldTable label="Parameters" lines={lines} words={words} />
    </Part>
  );
}

function Body({ operation: { requestBody } }: { operation: ApiOperation }) {
  const schema = requestBody?.content["application/json"]?.schema;
  return schema === undefined ? null : (
    <Part title="Body">
      <Schema schema={schema} label="Body fields" />
    </Part>
  );
}

function Responses({ responses }: { responses: Record<string, ApiAnswer> }) {
  const problems = Object.entries(responses).filter(([, { $ref }]) => $ref !== undefined);
  return (
    <Part title="Responses">
      {Object.entries(responses)
        .filter(([, { $ref }]) => $ref === undefined)
        .map(([status, { description, content }]) => (
          <div key={status} className="flex flex-col gap-2">
            <p className="text-13">
              <span className="font-mono font-medium text-fine">{status}</span> <span className="text-muted">{description}</span>
            </p>
            {Object.entries(content ?? {}).map(([type, { schema }]) => (
              <Schema
                key={type}
                schema={schema}
                label={`Fields of the ${status} response`}
                {...(type === "application/json" ? {} : { type })}
              />
            ))}
          </div>
        ))}
      <p className="text-12 text-muted">
        Errors: {problems.map(([status]) => status).join(", ")}, returned as <SchemaLink name="Problem">Problem</SchemaLink>.
      </p>
    </Part>
  );
}

function Schema({ schema, label, type }: { schema: JsonSchema; label: string; type?: string }) {
  const lines = fieldLines(schema);
  const ref = refOf(schema);
  const words = typeWords(schema);
  return (
    <>
      {type === undefined ? null : <p className="font-mono text-12 text-muted">{type}</p>}
      {lines.length > 0 ? (
        <FieldTable label={label} lines={lines} />
      ) : (
        <p className="text-13 text-muted">{ref === null ? words : <SchemaLink name={ref}>{words}</SchemaLink>}</p>
      )}
    </>
  );
}
