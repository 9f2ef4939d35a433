import type { Metadata } from "next";
import { PasswordForm } from "#components/settings/password-form";
import { SessionList } from "#components/settings/session-list";
import { Prefetched } from "#components/shell/prefetched";
import { KeyValueList } from "#components/ui/key-value-list";
import { Section } from "#components/ui/section";
import { requireActor } from "#lib/auth/require-actor";
import { listSessions } from "#lib/auth/session-store";
import { findByEmail } from "#lib/auth/user-store";

export const metadata: Metadata = { title: "Your account" };

/** Who one is, one's password, and where one is signed in. */
export default async function Page() {
  const { by, role, workspaceName } = await requireActor("account.manage");
  if (by.kind !== "session") return null;
  const [user, sessions] = await Promise.all([findByEmail(by.email), listSessions(by.userId, by.sessionHash, new Date())]);
  return (
    <Prefetched entries={[[["settings", "sessions"], sessions]]}>
      <Section title="Your account">
        <KeyValueList
          items={[
            { label: "E-mail", value: by.email },
            { label: "Name", value: by.name ?? "Not given" },
            { label: "Role", value: role, hint: `In ${workspaceName}` },
          ]}
        />
      </Section>
      <Section title="Password" description="Every other browser is signed out when you change it.">
        {user?.passwordHash ? (
          <PasswordForm email={by.email} />
        ) : (
          <p className="text-muted">You sign in by single sign-on: there is no password here.</p>
        )}
      </Section>
      <SessionList />
    </Prefetched>
  );
}
