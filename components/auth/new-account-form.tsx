"use client";

import type { ReactNode } from "react";
import { Field, Form } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { leaveFor, useAction } from "#components/ui/primitives/use-action";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { createOwner, signInWithPassword } from "#lib/client/queries/sign-in";

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

/** Trimmed, except for the password. `text` reads further fields by name. */
type Values = { email: string; name: string; password: string; text: (field: string) => string };

type NewAccountFormProps = {
  create: (values: Values) => Promise<unknown>;
  /** Prefix of the account's fields in the request of `create`, to match errors to fields: `account.`. */
  path?: string;
  email?: string | null;
  button: string;
  more?: ReactNode;
  children?: ReactNode;
};

/** Creates an account and signs in with it. An error is shown at its field, or at the top. */
export function NewAccountForm({ create, path = "", email = null, button, more, children }: NewAccountFormProps) {
  const { run, problem, busy } = useAction(async (form: FormData) => {
    const text = (field: string) => String(form.get(field) ?? "").trim();
    const [email, password] = [text("email"), String(form.get("password") ?? "")];
    await create({ email, name: text("name"), password, text });
    await leaveFor((await signInWithPassword(email, password)) === null ? "/" : "/sign-in");
  });
  const hydrated = useHydrated();
  return (
    <Form failed="Couldn't create the account" error={problem} method="post" onSubmit={run}>
      <Field name={`${path}name`} label="Your name" optional>
        <Input name="name" autoComplete="name" maxLength={120} className="h-10 text-14" autoFocus />
      </Field>
      <Field name={`${path}email`} label="Email" {...(email === null ? {} : { hint: "The invite is for this email." })}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          required
          className="h-10 text-14"
          defaultValue={email ?? ""}
          readOnly={email !== null}
        />
      </Field>
      <Field name={`${path}password`} label="Password" hint="At least 12 characters. Try a few random words.">
        <Input name="password" type="password" autoComplete="new-password" required minLength={12} className="h-10 text-14" />
      </Field>
      {more}
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        {button}
      </Button>
      {children}
    </Form>
  );
}
