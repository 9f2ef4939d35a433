"use client";

import { type FormEvent, useRef } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { useHydrated } from "#components/ui/lists/use-hydrated";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { ApiProblem } from "#lib/client/fetch/api-problem";
import { useChangePassword } from "#lib/client/queries/auth/account";

/** Changes the user's own password. */
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
          toast.success("Password changed", { description: "You are signed out of every other browser." });
        },
      },
    );
  }
  return (
    <form ref={form} method="post" onSubmit={submit} className="flex max-w-[400px] flex-col gap-4">
      {change.error && !problem?.errors.length ? (
        <ProblemNotice announce what="Couldn't change the password" why={change.error.message} />
      ) : null}
      {/* Password managers use it to find the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field label="Current password" error={problem?.fieldError("current")}>
        <Input name="current" type="password" autoComplete="current-password" required />
      </Field>
      <Field label="New password" hint="At least 12 characters. Try a few random words." error={problem?.fieldError("next")}>
        <Input name="next" type="password" autoComplete="new-password" required minLength={12} />
      </Field>
      <Button type="submit" variant="primary" className="self-start" loading={change.isPending} disabled={!hydrated}>
        Change password
      </Button>
    </form>
  );
}
