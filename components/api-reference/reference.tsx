import { CodeBlock } from "#components/ui/code-block";
import { Section } from "#components/ui/layout/section";
import { TextLink } from "#components/ui/primitives/page-link";
import type { ApiDocument, ApiOperation } from "#lib/contracts/api/openapi";

const NOTES: [title: string, words: string][] = [
  [
    "Authentication",
    "Send an API key as Authorization: Bearer sbx_…. It has the permissions of its role. A mistyped key is rejected immediately: its checksum fails.",
  ],
  [
    "Pagination",
    "Lists return data and nextCursor, newest first. Send nextCursor as cursor to get the next page; it is null on the last one.",
  ],
  ["Errors", "Every error is returned as application/problem+json (RFC 9457). Branch on code, which is stable; the text may change."],
  [
    "Rate limits",
    "The RateLimit header of every response says how many requests are left and when that resets. Above the limit: 429 with Retry-After.",
  ],
  [
    "Idempotency",
    "Send a POST with an Idempotency-Key of your own. A repeat within 24 hours returns the first response, and nothing is done twice.",
  ],
];

export function ReferenceStart({ document }: { document: ApiDocument }) {
  const origin = document.servers[0]?.url ?? "";
  return (
    <>
      <CodeBlock
        code={`export SIGNALBOX_KEY=sbx_…\ncurl '${origin}/api/v1/events?limit=5' -H "Authorization: Bearer $SIGNALBOX_KEY"`}
        label="first call"
        title="First call"
        wrap={false}
      />
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {NOTES.map(([title, words]) => (
          <div key={title}>
            <dt className="font-medium text-13">{title}</dt>
            <dd className="text-13 text-muted">{words}</dd>
          </div>
        ))}
      </dl>
      <Section title="Schemas" description="Objects used by more than one response.">
        <ul className="flex flex-wrap gap-x-4 gap-y-1.5 text-13">
          {Object.keys(document.components.schemas).map((name) => (
            <li key={name}>
              <TextLink href={schemaHref(name)}>{name}</TextLink>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

export type Call = { path: string; method: string; operation: ApiOperation };

export const callsOf = ({ paths }: ApiDocument): Call[] =>
  Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));

export const operationHref = (operationId: string): string => `/api-reference/${operationId}`;
export const schemaHref = (name: string): string => `/api-reference/schemas/${name}`;
