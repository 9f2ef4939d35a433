"use client";

import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Form } from "#components/ui/forms/form";
import { useHydrated } from "#components/ui/lists/use-hydrated";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useChangePassword } from "#lib/client/queries/auth/account";

export function PasswordForm({ email }: { email: string }) {
  const change = useChangePassword();
  const hydrated = useHydrated();
  function submit(fields: FormData, form: HTMLFormElement) {
    const text = (name: string) => String(fields.get(name) ?? "");
    change.mutate(
      { current: text("current"), next: text("next") },
      {
        onSuccess: () => {
          form.reset();
          toast.success("Password changed", { description: "You are signed out of every other browser." });
        },
      },
    );
  }
  return (
    <Form failed="Couldn't change the password" error={change.error} method="post" onSubmit={submit} className="max-w-[400px]">
      {/* Password managers use it to find the account. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <Field name="current" label="Current password">
        <Input name="current" type="password" autoComplete="current-password" required />
      </Field>
      <Field name="next" label="New password" hint="At least 12 characters. Try a few random words.">
        <Input name="next" type="password" autoComplete="new-password" required minLength={12} />
      </Field>
      <Button type="submit" variant="primary" className="self-start" loading={change.isPending} disabled={!hydrated}>
        Change password
      </Button>
    </Form>
  );
}
