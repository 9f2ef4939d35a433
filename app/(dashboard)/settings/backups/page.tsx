import type { Metadata } from "next";
import { BackupsPage } from "#components/settings/backups-page";
import { Prefetched } from "#components/shell/prefetched";
import { requireActor } from "#lib/auth/require-actor";
import { backupsQuery } from "#lib/client/queries/maintenance";
import { ownCommand } from "#lib/config/product";
import { readBackups } from "#lib/flows/installation/backup/read-backups";

export const metadata: Metadata = { title: "Backups" };

export default async function Page() {
  await requireActor("backups.read");
  return (
    <Prefetched entries={[[backupsQuery.queryKey, await readBackups()]]}>
      <BackupsPage command={ownCommand("backup", "signalbox.backup")} />
    </Prefetched>
  );
}
