"use client";

import { KeyRound } from "lucide-react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { SecretOnce } from "#components/ui/feedback/secret-once";
import { toast } from "#components/ui/feedback/toast";
import { TextLink } from "#components/ui/layout/text-link";
import { Button } from "#components/ui/primitives/button";
import { useRotateSecret } from "#lib/client/queries/auth/settings";
import { useGiveSecret } from "#lib/client/queries/sandbox";

/** Time for which the previous secret still verifies, so that a platform that has only that one keeps working. Hours. */
const OVERLAP_HOURS = 24;

type Props = { sourceId: string; canRotate: boolean; inSandbox: boolean };

export function SigningSecret({ sourceId, canRotate, inSandbox }: Props) {
  const rotate = useRotateSecret(sourceId);
  const give = useGiveSecret();
  const secret = rotate.data?.secret ?? null;
  const generate = () =>
    rotate.mutate(
      { overlapHours: OVERLAP_HOURS },
      {
        onSuccess: ({ secret: made }) => {
          if (!inSandbox || made === null) return;
          const onError = (error: Error) => toast.error("The sandbox still signs with the old secret", { description: error.message });
          give.mutate(made, { onError });
        },
      },
    );
  if (!canRotate) {
    return (
      <p>
        Ask an owner or admin for the signing secret: they generate it under{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
    );
  }
  if (secret !== null) {
    return (
      <SecretOnce
        secret={secret}
        what="secret"
        keep={
          inSandbox
            ? "The sandbox signs with it already. The code below reads it from WEBHOOK_SECRET."
            : "Copy it to the platform. The code below reads it from WEBHOOK_SECRET."
        }
      />
    );
  }
  return (
    <div className="flex flex-col items-start gap-2">
      {rotate.error ? (
        <ProblemNotice announce what="Couldn't generate a secret" why={rotate.error.message} className="self-stretch" />
      ) : null}
      <p>
        Generate a signing secret and copy it to the platform. If the platform issues one, enter it under{" "}
        <TextLink href="/settings/sources">Sources and secrets</TextLink>.
      </p>
      <Button size="sm" icon={<KeyRound aria-hidden />} loading={rotate.isPending} onClick={generate}>
        Generate signing secret
      </Button>
    </div>
  );
}
