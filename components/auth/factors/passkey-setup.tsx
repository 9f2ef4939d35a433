"use client";

import { type FormEvent, useState } from "react";
import { Field } from "#components/ui/forms/field";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { setUpPasskey } from "#lib/client/queries/auth/factors";
import type { FactorAdded } from "#lib/contracts/auth/factors";

type Props = { onAdded: (added: FactorAdded) => void };

export function PasskeySetupForm({ onAdded }: Props) {
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    setBusy(true);
    try {
      onAdded(await setUpPasskey(name));
    } catch (error) {
      setProblem((error as Error).message);
      setBusy(false);
    }
  }
  return (
    <form method="post" onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <p>Your browser asks for your fingerprint, face, screen lock or security key. A passkey also signs you in without a password.</p>
      <Field label="Name" hint="A name to recognise it by, such as Work laptop." error={problem}>
        <Input name="name" required maxLength={80} autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        Create passkey
      </Button>
    </form>
  );
}
