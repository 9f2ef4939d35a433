import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { IssuePage } from "#components/issues/issue-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody } from "#components/ui/layout/page-header";
import { userIdOf } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { issueSnoozeQuery } from "#lib/client/queries/alerts";
import { issueEventsQuery, issueQuery } from "#lib/client/queries/issues";
import { findIssueSnooze } from "#lib/flows/alerts/manage-rules";
import { readIssue } from "#lib/flows/issues/issues";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { recordId } from "../../page-url.ts";

export const metadata: Metadata = { title: "Issue" };

const EVENTS = 20;

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const now = new Date();
  const [issue, snoozed, events] = await Promise.all([
    readIssue(actor.workspaceId, id, now),
    // Read here, because a button that appeared later would move the ones next to it.
    findIssueSnooze(actor.workspaceId, id),
    listNamedEvents(actor.workspaceId, { issue: [id] }, { limit: EVENTS, now }),
  ]);
  if (!issue) notFound();
  return (
    <PageBody>
      <Prefetched
        entries={[
          [issueQuery(id).queryKey, issue],
          [issueSnoozeQuery(id).queryKey, snoozed],
          [issueEventsQuery(id).queryKey, { pages: [events], pageParams: [null] }],
        ]}
      >
        <IssuePage
          id={id}
          ownId={userIdOf(actor)}
          canManage={can(actor.role, "issues.manage")}
          canRedeliver={can(actor.role, "events.redeliver")}
          canMapFields={can(actor.role, "sources.map_fields")}
        />
      </Prefetched>
    </PageBody>
  );
}
