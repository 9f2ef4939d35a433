"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { RotateForm } from "#components/settings/rotate-form";
import { SecretOnce } from "#components/settings/secret-once";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { RelativeTime } from "#components/ui/relative-time";
import { useRotateSecret } from "#lib/client/settings";
import type { Source } from "#lib/contracts/settings";

/** Gives the source a new signing secret, made and shown once or the platform's own; the old one goes on for the overlap. */
export function RotateDialog({ source }: { source: Source }) {
  const [open, setOpen] = useState(false);
  const rotate = useRotateSecret(source.id);
  function change(next: boolean) {
    setOpen(next);
    if (!next) rotate.reset();
  }
  const made = rotate.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      title={made ? `The new secret of ${source.name}` : `Rotate the secret of ${source.name}`}
      trigger={
        <Button size="sm" icon={<RotateCw aria-hidden />}>
          Rotate the secret
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {made ? (
          <>
            {made.secret === null ? <p>Webhooks signed with the secret that you gave are accepted now.</p> : null}
            {made.secret === null ? null : <SecretOnce secret={made.secret} what="the secret" />}
            {made.previousValidUntil === null ? null : (
              <p className="text-muted">
                {made.secret === null ? "" : "Set it at the platform. "}The old secret stops working{" "}
                <RelativeTime at={made.previousValidUntil} />.
              </p>
            )}
            <Button className="self-end" variant="primary" onClick={() => change(false)}>
              {made.secret === null ? "Done" : "I have copied it"}
            </Button>
          </>
        ) : (
          <RotateForm
            error={rotate.error}
            pending={rotate.isPending}
            onSubmit={(body) => rotate.mutate(body)}
            onCancel={() => change(false)}
          />
        )}
      </div>
    </Dialog>
  );
}
