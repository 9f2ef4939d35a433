import { type ReactNode, useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import type { SourceDialogName } from "#lib/client/format/resource-links";
import { useChangeSource } from "#lib/client/queries/sources";
import type { ChangeSourceBody, Source } from "#lib/contracts/sources/sources";

export type SourceFormProps = {
  error: Error | null;
  pending: boolean;
  onSubmit: (body: ChangeSourceBody) => void;
  onCancel: () => void;
};

/** Open also if the page's URL asks for it (`sourceHref`), which then ends with it. */
export function useLinkedDialog(isLinked: (query: URLSearchParams) => boolean) {
  const { query, change } = usePageQuery();
  const [opened, setOpened] = useState(false);
  const linked = isLinked(query);
  const setOpen = (next: boolean) => {
    setOpened(next);
    if (linked && !next) change({ open: null, source: null, sender: null }, "same");
  };
  return [opened || linked, setOpen] as const;
}

export const opensDialog = (query: URLSearchParams, { name }: Source, dialog: SourceDialogName): boolean =>
  query.get("source") === name && query.get("open") === dialog;

type SourceDialogProps = {
  source: Source;
  linkedAs?: SourceDialogName;
  title: string;
  icon: ReactNode;
  /** Label of the button; `title` is its accessible name. */
  action: string;
  saved: Parameters<typeof toast.success>;
  form: (props: SourceFormProps) => ReactNode;
};

export function SourceDialog({ source, linkedAs, title, icon, action, saved, form }: SourceDialogProps) {
  const [open, setOpen] = useLinkedDialog((query) => linkedAs !== undefined && opensDialog(query, source, linkedAs));
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
