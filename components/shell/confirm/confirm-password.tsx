"use client";

import { type FormEvent, useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { confirmPassword } from "#lib/client/queries/auth/factors";

/** Asks for the password before a change of how people sign in. */
export function ConfirmPassword({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    event.stopPropagation();
    setBusy(true);
    try {
      await confirmPassword(String(new FormData(event.currentTarget).get("password")));
      onConfirmed();
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onCancel}
      title="Confirm that it's you"
      description="You signed in more than 10 minutes ago, and this changes how people sign in."
    >
      <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <Field label="Your password" error={problem}>
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" variant="primary" loading={busy}>
            Confirm
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
