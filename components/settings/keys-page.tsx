"use client";

import { KeyRound } from "lucide-react";
import { CreateKeyDialog } from "#components/settings/create-key-dialog";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { useNow } from "#components/ui/clock";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { StateBadge } from "#components/ui/state-badge";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { TextLink } from "#components/ui/text-link";
import { toast } from "#components/ui/toast";
import { useApiKeys, useRevokeApiKey } from "#lib/client/settings";
import type { ApiKey } from "#lib/contracts/settings";

/** The API keys that work: made, shown once, revoked. */
export function KeysPage() {
  const { data, error, isPending, refetch } = useApiKeys();
  return (
    <Section
      title="API keys"
      description={
        <>
          For programs. A key does what its role may, on all of the API: see the <TextLink href="/api-reference">API reference</TextLink>.
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
          A key lets a program read the log, re-deliver and more, as far as its role goes.
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
        <HeadCell>Ends</HeadCell>
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
              title={key.createdBy === null ? "Made at the start, from INIT_API_KEY" : `Made by ${key.createdBy}`}
            >
              <RelativeTime at={key.createdAt} />
            </Cell>
            <Cell className="text-muted">
              <Ends at={key.expiresAt} />
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

/** When it stops working; a week before, and after, that is a state to see. */
function Ends({ at }: { at: string | null }) {
  const now = useNow();
  if (at === null) return "Never";
  const left = Date.parse(at) - now;
  if (left <= 0) return <StateBadge state="failed">Expired</StateBadge>;
  return left > WEEK_MS ? (
    <RelativeTime at={at} />
  ) : (
    <StateBadge state="attention">
      Ends <RelativeTime at={at} />
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
      description="Programs that use it are refused at once. This can't be taken back."
      confirmLabel={`Revoke ${name}`}
      danger
      onConfirm={async () => {
        await revoke.mutateAsync(id);
        toast.success(`Revoked ${name}`);
      }}
    />
  );
}
