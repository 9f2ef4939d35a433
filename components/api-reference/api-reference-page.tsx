import { Download, KeyRound } from "lucide-react";
import { FieldTable } from "#components/api-reference/field-table";
import { Operation } from "#components/api-reference/operation";
import { CodeBlock } from "#components/ui/code-block";
import { LinkButton } from "#components/ui/link-button";
import { PageBody } from "#components/ui/page-body";
import { PageHeader } from "#components/ui/page-header";
import { Section } from "#components/ui/section";
import { fieldLines } from "#lib/client/schema-words";
import type { ApiDocument } from "#lib/contracts/openapi";

/** The API, readable: made from its OpenAPI document, so that it can't be out of date. */
export function ApiReferencePage({ document, mayMakeKeys }: { document: ApiDocument; mayMakeKeys: boolean }) {
  const origin = document.servers[0]?.url ?? "";
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return (
    <PageBody width="narrow">
      <PageHeader
        title="API reference"
        description="All that these pages do, a program can do too: they use the same API."
        actions={
          <>
            {mayMakeKeys ? (
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
      <nav aria-label="Parts of the API" className="flex flex-wrap gap-1.5">
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
      <Section id="schemas" title="Schemas" description="What stands in more than one answer.">
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
    "Keys",
    "Send an API key as Authorization: Bearer sbx_…, and it may do what its role may. A mistyped key is refused at once: it carries a checksum.",
  ],
  ["Pages", "Lists answer data and nextCursor, newest first. Send nextCursor as cursor for the next page; it is null on the last."],
  [
    "Problems",
    "Whatever goes wrong is answered as application/problem+json (RFC 9457). Branch on code, which stays; the words may change.",
  ],
  ["Limits", "Every answer tells in RateLimit how many requests are left and for how long. Beyond it: 429 with Retry-After."],
  [
    "Repeats",
    "Give a POST an Idempotency-Key of your own. Sent again within 24 hours it is answered as the first time, and nothing is done twice.",
  ],
];

function Start({ origin }: { origin: string }) {
  return (
    <div className="flex flex-col gap-4">
      <CodeBlock
        code={`export SIGNALBOX_KEY=sbx_…\ncurl '${origin}/api/v1/events?limit=5' -H "Authorization: Bearer $SIGNALBOX_KEY"`}
        label="the first call"
        title="The first call"
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
