import { Download, KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { callsOf, operationHref } from "#components/api-reference/reference";
import { ReferenceNav } from "#components/api-reference/reference-nav";
import { PageBody, PageHeader } from "#components/ui/layout/page-header";
import { LinkButton } from "#components/ui/primitives/button";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { describeApi } from "../../api/v1/inventory.ts";

/** The reference is made from the OpenAPI document, so it can't be out of date. */
export default async function ApiReferenceLayout({ children }: { children: ReactNode }) {
  const actor = await requireActor("session.read");
  const document = await describeApi();
  const calls = callsOf(document).map(({ method, path, operation: { operationId, tags, summary } }) => ({
    tag: tags[0] ?? "",
    href: operationHref(operationId),
    method,
    path,
    summary,
  }));
  return (
    <PageBody className="mx-auto max-w-[1320px]">
      <PageHeader
        title="API reference"
        description="Everything in the app is also available through this API: the app itself uses it."
        actions={
          <>
            {can(actor.role, "keys.manage") ? (
              <LinkButton href="/settings/keys" icon={<KeyRound />}>
                API keys
              </LinkButton>
            ) : null}
            <LinkButton href="/api/v1/openapi.json" icon={<Download />}>
              OpenAPI {document.openapi}
            </LinkButton>
          </>
        }
      />
      <div className="flex min-w-0 gap-8 max-lg:flex-col max-lg:gap-4">
        <ReferenceNav calls={calls} />
        <div className="flex min-w-0 flex-1 flex-col gap-6">{children}</div>
      </div>
    </PageBody>
  );
}
