"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { useHydrated } from "#components/ui/use-hydrated";
import { signInElsewhere, signInWithPassword, signInWords } from "#lib/client/sign-in";

type SignInFormProps = { returnTo: string; error: string | null; singleSignOn: boolean };

/** E-mail and password; wrong ones leave the e-mail and empty the password. The fields keep what was typed before the page was alive. */
export function SignInForm({ returnTo, error, singleSignOn }: SignInFormProps) {
  const [problem, setProblem] = useState(error === null ? null : signInWords(error));
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const typed = new FormData(form);
    setBusy(true);
    setProblem(null);
    const words = await signInWithPassword(String(typed.get("email")), String(typed.get("password")));
    if (words === null) return location.assign(returnTo);
    const field = form.elements.namedItem("password");
    if (field instanceof HTMLInputElement) field.value = "";
    setProblem(words);
    setBusy(false);
  }

  return (
    <form method="post" onSubmit={submit} className="flex flex-col gap-4">
      {problem === null ? null : <ProblemNotice announce what={problem} />}
      <Field label="E-mail">
        <Input name="email" type="email" autoComplete="username" required autoFocus className="h-10 text-14" />
      </Field>
      <Field label="Password">
        <Input name="password" type="password" autoComplete="current-password" required className="h-10 text-14" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        Sign in
      </Button>
      {singleSignOn ? (
        <Button size="lg" disabled={!hydrated} onClick={() => void signInElsewhere(returnTo)}>
          Continue with single sign-on
        </Button>
      ) : null}
    </form>
  );
}
