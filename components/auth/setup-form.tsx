"use client";

import { NewAccountForm } from "#components/auth/new-account-form";
import { Field } from "#components/ui/forms/field";
import { Input } from "#components/ui/primitives/input";
import { createOwner } from "#lib/client/queries/auth/setup";

export function SetupForm({ token }: { token: string }) {
  return (
    <NewAccountForm
      create={({ text, ...owner }) => createOwner({ token, ...owner, workspaceName: text("workspaceName") })}
      button="Create your account"
      more={
        <Field label="Workspace" hint="Your team or company." optional>
          <Input name="workspaceName" autoComplete="organization" maxLength={120} placeholder="Acme" className="h-10 text-14" />
        </Field>
      }
    />
  );
}
