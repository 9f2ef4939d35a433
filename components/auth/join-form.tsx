"use client";

import { NewAccountForm } from "#components/auth/new-account-form";
import { TextLink } from "#components/ui/layout/text-link";
import { acceptInvitation } from "#lib/client/queries/auth/members";

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
