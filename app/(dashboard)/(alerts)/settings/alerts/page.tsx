import type { Metadata } from "next";
import { AlertsPage } from "#components/alerts/alerts-page";
import { Prefetched } from "#components/shell/prefetched";
import { PageBody, PageHeader } from "#components/ui/layout/page-header";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { alertChannelsQuery, alertRulesQuery, alertsQuery } from "#lib/client/queries/alerts";
import { listKnownTypes } from "#lib/events/search/log-types-store";
import { readAlertChannels, readAlertRules, readAlerts, shownChannel } from "#lib/flows/alerts/read-alerts";

// Beside the settings, not among them: it stands in the navigation. Its URL is that of the release before.
export const metadata: Metadata = { title: "Alerts" };

const LISTED = 20;
const GROUPED = { grouped: true };

export default async function Page() {
  const actor = await requireActor("alerts.read");
  const [channels, rules, alerts, types] = await Promise.all([
    readAlertChannels(actor.workspaceId),
    readAlertRules(actor.workspaceId),
    readAlerts(actor.workspaceId, GROUPED, { limit: LISTED }),
    listKnownTypes(actor.workspaceId),
  ]);
  return (
    <PageBody width="narrow">
      <PageHeader title="Alerts" />
      <Prefetched
        entries={[
          [alertChannelsQuery.queryKey, { ...channels, data: channels.data.map((each) => shownChannel(actor, each)) }],
          [alertRulesQuery.queryKey, rules],
          [alertsQuery(GROUPED).queryKey, { pages: [alerts], pageParams: [null] }],
        ]}
      >
        <AlertsPage canManage={can(actor.role, "alerts.manage")} types={types} />
      </Prefetched>
    </PageBody>
  );
}
