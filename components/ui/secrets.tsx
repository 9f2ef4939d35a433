import { type ReactNode, useState } from "react";
import { CopyButton } from "./code-block.tsx";
import { ProblemNotice } from "./feedback/problem-notice.tsx";
import { Field } from "./form.tsx";
import type { DialogCloses } from "./overlay/panes/dialog-pane.tsx";
import { Button } from "./primitives/button.tsx";
import { Input } from "./primitives/input.tsx";

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

type SecretOnceProps = { secret: string; what: string /** Advice on keeping it. */; keep?: string };

export function SecretOnce({ secret, what, keep = "Keep it in a password manager or secret store." }: SecretOnceProps) {
  return (
    <div className="flex flex-col gap-3">
      <ProblemNotice tone="attention" what="Copy it now. It won't be shown again." fix={keep} />
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 break-all text-12">{secret}</code>
        <CopyButton value={secret} label={`Copy ${what}`} words autoFocus />
      </div>
    </div>
  );
}

/** `closes` of a dialog that creates a secret: closed during the request or by accident, it would lose the only copy. */
export const secretCloses = (pending: boolean, secret: string | null | undefined): DialogCloses =>
  pending ? "never" : secret ? "button" : "anyhow";
