import { type ComponentType, type ReactNode, useState } from "react";
import { toast } from "#components/ui/feedback/toast";
import { usePageQuery } from "#components/ui/lists/use-page-query";
import { overlay } from "#components/ui/overlay/overlay";
import { Button } from "#components/ui/primitives/button";
import { useWindowAction } from "#components/ui/primitives/use-action";
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

type SourceWindowProps = { title: string; form: SourceFormProps & { source: Source } };

/** Makes the window of a form. Its code loads with the form's when pointer or focus reach the button: it never opens empty. */
export const sourceWindow = (loadForm: () => Promise<ComponentType<SourceWindowProps["form"]>>) =>
  overlay<SourceWindowProps>("dialog", async () => {
    const [{ DialogPane }, SourceForm] = await Promise.all([import("#components/ui/overlay/panes/dialog-pane"), loadForm()]);
    return ({ form, ...pane }) => (
      <DialogPane {...pane}>
        <SourceForm {...form} />
      </DialogPane>
    );
  });

type SourceDialogProps = {
  source: Source;
  Window: ReturnType<typeof sourceWindow>;
  linkedAs?: SourceDialogName;
  title: string;
  icon: ReactNode;
  /** Label of the button; `title` is its accessible name. */
  action: string;
  saved: Parameters<typeof toast.success>;
};

export function SourceDialog({ source, Window, linkedAs, title, icon, action, saved }: SourceDialogProps) {
  const [open, setOpen] = useLinkedDialog((query) => linkedAs !== undefined && opensDialog(query, source, linkedAs));
  const change = useChangeSource(source.id);
  const save = async (body: ChangeSourceBody) => {
    await change.mutateAsync(body);
    toast.success(...saved);
  };
  const { run, busy, problem, change: show } = useWindowAction(`Couldn't save ${source.name}`, save, setOpen);
  return (
    <Window
      open={open}
      onOpenChange={show}
      title={title}
      form={{ source, error: problem, pending: busy, onCancel: () => show(false), onSubmit: run }}
      trigger={
        <Button size="sm" variant="ghost" icon={icon} aria-label={title}>
          {action}
        </Button>
      }
    />
  );
}
