"use client";

import { KeyRound } from "lucide-react";
import { CreateKeyDialog } from "#components/settings/create-key-dialog";
import { Badge } from "#components/ui/badge";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { RelativeTime } from "#components/ui/relative-time";
import { Section } from "#components/ui/section";
import { Cell, HeadCell, Row, Table, TableBody, TableHead } from "#components/ui/table";
import { toast } from "#components/ui/toast";
import { useApiKeys, useRevokeApiKey } from "#lib/client/settings";
import type { ApiKey } from "#lib/contracts/settings";

/** The API keys that work: made, shown once, revoked. */
export function KeysPage() {
  const { data, error, isPending, refetch } = useApiKeys();
  return (
    <Section title="API keys" description="For programs: Authorization: Bearer sbx_… on /api/v1." actions={<CreateKeyDialog />}>
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
    <Table label="API keys">
      <TableHead>
        <HeadCell>Name</HeadCell>
        <HeadCell>Key</HeadCell>
        <HeadCell>Role</HeadCell>
        <HeadCell>Created</HeadCell>
        <HeadCell>Last used</HeadCell>
        <HeadCell align="right">
          <span className="sr-only">Actions</span>
        </HeadCell>
      </TableHead>
      <TableBody>
        {keys.map((key) => (
          <Row key={key.id}>
            <Cell className="font-medium">{key.name}</Cell>
            <Cell className="font-mono text-12 text-muted">{key.hint}</Cell>
            <Cell>
              <Badge>{key.role}</Badge>
            </Cell>
            <Cell className="text-muted">
              <RelativeTime at={key.createdAt} />
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
