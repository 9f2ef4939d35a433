import type { Metadata } from "next";
import { LastBackup, ThemePicker, WorkspaceSettings } from "#components/settings/general-settings";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { actorName } from "#lib/auth/actor";
import { findSettings } from "#lib/auth/members/workspace-store";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";
import { PRODUCT_VERSION } from "#lib/config/product";
import { readDurability } from "#lib/flows/overview/read-overview";
import { addressesOf } from "#lib/platform/authorization-server";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  const actor = await requireActor("session.read");
  const [settings, { acknowledged, backup }] = await Promise.all([findSettings(actor.workspaceId), readDurability()]);
  return (
    <>
      <WorkspaceSettings
        id={actor.workspaceId}
        settings={settings}
        you={{ label: "You", value: actorName(actor), hint: `Role: ${actor.role}` }}
        canManage={can(actor.role, "workspace.manage")}
      />
      <Section title="Installation" description="The same for all workspaces.">
        <KeyValueList
          items={[
            { label: "URL", value: env().APP_URL },
            { label: "Version", value: PRODUCT_VERSION },
            ...platformItems(),
            { label: "Acknowledged events", value: acknowledged },
            ...(backup.scheduled ? [{ label: "Last good backup", value: <LastBackup at={backup.lastGoodAt} /> }] : []),
          ]}
        />
      </Section>
      <Section title="Appearance" description="For this browser.">
        <ThemePicker />
      </Section>
    </>
  );
}

function platformItems() {
  const { platform, platformMissing } = env();
  if (platformMissing.length > 0) return [{ label: "Platform", value: "Not configured", hint: `Not set: ${platformMissing.join(", ")}` }];
  if (platform.isSandbox) return [{ label: "Platform", value: "Sandbox" }];
  const { authorization, tokens } = addressesOf(platform);
  return [
    { label: "Platform", value: authorization, hint: "Asks for the permissions" },
    { label: "Platform tokens", value: tokens, hint: "Issues and renews tokens" },
  ];
}
