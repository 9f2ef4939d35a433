"use client";

import { StateBadge } from "#components/records/badges/state-badge";
import type { State } from "#components/ui/feedback/state-icon";
import { Section } from "#components/ui/layout/section";
import { RelativeTime } from "#components/ui/time/relative-time";
import { bytesWords } from "#lib/client/format/bytes";
import type { Backup } from "#lib/contracts/backups";
import { formatNumber } from "#lib/contracts/counts/format-count";

const OUTCOMES: Record<Backup["state"], { state: State; word: string }> = {
  queued: { state: "working", word: "Waiting" },
  running: { state: "working", word: "Running" },
  done: { state: "fine", word: "Good" },
  stopped: { state: "neutral", word: "Stopped" },
  failed: { state: "failed", word: "Failed" },
};

const MISSING = { state: "failed", word: "Missing" } as const;
const NOT_STORED = { state: "attention", word: "Not stored" } as const;

export function BackupHistory({ backups }: { backups: Backup[] }) {
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
          {formatNumber(events ?? 0)} events, {bytesWords(fileBytes ?? 0)}
          {store === null ? "" : `, encrypted in ${store}`}
          {missing ? "; its file is no longer in the folder" : ""}
          {kept ? "" : "; deleted, replaced by newer ones"}
        </p>
      ) : null}
      {failure === null ? null : <p className="text-12 text-muted">{failure}</p>}
    </li>
  );
}
