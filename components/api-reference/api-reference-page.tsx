import { Download, KeyRound } from "lucide-react";
import { FieldTable } from "#components/api-reference/field-table";
import { Operation } from "#components/api-reference/operation";
import { CodeBlock } from "#components/ui/json/code-block";
import { PageBody } from "#components/ui/layout/page-body";
import { PageHeader } from "#components/ui/layout/page-header";
import { Section } from "#components/ui/layout/section";
import { LinkButton } from "#components/ui/primitives/link-button";
import { fieldLines } from "#lib/client/format/schema-labels";
import type { ApiDocument } from "#lib/contracts/api/openapi";

/** The API reference, rendered from the OpenAPI document, so that it can't be out of date. */
export function ApiReferencePage({ document, canManageKeys }: { document: ApiDocument; canManageKeys: boolean }) {
  const origin = document.servers[0]?.url ?? "";
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <PageBody width="narrow">
      <PageHeader
        title="API reference"
        description="Everything in the app is also available through this API: the app itself uses it."
        actions={
          <>
            {canManageKeys ? (
              <LinkButton href="/settings/keys" icon={<KeyRound aria-hidden />}>
                API keys
              </LinkButton>
            ) : null}
            <LinkButton href="/api/v1/openapi.json" icon={<Download aria-hidden />}>
              OpenAPI {document.openapi}
            </LinkButton>
          </>
        }
      />
      <Start origin={origin} />
      <nav aria-label="API sections" className="flex flex-wrap gap-1.5">
        {document.tags.map(({ name }) => (
          <a key={name} href={`#tag-${name}`} className="rounded-sm border border-line bg-raised px-2 py-1 text-12 hover:bg-hover">
            {name}
          </a>
        ))}
      </nav>
      {document.tags.map(({ name }) => (
        <Section key={name} id={`tag-${name}`} title={name} className="scroll-mt-16 gap-2">
          {calls
            .filter(({ operation }) => operation.tags.includes(name))
            .map((call) => (
              <Operation key={call.operation.operationId} origin={origin} {...call} />
            ))}
        </Section>
      ))}
      <Section id="schemas" title="Schemas" description="Objects used by more than one response.">
        {Object.entries(document.components.schemas).map(([name, schema]) => (
          <div key={name} id={`schema-${name}`} className="flex scroll-mt-16 flex-col gap-2">
            <h3 className="font-mono text-13 font-medium">{name}</h3>
            <FieldTable label={`Fields of ${name}`} lines={fieldLines(schema)} />
          </div>
        ))}
      </Section>
    </PageBody>
  );
}

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

function Start({ origin }: { origin: string }) {
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock
        code={`export SIGNALBOX_KEY=sbx_…\ncurl '${origin}/api/v1/events?limit=5' -H "Authorization: Bearer $SIGNALBOX_KEY"`}
        label="first call"
        title="First call"
        wrap={false}
      />
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {NOTES.map(([title, words]) => (
          <div key={title}>
            <dt className="text-13 font-medium">{title}</dt>
            <dd className="text-13 text-muted">{words}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
