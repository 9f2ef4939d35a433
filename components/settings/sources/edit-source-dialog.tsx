"use client";

import { Pencil } from "lucide-react";
import { useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useChangeSource } from "#lib/client/queries/sources/sources";
import type { Source } from "#lib/contracts/sources/sources";

const EditSourceForm = lazyComponent(() => import("./edit-source-form.tsx").then((module) => module.EditSourceForm));

/** Changes how another sender's requests are verified and read. */
export function EditSourceDialog({ source }: { source: Source }) {
  const [open, setOpen] = useState(false);
  const change = useChangeSource(source.id);
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={`Edit ${source.name}`}
      trigger={
        <Button size="sm" variant="ghost" icon={<Pencil aria-hidden />} aria-label={`Edit ${source.name}`}>
          Edit
        </Button>
      }
    >
      <EditSourceForm
        source={source}
        error={change.error}
        pending={change.isPending}
        onCancel={() => setOpen(false)}
        onSubmit={(body) =>
          change.mutate(body, {
            onSuccess: () => {
              setOpen(false);
              toast.success(`Saved ${source.name}`, { description: "Requests are verified and read this way from now on." });
            },
          })
        }
      />
    </Dialog>
  );
}
