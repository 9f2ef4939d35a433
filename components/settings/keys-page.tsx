"use client";

import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { FormDialog } from "#components/shell/form-dialog";
import { Field } from "#components/ui/form";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { ACTIONS, type Column, DataTable, textColumn } from "#components/ui/layout/data-table";
import { Section } from "#components/ui/layout/section";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Badge, StateBadge } from "#components/ui/primitives/badge";
import { Button, RowButton } from "#components/ui/primitives/button";
import { Input } from "#components/ui/primitives/input";
import { TextLink } from "#components/ui/primitives/page-link";
import { Select } from "#components/ui/primitives/select";
import { RelativeTime, useNow } from "#components/ui/relative-time";
import { SecretOnce } from "#components/ui/secrets";
import { useApiKeys, useCreateApiKey, useRevokeApiKey } from "#lib/client/queries/settings";
import type { ApiKey, Role } from "#lib/contracts/auth/settings";

export function KeysPage() {
  const { data, fallback } = withFallback(useApiKeys(), { what: "the API keys", rows: 3 });
  return (
    <Section
      title="API keys"
      description={
        <>
          API keys let programs use the API with the permissions of a role. See the <TextLink href="/api-reference">API reference</TextLink>
          .
        </>
      }
      actions={<CreateKeyDialog />}
    >
      {!data ? (
        fallback
      ) : data.length === 0 ? (
        <NothingYet icon={<KeyRound />} title="No API keys yet">
          An API key lets a program read events, re-deliver them and more, depending on its role.
        </NothingYet>
      ) : (
        <DataTable label="API keys" wide columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}

const COLUMNS: Column<ApiKey>[] = [
  textColumn("Name", ({ name }) => name, "w-full font-medium max-rail:max-w-44 max-rail:min-w-32"),
  { head: "Key", look: "font-mono text-12 text-muted", cell: ({ hint }) => `${hint}…` },
  { head: "Role", cell: ({ role }) => <Badge>{role}</Badge> },
  {
    head: "Created",
    look: "text-muted",
    title: ({ createdBy }) => (createdBy === null ? "Created at startup from INIT_API_KEY" : `Created by ${createdBy}`),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
  { head: "Expires", look: "text-muted", cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    head: "Last used",
    look: "text-muted",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : <RelativeTime at={lastUsedAt} />),
  },
  { ...ACTIONS, cell: (key) => <Revoke apiKey={key} /> },
];

const WEEK_MS = 7 * 86_400_000;

/** Shows the expiry as a state from a week before. */
function Expiry({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return "Never";
  const left = Date.parse(at) - now;
  if (left <= 0) return <StateBadge state="failed">Expired</StateBadge>;
  return left > WEEK_MS ? (
    <RelativeTime at={at} />
  ) : (
    <StateBadge state="attention">
      Expires <RelativeTime at={at} />
    </StateBadge>
  );
}

function Revoke({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const revoke = useRevokeApiKey(id);
  return (
    <ConfirmDialog
      trigger={<RowButton aria-label={`Revoke ${name}`}>Revoke</RowButton>}
      title={`Revoke ${name}?`}
      description="Programs that use it lose access immediately. This can't be undone."
      confirmLabel={`Revoke ${name}`}
      danger
      onConfirm={() => revoke.mutateAsync()}
      done={`Revoked ${name}`}
    />
  );
}

type KeyRole = Exclude<Role, "owner">;

const ROLES: { value: KeyRole; label: string; hint: string }[] = [
  { value: "viewer", label: "Viewer", hint: "can view everything, change nothing" },
  { value: "developer", label: "Developer", hint: "can also re-deliver, release and connect" },
  { value: "admin", label: "Admin", hint: "can also rotate secrets and create API keys" },
];

const DAY_MS = 86_400_000;
const LIFETIMES = [
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "1 year" },
  { value: "none", label: "No expiry", hint: "not recommended for unattended programs" },
];

const expiryOf = (days: string): string | null => (days === "none" ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString());

function CreateKeyDialog() {
  const [role, setRole] = useState<KeyRole>("viewer");
  const [lifetime, setLifetime] = useState("90");
  const create = useCreateApiKey();
  const created = create.data;
  return (
    <FormDialog
      onClose={create.reset}
      title={created ? `API key ${created.name}` : "Create API key"}
      trigger={
        <Button variant="primary" icon={<Plus />}>
          Create API key
        </Button>
      }
      command="Create API key"
      failed="Couldn't create the key"
      submitLabel="Create key"
      onSubmit={(fields) => create.mutateAsync({ name: String(fields.get("name")).trim(), role, expiresAt: expiryOf(lifetime) })}
      made={created ? <SecretOnce secret={created.key} what="key" /> : null}
    >
      <Field name="name" label="Name" hint="What uses it, e.g. “nightly export”.">
        <Input name="name" required maxLength={80} autoFocus />
      </Field>
      <Field name="role" label="Role">
        <Select options={ROLES} value={role} onValueChange={(value) => setRole(value as KeyRole)} />
      </Field>
      <Field name="expiresAt" label="Expires after">
        <Select options={LIFETIMES} value={lifetime} onValueChange={setLifetime} />
      </Field>
    </FormDialog>
  );
}
