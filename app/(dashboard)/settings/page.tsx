import type { Metadata } from "next";
import { ResourceId } from "#components/records/resource-id";
import { RenameWorkspace, ThemePicker } from "#components/settings/general-settings";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { actorName } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";

export const metadata: Metadata = { title: "Settings" };

export default async function Page() {
  const actor = await requireActor("session.read");
  return (
    <>
      <Section title="Workspace" actions={can(actor.role, "workspace.manage") ? <RenameWorkspace name={actor.workspaceName} /> : undefined}>
        <KeyValueList
          items={[
            { label: "Name", value: actor.workspaceName },
            { label: "ID", value: <ResourceId id={actor.workspaceId} whole /> },
            { label: "You", value: actorName(actor), hint: `Role: ${actor.role}` },
            { label: "URL", value: env().APP_URL },
            { label: "Platform", value: env().sandboxOn ? "Sandbox" : env().platform.authUrl },
          ]}
        />
      </Section>
      <Section title="Appearance" description="For this browser.">
        <ThemePicker />
      </Section>
    </>
  );
}
