import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { IssuePage } from "#components/issues/issue-page";
import { PrefetchedPage } from "#components/shell/prefetched";
import { userIdOf } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { issueSnoozeQuery } from "#lib/client/queries/alerts";
import { issueEventsQuery, issueQuery } from "#lib/client/queries/issues";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { visible } from "#lib/contracts/api/plain-text";
import { findIssueSnooze } from "#lib/flows/alerts/manage-rules";
import { readIssue } from "#lib/flows/issues/issues";
import { listNamedEvents } from "#lib/flows/views/read-views";
import { recordId } from "../../page-url.ts";

type Props = { params: Promise<{ id: string }> };

/** The page and its title need the same issue. */
const readNow = cache((workspaceId: WorkspaceId, id: string) => readIssue(workspaceId, id, new Date()));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const actor = await requireActor("events.read");
  const issue = await readNow(actor.workspaceId, recordId((await params).id));
  return { title: issue === null ? "Issue" : `${visible(issue.failure.what.slice(0, 80))} · issue` };
}

const EVENTS = 20;

export default async function Page({ params }: Props) {
  const actor = await requireActor("events.read");
  const id = recordId((await params).id);
  const now = new Date();
  const [issue, snoozed, events] = await Promise.all([
    readNow(actor.workspaceId, id),
    // Read here, because a button that appeared later would move the ones next to it.
    findIssueSnooze(actor.workspaceId, id),
    listNamedEvents(actor.workspaceId, { issue: [id] }, { limit: EVENTS, now }),
  ]);
  if (!issue) notFound();
  return (
    <PrefetchedPage
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
    </PrefetchedPage>
  );
}
