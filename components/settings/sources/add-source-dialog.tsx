"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useCommands } from "#components/shell/palette/commands";
import { secretCloses } from "#components/ui/feedback/secret-once";
import { ErrorState, LoadingState } from "#components/ui/layout/empty-state";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useCreateSource, useSourceTemplates } from "#lib/client/queries/sources/sources";
import { AddSourceForm } from "./add-source-form.tsx";
import { AddedSource, UnknownSource } from "./added-source.tsx";

export function AddSourceDialog() {
  const [open, setOpen] = useState(false);
  const { data: templates, error, refetch } = useSourceTemplates(open);
  const create = useCreateSource();
  useCommands([{ label: "Add source", run: () => setOpen(true) }]);
  function change(next: boolean) {
    setOpen(next);
    if (!next) create.reset();
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      closes={secretCloses(create.isPending, create.data?.secret)}
      title={create.data ? `Added ${create.data.name}` : "Add source"}
      trigger={
        <Button size="sm" variant="primary" icon={<Plus aria-hidden />}>
          Add source
        </Button>
      }
    >
      {create.data ? (
        create.data.template === "unknown" ? (
          <UnknownSource created={create.data} onClose={() => change(false)} />
        ) : (
          <AddedSource created={create.data} onClose={() => change(false)} />
        )
      ) : !templates ? (
        error === null ? (
          <LoadingState what="the senders" rows={3} />
        ) : (
          <ErrorState what="the senders" error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <AddSourceForm
          templates={templates}
          error={create.error}
          pending={create.isPending}
          onSubmit={(body) => create.mutate(body)}
          onCancel={() => change(false)}
        />
      )}
    </Dialog>
  );
}
