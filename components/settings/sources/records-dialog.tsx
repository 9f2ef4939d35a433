"use client";

import { Shapes } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useChangeSource } from "#lib/client/queries/sources/sources";
import type { Source } from "#lib/contracts/sources/sources";

const RecordsForm = lazyComponent(() => import("./records-form.tsx").then((module) => module.RecordsForm));

/** Says what records the events of another sender become. */
export function RecordsDialog({ source }: { source: Source }) {
  const [open, setOpen] = useState(false);
  const change = useChangeSource(source.id);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Records of ${source.name}`}
      trigger={
        <Button size="sm" variant="ghost" icon={<Shapes aria-hidden />} aria-label={`Records of ${source.name}`}>
          Records
        </Button>
      }
    >
      <RecordsForm
        record={source.record}
        error={change.error}
        pending={change.isPending}
        onCancel={() => setOpen(false)}
        onSubmit={(body) =>
          change.mutate(body, {
            onSuccess: () => {
              setOpen(false);
              toast.success("Saved. Records are being rebuilt");
            },
          })
        }
      />
    </Dialog>
  );
}
