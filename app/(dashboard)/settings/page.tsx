import type { Metadata } from "next";
import { RenameWorkspace } from "#components/settings/rename-workspace";
import { ThemePicker } from "#components/settings/theme-picker";
import { KeyValueList } from "#components/ui/key-value-list";
import { ResourceId } from "#components/ui/resource-id";
import { Section } from "#components/ui/section";
import { actorName } from "#lib/auth/actor";
import { can } from "#lib/auth/permissions";
import { requireActor } from "#lib/auth/require-actor";
import { env } from "#lib/config/env";

export const metadata: Metadata = { title: "Settings" };

/** The workspace, who one is in it, and how the pages look. */
export default async function Page() {
  const actor = await requireActor("session.read");
  return (
    <>
      <Section title="Workspace" actions={can(actor.role, "workspace.manage") ? <RenameWorkspace name={actor.workspaceName} /> : undefined}>
        <KeyValueList
          items={[
            { label: "Name", value: actor.workspaceName },
            { label: "Id", value: <ResourceId id={actor.workspaceId} whole /> },
            { label: "You", value: actorName(actor), hint: `Role: ${actor.role}` },
            { label: "Address", value: env().APP_URL },
            { label: "Platform", value: env().sandboxOn ? "The sandbox stands in for the platform" : env().platform.authUrl },
          ]}
        />
      </Section>
      <Section title="Appearance" description="For this browser.">
        <ThemePicker />
      </Section>
    </>
  );
}
