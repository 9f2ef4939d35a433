"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button";
import { Field } from "#components/ui/field";
import { Input } from "#components/ui/input";
import { Panel, PanelBody, PanelHeader } from "#components/ui/panel";
import { toast } from "#components/ui/toast";
import { useGiveSecret } from "#lib/client/sandbox";

const SHORTEST = 8;

/** Where a person would paste a new signing secret at the real platform. */
export function SigningSecretForm() {
  const [secret, setSecret] = useState("");
  const giving = useGiveSecret();
  function give() {
    giving.mutate(secret.trim(), {
      onSuccess: () => {
        setSecret("");
        toast.success("The platform signs with the new secret from now on");
      },
      onError: (error) => toast.error("The platform keeps its old secret", { description: error.message }),
    });
  }
  return (
    <Panel>
      <PanelHeader title="Signing secret" />
      <PanelBody className="flex flex-col gap-4">
        <Field label="Sign webhooks with" hint="After a rotation in Settings: paste the new secret here, as you would at the platform.">
          <Input type="password" autoComplete="off" value={secret} onChange={(event) => setSecret(event.target.value)} />
        </Field>
        <Button
          icon={<KeyRound aria-hidden />}
          loading={giving.isPending}
          disabled={secret.trim().length < SHORTEST}
          onClick={give}
          className="self-start"
        >
          Use this secret
        </Button>
      </PanelBody>
    </Panel>
  );
}
