"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { SecretOnce, secretCloses } from "#components/ui/feedback/secret-once";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useRotateSecret } from "#lib/client/queries/auth/settings";
import type { Source } from "#lib/contracts/sources/sources";
import { SENDER_ISSUES } from "#lib/contracts/sources/templates";
import { RotateForm } from "./rotate-form.tsx";

type RotateDialogProps = {
  source: Source;
  /** True if the workspace has only this source: the palette's command then doesn't name it. */
  alone: boolean;
};

/** Shows a generated secret once. The old one stays valid until the overlap ends. */
export function RotateDialog({ source, alone }: RotateDialogProps) {
  const [open, setOpen] = useState(false);
  const rotate = useRotateSecret(source.id);
  useCommands([{ label: alone ? "Rotate signing secret" : `Rotate secret of ${source.name}`, run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) rotate.reset();
  }
  const created = rotate.data;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(rotate.isPending, created?.secret)}
      title={created ? `New secret for ${source.name}` : `Rotate secret for ${source.name}`}
      trigger={
        <Button size="sm" icon={<RotateCw aria-hidden />}>
          Rotate secret
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        {created ? (
          <>
            {created.secret === null ? <p>Webhooks signed with the secret you entered are now accepted.</p> : null}
            {created.secret === null ? null : <SecretOnce secret={created.secret} what="secret" />}
            {created.previousValidUntil === null ? null : (
              <p className="text-muted">
                {created.secret === null ? "" : "Copy it to the platform. "}The old secret stops working{" "}
                <RelativeTime at={created.previousValidUntil} />.
              </p>
            )}
            <Button className="self-end" variant="primary" onClick={() => change(false)}>
              {created.secret === null ? "Done" : "I've copied it"}
            </Button>
          </>
        ) : (
          <RotateForm
            issued={SENDER_ISSUES.has(source.template)}
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
