"use client";

import { type FormEvent, useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { useHydrated } from "#components/ui/use-hydrated";
import { ApiProblem } from "#lib/client/api-problem";
import { createOwner } from "#lib/client/setup";
import { signInWithPassword } from "#lib/client/sign-in";

/** Creates the owner and signs the owner in. */
export function SetupForm({ token }: { token: string }) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [busy, setBusy] = useState(false);
  const hydrated = useHydrated();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const password = String(form.get("password") ?? "");
    setBusy(true);
    setProblem(null);
    try {
      await createOwner({ token, email: text("email"), name: text("name"), password, workspaceName: text("workspaceName") });
      const refused = await signInWithPassword(text("email"), password);
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
      <Field label="E-mail" error={wrong("email")}>
        <Input name="email" type="email" autoComplete="username" required className="h-10 text-14" />
      </Field>
      <Field label="Password" hint="12 characters or more. A few words in a row do well." error={wrong("password")}>
        <Input name="password" type="password" autoComplete="new-password" required minLength={12} className="h-10 text-14" />
      </Field>
      <Field label="Workspace" hint="The team or company whose webhooks come in here." optional>
        <Input name="workspaceName" autoComplete="organization" maxLength={120} placeholder="Acme" className="h-10 text-14" />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        Create the owner
      </Button>
    </form>
  );
}
