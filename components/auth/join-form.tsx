"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { TextLink } from "#components/ui/text-link";
import { useHydrated } from "#components/ui/use-hydrated";
import { ApiProblem } from "#lib/client/api-problem";
import { acceptInvitation } from "#lib/client/members";
import { signInWithPassword } from "#lib/client/sign-in";

type JoinFormProps = {
  token: string;
  /** The only address that may accept; null for any. */
  email: string | null;
  workspaceName: string;
  returnTo: string;
};

/** Makes an account, joins and signs in; or leads somebody who has one to sign-in and back. */
export function JoinForm({ token, email, workspaceName, returnTo }: JoinFormProps) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const account = { email: text("email"), name: text("name"), password: String(form.get("password") ?? "") };
    setBusy(true);
    setProblem(null);
    try {
      await acceptInvitation({ token, account });
      const refused = await signInWithPassword(account.email, account.password);
      location.assign(refused === null ? "/" : "/sign-in");
    } catch (error) {
      setProblem(error instanceof ApiProblem ? error : null);
      setBusy(false);
    }
  }

  const wrong = (path: string) => problem?.fieldError(path);
  const elsewhere = problem !== null && problem.errors.length === 0;
  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {elsewhere ? <ProblemNotice announce what={problem.title} why={problem.detail} /> : null}
      <Field label="Your name" optional>
        <Input name="name" autoComplete="name" maxLength={120} className="h-10 text-14" autoFocus />
      </Field>
      <Field label="E-mail" error={wrong("account.email")} {...(email === null ? {} : { hint: "The invitation is for this address." })}>
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
      <Field label="Password" hint="12 characters or more. A few words in a row do well." error={wrong("account.password")}>
        <Input name="password" type="password" autoComplete="new-password" required minLength={12} className="h-10 text-14" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        Join {workspaceName}
      </Button>
      <p className="text-muted">
        You have an account here? <TextLink href={`/sign-in?returnTo=${encodeURIComponent(returnTo)}`}>Sign in first</TextLink>, then join
        with it.
      </p>
    </form>
  );
}
