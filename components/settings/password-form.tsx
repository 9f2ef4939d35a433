"use client";

import { type FormEvent, useRef } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { ProblemNotice } from "#components/ui/problem-notice";
import { toast } from "#components/ui/toast";
import { useHydrated } from "#components/ui/use-hydrated";
import { useChangePassword } from "#lib/client/account";
import { ApiProblem } from "#lib/client/api-problem";

/** Changes the own password. */
export function PasswordForm({ email }: { email: string }) {
  const change = useChangePassword();
  const form = useRef<HTMLFormElement>(null);
  const hydrated = useHydrated();
  const problem = change.error instanceof ApiProblem ? change.error : null;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    change.mutate(
      { current: text("current"), next: text("next") },
      {
        onSuccess: () => {
          form.current?.reset();
          toast.success("The password is changed", { description: "Every other browser is signed out." });
        },
      },
    );
  }
  return (
    <form ref={form} method="post" onSubmit={submit} className="flex max-w-[400px] flex-col gap-4">
      {change.error && !problem?.errors.length ? (
        <ProblemNotice announce what="The password was not changed" why={change.error.message} />
      ) : null}
      {/* Password managers want to know whose password it is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Present password" error={problem?.fieldError("current")}>
        <Input name="current" type="password" autoComplete="current-password" required />
      </Field>
      <Field label="New password" hint="12 characters or more. A few words in a row do well." error={problem?.fieldError("next")}>
        <Input name="next" type="password" autoComplete="new-password" required minLength={12} />
      </Field>
      <Button type="submit" variant="primary" className="self-start" loading={change.isPending} disabled={!hydrated}>
        Change the password
      </Button>
    </form>
  );
}
