import type { Metadata } from "next";
import { FactorsSection } from "#components/auth/factors/factors-section";
import { PasswordForm, SessionList, TimeZonePicker } from "#components/settings/account-settings";
import { Prefetched } from "#components/shell/prefetched";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { requirePerson } from "#lib/auth/actor";
import { findByEmail } from "#lib/auth/members/user-store";
import { requireActor } from "#lib/auth/require-actor";
import { listSessions } from "#lib/auth/session-store";
import { sessionsQuery } from "#lib/client/queries/account";
import { factorsQuery } from "#lib/client/queries/factors";
import { readFactors } from "#lib/flows/sign-in/manage-factors";

export const metadata: Metadata = { title: "Your account" };

export default async function Page({ searchParams }: { searchParams: Promise<{ password?: string }> }) {
  const ended = (await searchParams).password === "ended";
  const actor = await requireActor("account.manage");
  requirePerson(actor);
  const { by, role, workspaceName } = actor;
  const now = new Date();
  const [user, sessions, factors] = await Promise.all([
    findByEmail(by.email),
    listSessions(by.userId, by.sessionHash, now),
    readFactors(actor, now),
  ]);
  return (
    <Prefetched
      entries={[
        [sessionsQuery.queryKey, sessions],
        [factorsQuery.queryKey, factors],
      ]}
    >
      <Section title="Your account">
        <KeyValueList
          items={[
            { label: "Email", value: by.email },
            { label: "Name", value: by.name ?? "Not set" },
            { label: "Role", value: role, hint: `In ${workspaceName}` },
          ]}
        />
      </Section>
      <Section title="Password" description="Changing it signs you out of every other browser.">
        {user?.passwordHash ? (
          <PasswordForm email={by.email} />
        ) : (
          <>
            {ended ? (
              <ProblemNotice
                tone="attention"
                className="mb-3"
                what="Your password was removed"
                why="You signed in with single sign-on for the first time. Every other session ended, and the unused invites of this account were revoked."
                fix="If you never set a password here, someone else created this account with your email: ask an admin to check the audit log and the API keys."
              />
            ) : null}
            <p className="text-muted">You sign in with single sign-on, so you have no password here.</p>
          </>
        )}
      </Section>
      <FactorsSection />
      <Section title="Time zone" description="How every page shows times, charts included. The API always uses UTC.">
        <TimeZonePicker />
      </Section>
      <SessionList />
    </Prefetched>
  );
}
