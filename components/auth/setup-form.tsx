"use client";

import { NewAccountForm } from "#components/auth/new-account-form";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { createOwner } from "#lib/client/setup";

/** Creates the owner and signs the owner in. */
export function SetupForm({ token }: { token: string }) {
  return (
    <NewAccountForm
      create={({ text, ...owner }) => createOwner({ token, ...owner, workspaceName: text("workspaceName") })}
      button="Create the owner"
      more={
        <Field label="Workspace" hint="The team or company whose webhooks come in here." optional>
          <Input name="workspaceName" autoComplete="organization" maxLength={120} placeholder="Acme" className="h-10 text-14" />
        </Field>
      }
    />
  );
}
