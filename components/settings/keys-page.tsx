"use client";

import { KeyRound } from "lucide-react";
import { StateBadge } from "#components/records/badges/state-badge";
import { CreateKeyDialog } from "#components/settings/create-key-dialog";
import { toast } from "#components/ui/feedback/toast";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { Section } from "#components/ui/layout/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/layout/table";
import { TextLink } from "#components/ui/layout/text-link";
import { ConfirmDialog } from "#components/ui/overlay/confirm-dialog";
import { Badge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { useNow } from "#components/ui/time/clock";
import { RelativeTime } from "#components/ui/time/relative-time";
import { useApiKeys, useRevokeApiKey } from "#lib/client/queries/auth/settings";
import type { ApiKey } from "#lib/contracts/auth/settings";

export function KeysPage() {
  const { data, error, isPending, refetch } = useApiKeys();
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
      {isPending ? (
        <LoadingState what="the API keys" rows={3} />
      ) : !data ? (
        <ErrorState what="the API keys" error={error} onRetry={() => void refetch()} />
      ) : data.length === 0 ? (
        <NothingYet icon={<KeyRound aria-hidden />} title="No API keys yet">
          An API key lets a program read events, re-deliver them and more, depending on its role.
        </NothingYet>
      ) : (
        <KeyTable keys={data} />
      )}
    </Section>
  );
}

function KeyTable({ keys }: { keys: ApiKey[] }) {
  return (
    <Table label="API keys" wide>
      <TableHead>
        <HeadCell>Name</HeadCell>
        <HeadCell>Key</HeadCell>
        <HeadCell>Role</HeadCell>
        <HeadCell>Created</HeadCell>
        <HeadCell>Expires</HeadCell>
        <HeadCell>Last used</HeadCell>
        <HeadCell align="right">
          <span className="sr-only">Actions</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {keys.map((key) => (
          <Row key={key.id}>
            <Cell className="w-full max-w-0 truncate font-medium max-rail:max-w-44 max-rail:min-w-32" title={key.name}>
              {key.name}
            </Cell>
            <Cell className="font-mono text-12 text-muted">{key.hint}…</Cell>
            <Cell>
              <Badge>{key.role}</Badge>
            </Cell>
            <Cell
              className="text-muted"
              title={key.createdBy === null ? "Created at startup from INIT_API_KEY" : `Created by ${key.createdBy}`}
            >
              <RelativeTime at={key.createdAt} />
            </Cell>
            <Cell className="text-muted">
              <Expiry at={key.expiresAt} />
            </Cell>
            <Cell className="text-muted">{key.lastUsedAt === null ? "Never" : <RelativeTime at={key.lastUsedAt} />}</Cell>
            <Cell align="right">
              <Revoke apiKey={key} />
            </Cell>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

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
  const revoke = useRevokeApiKey();
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
      title={`Revoke ${name}?`}
      description="Programs that use it lose access immediately. This can't be undone."
      confirmLabel={`Revoke ${name}`}
      danger
      onConfirm={async () => {
        await revoke.mutateAsync(id);
        toast.success(`Revoked ${name}`);
      }}
    />
  );
}
