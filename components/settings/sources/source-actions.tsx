import { Archive, ArchiveRestore, Pause, Pencil, Play, Shapes } from "lucide-react";
import { shortId } from "#components/records/resource-id";
import { tellOutcome, toast } from "#components/ui/feedback/toast";
import { ConfirmDialog } from "#components/ui/overlay/dialog";
import { Button } from "#components/ui/primitives/button";
import { useAcceptAgain } from "#lib/client/queries/quarantine-releases";
import { useChangeSource } from "#lib/client/queries/sources";
import type { Source } from "#lib/contracts/sources/sources";
import { RotateDialog } from "./rotate-secret.tsx";
import { SourceDialog, sourceWindow } from "./source-dialog.tsx";

/** Offers no archiving of the workspace's own source: the next start would create it again. */
export function SourceActions({ source, alone }: { source: Source; alone: boolean }) {
  const change = useChangeSource(source.id);
  if (source.archivedAt !== null)
    return (
      <Button
        size="sm"
        icon={<ArchiveRestore aria-hidden />}
        aria-label={`Restore ${source.name}`}
        loading={change.isPending}
        onClick={() =>
          tellOutcome(
            change.mutateAsync({ archived: false }),
            () => toast.success(`Restored ${source.name}`),
            `Couldn't restore ${source.name}`,
          )
        }
      >
        Restore
      </Button>
    );
  return (
    <span className="flex flex-wrap gap-2">
      {source.main ? null : <ArchiveButton source={source} />}
      {source.pausedAt === null ? <PauseButton source={source} /> : <ResumeButton source={source} />}
      {source.records === "platform" ? null : <RecordsDialog source={source} />}
      {source.template === "platform" || source.template === "unknown" ? null : <EditSourceDialog source={source} />}
      {source.trust === "network" ||
      source.template === "sns" ||
      source.template === "unknown" ||
      source.scheme.jwt?.jwks !== undefined ? null : (
        <RotateDialog source={source} alone={alone} />
      )}
    </span>
  );
}

function PauseButton({ source: { id, name } }: { source: Source }) {
  const change = useChangeSource(id);
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" icon={<Pause aria-hidden />} aria-label={`Pause ${name}`}>
          Pause
        </Button>
      }
      title={`Pause ${name}?`}
      description="Its webhooks are still accepted and answered 202, but held in quarantine: they are neither stored as events nor forwarded. When you resume it, everything held is released in the order in which it arrived."
      confirmLabel={`Pause ${name}`}
      onConfirm={() => change.mutateAsync({ paused: true })}
      done={`Paused ${name}`}
    />
  );
}

function ResumeButton({ source: { id, name, held } }: { source: Source }) {
  const change = useChangeSource(id);
  return (
    <Button
      size="sm"
      icon={<Play aria-hidden />}
      aria-label={`Resume ${name}`}
      loading={change.isPending}
      onClick={() =>
        tellOutcome(
          change.mutateAsync({ paused: false }),
          () =>
            toast.success(
              `Resumed ${name}`,
              held === 0 ? undefined : { description: "Held requests are being released. Quarantine shows the progress." },
            ),
          `Couldn't resume ${name}`,
        )
      }
    >
      Resume
    </Button>
  );
}

function ArchiveButton({ source: { id, name } }: { source: Source }) {
  const change = useChangeSource(id);
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" icon={<Archive aria-hidden />} aria-label={`Archive ${name}`}>
          Archive
        </Button>
      }
      title={`Archive ${name}?`}
      description="Its URL answers 404 from then on, so the sender's webhooks are rejected. Received events are kept. You can restore it."
      confirmLabel={`Archive ${name}`}
      danger
      onConfirm={() => change.mutateAsync({ archived: true })}
      done={`Archived ${name}`}
    />
  );
}

export function EndSecret({ source, id }: { source: Source; id: string }) {
  const end = useAcceptAgain(source.id);
  const name = shortId(id);
  return (
    <ConfirmDialog
      trigger={
        <Button size="sm" variant="ghost" aria-label={`End now: ${name}`}>
          End now
        </Button>
      }
      title={`End ${name} now?`}
      description={`Requests to ${source.name} that are signed with it are rejected from then on. You can accept it again from Quarantine.`}
      confirmLabel={`End ${name}`}
      danger
      onConfirm={() => end.mutateAsync({ secret: id, hours: 0, release: false })}
      done={`Ended ${name}`}
    />
  );
}

const EditSourceWindow = sourceWindow(() => import("./source-forms.tsx").then((module) => module.EditSourceForm));

const EditSourceDialog = ({ source }: { source: Source }) => (
  <SourceDialog
    source={source}
    Window={EditSourceWindow}
    linkedAs="edit"
    title={`Edit ${source.name}`}
    icon={<Pencil aria-hidden />}
    action="Edit"
    saved={[`Saved ${source.name}`, { description: "Requests are verified and read this way from now on." }]}
  />
);

const RecordsWindow = sourceWindow(() => import("./records-form.tsx").then((module) => module.RecordsForm));

const RecordsDialog = ({ source }: { source: Source }) => (
  <SourceDialog
    source={source}
    Window={RecordsWindow}
    title={`Records of ${source.name}`}
    icon={<Shapes aria-hidden />}
    action="Records"
    saved={["Saved. Records are being rebuilt"]}
  />
);
