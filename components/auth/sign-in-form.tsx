"use client";

import { type FormEvent, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { usePasskeys } from "#lib/client/passkeys";
import { signInElsewhere, signInWithPassword, signInWords } from "#lib/client/queries/sign-in";

type SignInFormProps = { returnTo: string; error: string | null; singleSignOn: boolean };

/** A failed sign-in keeps the email and clears the password. Text typed before hydration is kept. */
export function SignInForm({ returnTo, error, singleSignOn }: SignInFormProps) {
  const [problem, setProblem] = useState(error === null ? null : signInWords(error));
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();
  const passkeys = usePasskeys();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const values = new FormData(form);
    setBusy(true);
    setProblem(null);
    const error = await signInWithPassword(String(values.get("email")), String(values.get("password")));
    if (error === null) return location.assign(returnTo);
    const field = form.elements.namedItem("password");
    if (field instanceof HTMLInputElement) field.value = "";
    setProblem(error);
    setBusy(false);
  }

  async function withPasskey() {
    setBusy(true);
    setProblem(null);
    try {
      // Loaded on demand: few people need it, and everybody waits for this page.
      const { signInWithPasskey } = await import("#lib/client/queries/factors");
      await signInWithPasskey();
      location.assign(returnTo);
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  }

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {problem === null ? null : <ProblemNotice announce what={problem} />}
      <Field label="Email">
        <Input name="email" type="email" autoComplete="username" required autoFocus className="h-10 text-14" />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required className="h-10 text-14" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        Sign in
      </Button>
      {passkeys ? (
        <Button size="lg" disabled={!hydrated || busy} onClick={() => void withPasskey()}>
          Sign in with a passkey
        </Button>
      ) : null}
      {singleSignOn ? (
        <Button size="lg" disabled={!hydrated} onClick={() => void signInElsewhere(returnTo)}>
          Continue with single sign-on
        </Button>
      ) : null}
    </form>
  );
}
