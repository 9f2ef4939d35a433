"use client";

import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { ResourceId } from "#components/records/resource-id";
import { FormDialog } from "#components/shell/form-dialog";
import { THEMES } from "#components/shell/themes";
import { toast } from "#components/ui/feedback/toast";
import { Field } from "#components/ui/form";
import { type KeyValue, KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { cn } from "#components/ui/primitives/cn";
import { Input } from "#components/ui/primitives/input";
import { useHydrated } from "#components/ui/primitives/use-hydrated";
import { RelativeTime } from "#components/ui/relative-time";
import { renameWorkspace } from "#lib/client/queries/account";

type WorkspaceSettingsProps = { id: string; settings: { name: string }; you: KeyValue; canManage: boolean };

/** What is set for the workspace, each with its control. */
export function WorkspaceSettings({ id, settings: { name }, you, canManage }: WorkspaceSettingsProps) {
  return (
    <Section title="Workspace" actions={canManage ? <RenameWorkspace name={name} /> : undefined}>
      <KeyValueList items={[{ label: "Name", value: name }, { label: "ID", value: <ResourceId id={id} whole /> }, you]} />
    </Section>
  );
}

function RenameWorkspace({ name }: { name: string }) {
  const router = useRouter();
  return (
    <FormDialog
      title="Rename workspace"
      trigger={<Button size="sm">Rename</Button>}
      failed="Couldn't rename the workspace"
      submitLabel="Rename workspace"
      onSubmit={async (fields) => {
        await renameWorkspace(String(fields.get("name")).trim());
        toast.success("Workspace renamed");
        router.refresh();
      }}
    >
      <Field name="name" label="Name">
        <Input name="name" required maxLength={120} defaultValue={name} autoFocus />
      </Field>
    </FormDialog>
  );
}

export const LastBackup = ({ at }: { at: string | null }) => (at === null ? "None yet" : <RelativeTime at={at} />);

export function ThemePicker() {
  const { theme, setTheme } = useTheme();
  // The server doesn't know the choice, so nothing is marked until the page is hydrated.
  const known = useHydrated();
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
