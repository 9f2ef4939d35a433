import type { FormEvent } from "react";
import { CopyButton } from "#components/ui/code-block";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useAction } from "#components/ui/primitives/use-action";
import { setUpPasskey, setUpTotp } from "#lib/client/queries/factors";
import type { FactorAdded, TotpSetup } from "#lib/contracts/auth/account";

type TotpSetupFormProps = { setup: TotpSetup; onAdded: (added: FactorAdded) => void };

export function TotpSetupForm({ setup: { secret, qr }, onAdded }: TotpSetupFormProps) {
  const { run, busy, problem } = useAction(async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAdded(await setUpTotp(String(new FormData(event.currentTarget).get("code"))));
  });
  return (
    <form method="post" onSubmit={run} className="flex flex-col gap-4">
      <p>Scan the QR code with an authenticator app, or enter the key in it. Then enter the code that the app shows.</p>
      <svg
        viewBox={`0 0 ${qr.size} ${qr.size}`}
        role="img"
        aria-label="QR code of the key below"
        shapeRendering="crispEdges"
        className="w-48 self-center rounded-md bg-[white] text-[black]"
      >
        <path d={qr.path} fill="currentColor" />
      </svg>
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3">
        <code className="min-w-0 flex-1 break-all text-12">{secret}</code>
        <CopyButton value={secret} label="Copy the key" />
      </div>
      <Field label="Code" error={problem?.message}>
        <Input name="code" inputMode="numeric" autoComplete="one-time-code" required maxLength={10} autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        Set up authenticator app
      </Button>
    </form>
  );
}

type PasskeySetupFormProps = { onAdded: (added: FactorAdded) => void };

export function PasskeySetupForm({ onAdded }: PasskeySetupFormProps) {
  const { run, busy, problem } = useAction(async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAdded(await setUpPasskey(String(new FormData(event.currentTarget).get("name"))));
  });
  return (
    <form method="post" onSubmit={run} className="flex flex-col gap-4">
      <p>Your browser asks for your fingerprint, face, screen lock or security key. A passkey also signs you in without a password.</p>
      <Field label="Name" hint="A name to recognise it by, such as Work laptop." error={problem?.message}>
        <Input name="name" required maxLength={80} autoFocus />
      </Field>
      <Button type="submit" variant="primary" size="lg" loading={busy}>
        Create passkey
      </Button>
    </form>
  );
}
