"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { useGiveSecret } from "#lib/client/queries/sandbox";

const MIN_LENGTH = 8;

export function SigningSecretForm() {
  const [secret, setSecret] = useState("");
  const saving = useGiveSecret();
  function save() {
    saving.mutate(secret.trim(), {
      onSuccess: () => {
        setSecret("");
        toast.success("The sandbox now signs with the new secret");
      },
      onError: (error) => toast.error("Couldn't change the signing secret", { description: error.message }),
    });
  }
  return (
    <Panel>
      <PanelHeader title="Signing secret" />
      <PanelBody className="flex flex-col gap-4">
        <Field
          label="Sign webhooks with"
          hint="After rotating the secret in Settings, paste the new one here, as you would on the platform."
        >
          <Input type="password" autoComplete="off" value={secret} onChange={(event) => setSecret(event.target.value)} />
        </Field>
        <Button
          icon={<KeyRound aria-hidden />}
          loading={saving.isPending}
          disabled={secret.trim().length < MIN_LENGTH}
          onClick={save}
          className="self-start"
        >
          Use this secret
        </Button>
      </PanelBody>
    </Panel>
  );
}
