"use client";

import { Archive } from "lucide-react";
import { CodeBlock } from "#components/ui/code-block";
import { Banner } from "#components/ui/feedback/problem-notice";
import { ProgressBar } from "#components/ui/feedback/progress-bar";
import { tellFailure } from "#components/ui/feedback/toast";
import { NothingYet, withFallback } from "#components/ui/layout/content-states";
import { KeyValueList } from "#components/ui/layout/key-value-list";
import { Panel, PanelBody, PanelHeader, Section } from "#components/ui/layout/section";
import { type State, StateBadge } from "#components/ui/primitives/badge";
import { Button } from "#components/ui/primitives/button";
import { RelativeTime } from "#components/ui/relative-time";
import { bytesWords } from "#lib/client/format/bytes";
import { isBackupUnderWay, useBackups, useStartBackup, useStopBackup } from "#lib/client/queries/maintenance";
import type { Backup, BackupList, BackupStatus } from "#lib/contracts/backups";
import { countWords, formatNumber } from "#lib/contracts/format-count";

type BackupsPageProps = {
  /** The command that makes a backup on the server. */
  command: string;
};

export function BackupsPage({ command }: BackupsPageProps) {
  const { data, fallback } = withFallback(useBackups(), { what: "backups", rows: 4 });
  return (
    <Section
      title="Backups"
      description="A backup contains the whole database, with all workspaces, at one point in time. Webhooks are received in the meantime."
    >
      {data ? <Backups list={data} command={command} /> : fallback}
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
        <NothingYet icon={<Archive />} title="No backup yet">
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
  const ask = () => tellFailure(start.mutateAsync(), "Couldn't start the backup");
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

function BackupProgress({ backup }: { backup: Backup }) {
  const stop = useStopBackup();
  const words = wordsOf(backup);
  const share = backup.state === "queued" || backup.total === 0 ? null : backup.done / backup.total;
  return (
    <Panel>
      <PanelHeader
        title="Backing up"
        hint="If you stop it, the unfinished backup is deleted."
        actions={
          <Button size="sm" onClick={() => stop.mutate()} loading={stop.isPending}>
            Stop
          </Button>
        }
      />
      <PanelBody className="flex flex-col gap-2">
        <ProgressBar label="Progress" share={share} words={words} />
        <p className="text-12 text-muted tabular-nums">{words}</p>
      </PanelBody>
    </Panel>
  );
}

function wordsOf({ state, phase, done, total }: Backup): string {
  if (state === "queued") return "Waiting for a worker";
  if (phase === "verifying") return `Verifying the file: ${formatNumber(done)} of ${countWords(total, "row")}`;
  if (phase === "uploading") return `Sending it to the store: ${bytesWords(done)} of ${bytesWords(total)}`;
  if (phase === "downloading") return `Reading it back from the store: ${bytesWords(done)} of ${bytesWords(total)}`;
  return done === 0 ? "Starting" : `${formatNumber(done)} of about ${formatNumber(total)} rows written`;
}

const OUTCOMES: Record<Backup["state"], { state: State; word: string }> = {
  queued: { state: "working", word: "Waiting" },
  running: { state: "working", word: "Running" },
  done: { state: "fine", word: "Good" },
  stopped: { state: "neutral", word: "Stopped" },
  failed: { state: "failed", word: "Failed" },
};

const MISSING = { state: "failed", word: "Missing" } as const;
const NOT_STORED = { state: "attention", word: "Not stored" } as const;

function BackupHistory({ backups }: { backups: Backup[] }) {
  return (
    <Section title="Latest">
      <ul className="divide-y divide-line border-y border-line">
        {backups.map((backup) => (
          <Line key={backup.id} backup={backup} />
        ))}
      </ul>
    </Section>
  );
}

function Line({ backup: { state, kept, missing, file, store, failure, events, fileBytes, requested, ...times } }: { backup: Backup }) {
  const outcome = missing ? MISSING : state === "done" && failure !== null ? NOT_STORED : OUTCOMES[state];
  return (
    <li data-row className="flex flex-col gap-1 py-2 text-13">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StateBadge state={outcome.state}>{outcome.word}</StateBadge>
        {state === "done" ? <code className="min-w-0 break-all">{file}</code> : null}
        <span className="ml-auto text-12 text-muted">
          <RelativeTime at={times.startedAt ?? times.createdAt} />
          {requested ? ", on request" : ""}
        </span>
      </div>
      {state === "done" ? (
        <p className="text-12 text-muted tabular-nums">
          {countWords(events ?? 0, "event")}, {bytesWords(fileBytes ?? 0)}
          {store === null ? "" : `, encrypted in ${store}`}
          {missing ? "; its file is no longer in the folder" : ""}
          {kept ? "" : "; deleted, replaced by newer ones"}
        </p>
      ) : null}
      {failure === null ? null : <p className="text-12 text-muted">{failure}</p>}
    </li>
  );
}
