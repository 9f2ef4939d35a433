"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { useHydrated } from "#components/ui/use-hydrated";
import { ApiProblem } from "#lib/client/api-problem";
import { signInWithPassword } from "#lib/client/sign-in";

/** What a person typed, trimmed but for the password. `text` reads further fields by name. */
type Typed = { email: string; name: string; password: string; text: (field: string) => string };

type NewAccountFormProps = {
  create: (typed: Typed) => Promise<unknown>;
  /** Where the account's fields stand in what `create` sends, for the errors that come back: `account.`. */
  path?: string;
  /** The only address that it may have; null for any. */
  email?: string | null;
  button: string;
  /** Fields after the password. */
  more?: ReactNode;
  /** What stands below the button. */
  children?: ReactNode;
};

/** Makes an account and signs in with it. A refusal stands at the field that it is about, or on top. */
export function NewAccountForm({ create, path = "", email = null, button, more, children }: NewAccountFormProps) {
  const { submit, problem, busy } = useNewAccount(create);
  const hydrated = useHydrated();
  const wrong = (field: string) => problem?.fieldError(`${path}${field}`);
  const elsewhere = problem !== null && problem.errors.length === 0;
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {elsewhere ? <ProblemNotice announce what={problem.title} why={problem.detail} /> : null}
      <Field label="Your name" optional>
        <Input name="name" autoComplete="name" maxLength={120} className="h-10 text-14" autoFocus />
      </Field>
      <Field label="E-mail" error={wrong("email")} {...(email === null ? {} : { hint: "The invitation is for this address." })}>
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
      <Field label="Password" hint="12 characters or more. A few words in a row do well." error={wrong("password")}>
        <Input name="password" type="password" autoComplete="new-password" required minLength={12} className="h-10 text-14" />
      </Field>
      {more}
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        {button}
      </Button>
      {children}
    </form>
  );
}

function useNewAccount(create: NewAccountFormProps["create"]) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (field: string) => String(form.get(field) ?? "").trim();
    const [email, password] = [text("email"), String(form.get("password") ?? "")];
    setBusy(true);
    setProblem(null);
    try {
      await create({ email, name: text("name"), password, text });
      const refused = await signInWithPassword(email, password);
      location.assign(refused === null ? "/" : "/sign-in");
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error : null);
      setBusy(false);
    }
  }
  return { submit, problem, busy };
}
