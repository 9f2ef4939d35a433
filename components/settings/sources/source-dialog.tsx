import { type ReactNode, useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useChangeSource } from "#lib/client/queries/sources";
import type { ChangeSourceBody, Source } from "#lib/contracts/sources/sources";

export type SourceFormProps = {
  error: Error | null;
  pending: boolean;
  onSubmit: (body: ChangeSourceBody) => void;
  onCancel: () => void;
};

type SourceDialogProps = {
  source: Source;
  title: string;
  icon: ReactNode;
  /** Label of the button; `title` is its accessible name. */
  action: string;
  saved: Parameters<typeof toast.success>;
  form: (props: SourceFormProps) => ReactNode;
};

export function SourceDialog({ source, title, icon, action, saved, form }: SourceDialogProps) {
  const [open, setOpen] = useState(false);
  const change = useChangeSource(source.id);
  const onSubmit = (body: ChangeSourceBody) =>
    change.mutate(body, {
      onSuccess: () => {
        setOpen(false);
        toast.success(...saved);
      },
    });
  return (
    <Dialog
      open={open}
      onOpenChange={setOpen}
      title={title}
      trigger={
        <Button size="sm" variant="ghost" icon={icon} aria-label={title}>
          {action}
        </Button>
      }
    >
      {form({ error: change.error, pending: change.isPending, onCancel: () => setOpen(false), onSubmit })}
    </Dialog>
  );
}
