"use client";

import { ProgressBar } from "#components/ui/feedback/progress-bar";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { Button } from "#components/ui/primitives/button";
import { bytesWords } from "#lib/client/format/bytes";
import { useStopBackup } from "#lib/client/queries/backups";
import type { Backup } from "#lib/contracts/backups";
import { formatNumber } from "#lib/contracts/counts/format-count";

export function BackupProgress({ backup }: { backup: Backup }) {
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
  if (phase === "verifying") return `Verifying the file: ${formatNumber(done)} of ${formatNumber(total)} rows`;
  if (phase === "uploading") return `Sending it to the store: ${bytesWords(done)} of ${bytesWords(total)}`;
  if (phase === "downloading") return `Reading it back from the store: ${bytesWords(done)} of ${bytesWords(total)}`;
  return done === 0 ? "Starting" : `${formatNumber(done)} of about ${formatNumber(total)} rows written`;
}
