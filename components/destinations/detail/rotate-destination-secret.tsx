"use client";

import { useState } from "react";
import { SecretOnce, secretCloses } from "#components/ui/feedback/secret-once";
import { Field } from "#components/ui/forms/field";
import { Form, FormButtons } from "#components/ui/forms/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useRotateDestinationSecret } from "#lib/client/queries/forwarding/destinations";
import type { Destination } from "#lib/contracts/forwarding/destinations";

const OVERLAPS = [
  { value: "24", label: "24 hours", hint: "time to update your application" },
  { value: "1", label: "1 hour" },
  { value: "168", label: "7 days" },
  { value: "0", label: "None", hint: "the old secret leaked: stop signing with it now" },
];

/** Shows the new secret once. Until the overlap ends, requests carry both signatures. */
export function RotateDestinationSecretDialog({ destination: { id, name }, onClose }: { destination: Destination; onClose: () => void }) {
  const [overlap, setOverlap] = useState("24");
  const rotate = useRotateDestinationSecret(id);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      closes={secretCloses(rotate.isPending, rotate.data?.secret)}
      title={rotate.data ? `New secret for ${name}` : `Rotate secret for ${name}`}
    >
      {rotate.data ? (
        <div className="flex flex-col gap-4">
          <SecretOnce secret={rotate.data.secret} what="secret" />
          {rotate.data.previousValidUntil === null ? null : (
            <p className="text-13 text-muted">
              Set it in your application. Requests also carry the old secret's signature until{" "}
              <RelativeTime at={rotate.data.previousValidUntil} />.
            </p>
          )}
          <Button className="self-end" variant="primary" onClick={onClose}>
            I've copied it
          </Button>
        </div>
      ) : (
        <Form failed="Couldn't rotate the secret" error={rotate.error} onSubmit={() => rotate.mutate(Number(overlap))}>
          <Field name="overlapHours" label="Sign with the old secret for" hint="Until then, each request carries the signatures of both.">
            <Select options={OVERLAPS} value={overlap} onValueChange={setOverlap} />
          </Field>
          <FormButtons submitLabel="Generate secret" pending={rotate.isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}
