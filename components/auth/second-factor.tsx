"use client";

import { type FormEvent, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { Field } from "#components/ui/form";
import { Button } from "#components/ui/primitives/button";
import { Checkbox } from "#components/ui/primitives/checkbox";
import { Input } from "#components/ui/primitives/input";
import { leaveFor, useAction } from "#components/ui/primitives/use-action";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { usePasskeys } from "#lib/client/passkeys";
import { proveCode, provePasskey } from "#lib/client/queries/factors";
import { AddFactor } from "./factors/add-factor.tsx";

type Kind = "totp" | "passkey" | "recovery_code";
type ProveFormProps = { returnTo: string; kinds: Kind[] };

const LABELS: Record<Kind, string> = {
  totp: "Use the authenticator app",
  passkey: "Use a passkey",
  recovery_code: "Use a recovery code",
};

export function ProveForm({ returnTo, kinds }: ProveFormProps) {
  const passkeys = usePasskeys();
  const offered = kinds.filter((each) => each !== "passkey" || passkeys);
  const [chosen, setChosen] = useState<Kind | null>(null);
  const kind = chosen ?? offered[0] ?? "recovery_code";
  const [remember, setRemember] = useState(false);
  const hydrated = useHydrated();

  const { run, busy, problem } = useAction(async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code") ?? "");
    await (kind === "passkey" ? provePasskey(remember) : proveCode(kind, code, remember));
    await leaveFor(returnTo);
  });

  return (
    <form method="post" onSubmit={run} className="flex flex-col gap-4">
      {problem === null ? null : <ProblemNotice announce what={problem.message} />}
      {kind === "passkey" ? (
        <p>Your browser asks for your fingerprint, face, screen lock or security key.</p>
      ) : (
        <Field
          key={kind}
          label={kind === "totp" ? "Code" : "Recovery code"}
          hint={kind === "totp" ? "From your authenticator app." : "Each code works once."}
        >
          <Input
            name="code"
            required
            autoFocus
            autoComplete={kind === "totp" ? "one-time-code" : "off"}
            {...(kind === "totp" && { inputMode: "numeric" as const })}
            maxLength={100}
            className="h-10 text-14"
          />
        </Field>
      )}
      <Checkbox checked={remember} onCheckedChange={setRemember}>
        Don't ask in this browser for 30 days
      </Checkbox>
      <Button type="submit" variant="primary" size="lg" loading={busy} disabled={!hydrated}>
        {kind === "passkey" ? "Continue with a passkey" : "Verify code"}
      </Button>
      {[...offered, "recovery_code" as const]
        .filter((other) => other !== kind)
        .map((other) => (
          <Button key={other} size="lg" disabled={!hydrated || busy} onClick={() => setChosen(other)}>
            {LABELS[other]}
          </Button>
        ))}
    </form>
  );
}

export function RequiredSetUp({ returnTo }: { returnTo: string }) {
  return <AddFactor offersTotp onDone={() => location.assign(returnTo)} />;
}

export function UseAnotherAccount() {
  const hydrated = useHydrated();
  return (
    <Button
      variant="ghost"
      size="lg"
      className="mt-4 w-full"
      disabled={!hydrated}
      onClick={() => void import("next-auth/react").then(({ signOut }) => signOut({ callbackUrl: "/sign-in" }))}
    >
      Use another account
    </Button>
  );
}
