"use client";

import { Archive } from "lucide-react";
import { BackupHistory } from "#components/settings/backups/backup-history";
import { BackupProgress } from "#components/settings/backups/backup-progress";
import { Banner } from "#components/ui/feedback/banner";
import { toast } from "#components/ui/feedback/toast";
import { CodeBlock } from "#components/ui/json/code-block";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/layout/empty-state";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Section } from "#components/ui/layout/section";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/time/relative-time";
import { isBackupUnderWay, useBackups, useStartBackup } from "#lib/client/queries/backups";
import type { BackupList, BackupStatus } from "#lib/contracts/backups";
import { countWords } from "#lib/contracts/counts/format-count";

type BackupsPageProps = {
  /** The command that makes a backup on the server. */
  command: string;
};

export function BackupsPage({ command }: BackupsPageProps) {
  const { data, error, isPending, refetch } = useBackups();
  return (
    <Section
      title="Backups"
      description="A backup contains the whole database, with all workspaces, at one point in time. Webhooks are received in the meantime."
    >
      {isPending ? (
        <LoadingState what="backups" rows={4} />
      ) : !data ? (
        <ErrorState what="backups" error={error} onRetry={() => void refetch()} />
      ) : (
        <Backups list={data} command={command} />
      )}
    </Section>
  );
}

function Backups({ list: { data, status }, command }: BackupsPageProps & { list: BackupList }) {
  const running = data.find(isBackupUnderWay);
  const ended = data.filter((backup) => !isBackupUnderWay(backup));
  return (
    <div className="flex flex-col gap-6">
      {status.overdue ? (
        <Banner tone="attention">
          {status.lastGoodAt === null ? "There is no backup yet" : "The last good backup is older than the schedule allows"}. Check that a
          worker runs and can write to <code>BACKUP_DIR</code> and <code>BACKUP_S3_URL</code>, where they are set.
        </Banner>
      ) : null}
      {status.missing > 0 ? (
        <Banner tone="attention">
          {status.missing} of the newest backups can no longer be found in <code>BACKUP_DIR</code>. Check that its volume is mounted, and
          bring the files back.
        </Banner>
      ) : null}
      {status.storeOverdue && !status.overdue ? (
        <Banner tone="attention">
          Backups are not reaching the store. The files in <code>BACKUP_DIR</code> are good; the latest one is sent again every hour. Below
          is why it failed.
        </Banner>
      ) : null}
      {status.proof?.failure ? (
        <Banner tone="attention">The newest stored backup could not be restored: {status.proof.failure} Create a new one.</Banner>
      ) : null}
      <Facts status={status} />
      {status.schedule === null ? <ByCommand command={command} /> : running ? <BackupProgress backup={running} /> : <BackUpNow />}
      {ended.length > 0 ? (
        <BackupHistory backups={ended} />
      ) : status.schedule === null || running ? null : (
        <NothingYet icon={<Archive aria-hidden />} title="No backup yet">
          The first one is made within a few seconds of a worker's start with <code>BACKUP_DIR</code> or <code>BACKUP_S3_URL</code>.
        </NothingYet>
      )}
    </div>
  );
}

function Facts({ status: { schedule, lastGoodAt, proof } }: { status: BackupStatus }) {
  return (
    <KeyValueList
      items={[
        {
          label: "Schedule",
          value: schedule === null ? "Off" : `${intervalWords(schedule.everyHours)}; the last ${schedule.keep} are kept`,
        },
        { label: "Last good backup", value: lastGoodAt === null ? "None yet" : <RelativeTime at={lastGoodAt} /> },
        ...(proof === null ? [] : [provedFact(proof)]),
        {
          label: "Not in a backup",
          value: "VAULT_KEYS and NEXTAUTH_SECRET",
          hint: "Keep them apart from the backups: without them, stored tokens and signing secrets can't be decrypted.",
        },
      ]}
    />
  );
}

/** Tells when a stored backup was last restored and compared. */
function provedFact({ everyHours, provedAt, file }: NonNullable<BackupStatus["proof"]>) {
  return {
    label: "Last restored as a test",
    value: provedAt === null ? "Not yet" : <RelativeTime at={provedAt} />,
    hint: `${file === null ? "The newest stored backup" : file}, into a scratch database; every table is compared. ${intervalWords(everyHours)}.`,
  };
}

/** 24 as "Every day", 6 as "Every 6 hours". */
function intervalWords(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, "day"] : [hours, "hour"];
  return `Every ${count === 1 ? unit : countWords(count, unit)}`;
}

function BackUpNow() {
  const start = useStartBackup();
  const ask = () =>
    start.mutate(undefined, { onError: (error) => toast.error("Couldn't start the backup", { description: error.message }) });
  return (
    <div>
      <Button variant="primary" onClick={ask} loading={start.isPending}>
        Back up now
      </Button>
    </div>
  );
}

/** Shows the command if the workers have no place to write backups to. */
function ByCommand({ command }: BackupsPageProps) {
  return (
    <div className="flex flex-col gap-3 text-13">
      <p>
        To back up on a schedule, set <code>BACKUP_DIR</code> for web and worker, to a folder on another disk, or <code>BACKUP_S3_URL</code>
        , to an S3 bucket. To create one manually, run on the server:
      </p>
      <CodeBlock code={command} label="command" />
    </div>
  );
}
