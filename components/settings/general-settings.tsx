"use client";

import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useState, useSyncExternalStore } from "react";
import { THEMES } from "#components/shell/themes";
import { toast } from "#components/ui/feedback/toast";
import { Field, Form, FormButtons } from "#components/ui/form";
import { Dialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { Input } from "#components/ui/primitives/input";
import { useAction } from "#components/ui/primitives/use-action";
import { RelativeTime } from "#components/ui/relative-time";
import { renameWorkspace } from "#lib/client/queries/account";

export function RenameWorkspace({ name }: { name: string }) {
  const [open, setOpen] = useState(false);
  const router = useRouter();
  const { run, busy, problem } = useAction(async (fields: FormData) => {
    await renameWorkspace(String(fields.get("name")).trim());
    setOpen(false);
    toast.success("Workspace renamed");
    router.refresh();
  });
  return (
    <Dialog open={open} onOpenChange={setOpen} title="Rename workspace" trigger={<Button size="sm">Rename</Button>}>
      <Form failed="Couldn't rename the workspace" error={problem} onSubmit={run}>
        <Field name="name" label="Name">
          <Input name="name" required maxLength={120} defaultValue={name} autoFocus />
        </Field>
        <FormButtons submitLabel="Rename workspace" pending={busy} onCancel={() => setOpen(false)} />
      </Form>
    </Dialog>
  );
}

export const LastBackup = ({ at }: { at: string | null }) => (at === null ? "None yet" : <RelativeTime at={at} />);

const never = () => () => {};

export function ThemePicker() {
  const { theme, setTheme } = useTheme();
  // The server doesn't know the choice, so nothing is marked until the page is hydrated.
  const known = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, icon }) => (
        <label
          key={value}
          className={cn(
            "flex h-9 items-center gap-2 rounded-md border border-line-strong px-3 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-focus [&>svg]:size-4",
            known && theme === value && "border-accent bg-selected",
          )}
        >
          <input
            type="radio"
            name="theme"
            value={value}
            checked={known && theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          {icon}
          {label}
        </label>
      ))}
    </fieldset>
  );
}
