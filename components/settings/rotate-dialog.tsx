"use client";

import { RotateCw } from "lucide-react";
import { useState } from "react";
import { SecretOnce } from "#components/settings/secret-once";
import { Button } from "#components/ui/button";
import { Dialog } from "#components/ui/dialog";
import { Field } from "#components/ui/field";
import { ProblemNotice } from "#components/ui/problem-notice";
import { RelativeTime } from "#components/ui/relative-time";
import { Select } from "#components/ui/select";
import { useRotateSecret } from "#lib/client/settings";
import type { Source } from "#lib/contracts/settings";

const OVERLAPS = [
  { value: "24", label: "24 hours", hint: "time to change it at the platform" },
  { value: "1", label: "1 hour" },
  { value: "168", label: "7 days" },
  { value: "0", label: "None", hint: "the old secret leaked: refuse it at once" },
];

/** Makes a new signing secret and shows it once; the old one goes on for the overlap. */
export function RotateDialog({ source }: { source: Source }) {
  const [open, setOpen] = useState(false);
  const [overlap, setOverlap] = useState("24");
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
            <SecretOnce secret={made.secret} what="the secret" />
            {made.previousValidUntil === null ? null : (
              <p className="text-muted">
                Set it at the platform. The old secret stops working <RelativeTime at={made.previousValidUntil} />.
              </p>
            )}
            <Button className="self-end" variant="primary" onClick={() => change(false)}>
              I have copied it
            </Button>
          </>
        ) : (
          <>
            {rotate.error ? <ProblemNotice announce what="The secret was not rotated" why={rotate.error.message} /> : null}
            <Field label="Accept the old secret for" hint="Webhooks signed with either secret are accepted meanwhile.">
              <Select options={OVERLAPS} value={overlap} onValueChange={setOverlap} />
            </Field>
            <div className="flex justify-end gap-2">
              <Button onClick={() => change(false)}>Cancel</Button>
              <Button variant="primary" loading={rotate.isPending} onClick={() => rotate.mutate(Number(overlap))}>
                Make a new secret
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
