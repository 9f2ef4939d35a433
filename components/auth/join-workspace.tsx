"use client";

import { signOut } from "next-auth/react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Button } from "#components/ui/primitives/button";
import { TextLink } from "#components/ui/primitives/page-link";
import { leaveFor, useAction } from "#components/ui/primitives/use-action";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { acceptInvitation } from "#lib/client/queries/members";
import { NewAccountForm } from "./new-account-form.tsx";

type JoinFormProps = {
  token: string;
  /** The only email that may accept; null for any. */
  email: string | null;
  workspaceName: string;
  returnTo: string;
};

/** Creates an account, joins and signs in; people who have an account go to sign-in and back. */
export function JoinForm({ token, email, workspaceName, returnTo }: JoinFormProps) {
  return (
    <NewAccountForm
      create={({ text: _, ...account }) => acceptInvitation({ token, account })}
      path="account."
      email={email}
      button={`Join ${workspaceName}`}
    >
      <p className="text-muted">
        Already have an account? <TextLink href={`/sign-in?returnTo=${encodeURIComponent(returnTo)}`}>Sign in first</TextLink>, then join.
      </p>
    </NewAccountForm>
  );
}

type JoinAsProps = { token: string; email: string; workspaceName: string; returnTo: string };

export function JoinAs({ token, email, workspaceName, returnTo }: JoinAsProps) {
  const hydrated = useHydrated();
  const { run: join, busy, problem } = useAction(() => acceptInvitation({ token }).then(() => leaveFor("/")));

  async function switchAccount() {
    await signOut({ redirect: false });
    location.assign(returnTo);
  }

  return (
    <div className="flex flex-col gap-4">
      {problem === null ? null : <ProblemNotice announce what="Couldn't join" why={problem.message} />}
      <p>
        You are signed in as <strong className="font-medium">{email}</strong>.
      </p>
      <Button variant="primary" size="lg" loading={busy} disabled={!hydrated} onClick={() => join()}>
        Join {workspaceName}
      </Button>
      <Button size="lg" disabled={!hydrated || busy} onClick={() => void switchAccount()}>
        Use another account
      </Button>
    </div>
  );
}
