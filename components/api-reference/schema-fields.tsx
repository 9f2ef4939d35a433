import type { ReactNode } from "react";
import { CodeBlock } from "#components/ui/code-block";
import { cn } from "#components/ui/primitives/cn";
import { PageLink } from "#components/ui/primitives/page-link";
import { exampleOf, type FieldLine, fieldLines, refOf, typeWords } from "#lib/client/format/api-schema";
import type { JsonSchema } from "#lib/contracts/api/openapi";
import { schemaHref } from "./reference.tsx";

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

type FieldTableProps = {
  label: string;
  lines: FieldLine[];
  words?: Record<string, string>;
  /** Schemas whose fields expand below the line that refers to them. */
  schemas?: Record<string, JsonSchema>;
};

export function FieldTable({ label, lines, words = {}, schemas = {} }: FieldTableProps) {
  return (
    <div className="overflow-x-auto rounded-md border border-line">
      <table aria-label={label} className="w-full text-left text-13">
        <tbody>
          {lines.map((line) => (
            <tr key={line.path} className="border-line border-b align-top last:border-b-0">
              <th scope="row" className="w-52 break-all py-1.5 pr-2 pl-3 font-medium font-mono text-12 max-rail:w-32">
                <span style={{ paddingLeft: line.depth * 12 }} className={cn("block", line.depth > 0 && "text-muted")}>
                  <span className="sr-only">{line.path.slice(0, -line.name.length)}</span>
                  {line.name}
                  {line.always ? null : <span className="ml-1.5 inline-block font-normal font-sans text-faint">optional</span>}
                </span>
              </th>
              <td className="py-1.5 pr-3 pl-2 text-12 text-muted [overflow-wrap:anywhere]">
                {line.ref === null ? line.type : <SchemaLink name={line.ref}>{line.type}</SchemaLink>}
                {line.bounds === null ? null : <span className="text-faint">, {line.bounds}</span>}
                {[words[line.path], line.words].map((text) => (text == null ? null : <p key={text}>{withCode(text)}</p>))}
                {line.example === null ? null : (
                  <p>
                    For example <code>{line.example}</code>
                  </p>
                )}
                {line.ref !== null && schemas[line.ref] ? <Expanded name={line.ref} schema={schemas[line.ref] ?? {}} /> : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows what stands between backticks as code. */
export const withCode = (text: string): ReactNode[] =>
  // biome-ignore lint/suspicious/noArrayIndexKey: a text's parts never change order.
  text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

const Expanded = ({ name, schema }: { name: string; schema: JsonSchema }) => (
  <details className="mt-1">
    <summary className="w-fit cursor-pointer rounded-sm hover:text-text">Fields of {name}</summary>
    <div className="mt-1.5">
      <FieldTable label={`Fields of ${name}`} lines={fieldLines(schema)} />
    </div>
  </details>
);

export const SchemaLink = ({ name, children }: { name: string; children: string }) => (
  <PageLink href={schemaHref(name)} prefetch={false} className="text-accent-text underline underline-offset-2">
    {children}
  </PageLink>
);
