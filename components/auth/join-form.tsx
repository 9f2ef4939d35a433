"use client";

import { NewAccountForm } from "#components/auth/new-account-form";
import { TextLink } from "#components/ui/text-link";
import { acceptInvitation } from "#lib/client/members";

type JoinFormProps = {
  token: string;
  /** The only address that may accept; null for any. */
  email: string | null;
  workspaceName: string;
  returnTo: string;
};

/** Makes an account, joins and signs in; or leads somebody who has one to sign-in and back. */
export function JoinForm({ token, email, workspaceName, returnTo }: JoinFormProps) {
  return (
    <NewAccountForm
      create={({ text: _, ...account }) => acceptInvitation({ token, account })}
      path="account."
      email={email}
      button={`Join ${workspaceName}`}
    >
      <p className="text-muted">
        You have an account here? <TextLink href={`/sign-in?returnTo=${encodeURIComponent(returnTo)}`}>Sign in first</TextLink>, then join
        with it.
      </p>
    </NewAccountForm>
  );
}
