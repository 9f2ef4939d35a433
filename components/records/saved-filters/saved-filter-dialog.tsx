"use client";

import { Trash2 } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { ProblemNotice } from "#components/ui/feedback/problem-notice";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/forms/field";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { Switch } from "#components/ui/primitives/switch";
import { useChangeSavedFilter } from "#lib/client/saved-filters/queries";
import type { SavedFilter } from "#lib/contracts/saved-filters/saved-filters";

type SavedFilterDialogProps = {
  page: SavedFilter["page"];
  parameters: SavedFilter["filter"];
  /** The one that is changed; without one a new one is saved. */
  saved: SavedFilter | undefined;
  mayShare: boolean;
  onClose: () => void;
};

/** Names a filter, shares it with the workspace, or deletes it. */
export function SavedFilterDialog({ page, parameters, saved, mayShare, onClose }: SavedFilterDialogProps) {
  const form = useId();
  const [shared, setShared] = useState(saved?.shared ?? false);
  const change = useChangeSavedFilter();
  const done = (words: string) => ({
    onSuccess: () => {
      toast.success(words);
      onClose();
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name"));
    change.mutate(
      saved ? { id: saved.id, change: { name, shared } } : { create: { name, page, filter: parameters, shared } },
      done(saved ? "Saved filter changed" : "Filter saved"),
    );
  }
  const remove = () => saved && change.mutate({ remove: saved.id }, done("Saved filter deleted"));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={saved ? "Edit saved filter" : "Save filter"}
      description="It appears in the navigation, under Saved filters."
      footer={
        <>
          {saved ? (
            <Button icon={<Trash2 aria-hidden />} className="mr-auto" onClick={remove}>
              Delete
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" loading={change.isPending}>
            {saved ? "Save changes" : "Save filter"}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {change.isError ? <ProblemNotice announce what="Couldn't save the filter" why={change.error.message} /> : null}
        <Field label="Name">
          <Input name="name" required maxLength={80} defaultValue={saved?.name ?? ""} autoFocus placeholder="e.g. Failed today" />
        </Field>
        {mayShare && (saved === undefined || saved.own || !saved.shared) ? (
          <Switch checked={shared} onCheckedChange={setShared}>
            Share with everyone in the workspace
          </Switch>
        ) : null}
      </form>
    </Dialog>
  );
}
