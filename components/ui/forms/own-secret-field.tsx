"use client";

import { type ReactNode, useState } from "react";
import { CopyButton } from "#components/ui/json/copy-button";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Field } from "./field.tsx";

const BYTES = 32;

/** Takes a signing secret, entered or generated in the browser. The form's field is `secret`. */
export function OwnSecretField({ hint }: { hint: ReactNode }) {
  const [secret, setSecret] = useState("");
  return (
    <Field name="secret" label="Signing secret" hint={hint}>
      <div className="flex gap-2">
        <Input
          name="secret"
          required
          maxLength={200}
          autoComplete="off"
          className="min-w-0 flex-1 font-mono"
          placeholder="whsec_…"
          value={secret}
          onChange={(event) => setSecret(event.target.value)}
        />
        {secret === "" ? (
          <Button onClick={() => setSecret(newSecret())}>Generate one</Button>
        ) : (
          <CopyButton value={secret} label="Copy secret" />
        )}
      </div>
    </Field>
  );
}

function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}
