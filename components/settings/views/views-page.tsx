"use client";

import { ListChecks } from "lucide-react";
import { RebuildHistory } from "#components/settings/views/rebuild-history";
import { RebuildProgress } from "#components/settings/views/rebuild-progress";
import { RebuildResult } from "#components/settings/views/rebuild-result";
import { Button } from "#components/ui/button";
import { ConfirmDialog } from "#components/ui/confirm-dialog";
import { ErrorState, LoadingState, NothingYet } from "#components/ui/empty-state";
import { Section } from "#components/ui/section";
import { toast } from "#components/ui/toast";
import { isUnderWay, useRebuilds, useStartRebuild } from "#lib/client/view-rebuilds";
import type { ViewRebuild } from "#lib/contracts/view-rebuilds";

/** Whether the views are still what the log makes of them, and the button that makes them anew. */
export function ViewsPage({ canRebuild }: { canRebuild: boolean }) {
  const { data, error, isPending, refetch } = useRebuilds();
  const busy = data?.some(isUnderWay) ?? false;
  return (
    <Section
      title="Views"
      description="Documents, tasks, pipelines, automations and integrations are made of the events in the log. Here they are checked against it, and made anew."
    >
      {canRebuild ? <Actions busy={busy} /> : null}
      {isPending ? (
        <LoadingState what="the last checks" rows={4} />
      ) : !data ? (
        <ErrorState what="the last checks" error={error} onRetry={() => void refetch()} />
      ) : (
        <Rebuilds rebuilds={data} canRebuild={canRebuild} />
      )}
    </Section>
  );
}

function Actions({ busy }: { busy: boolean }) {
  const start = useStartRebuild();
  const check = () => start.mutate(true, { onError: (error) => toast.error("The check was not started", { description: error.message }) });
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={check} loading={start.isPending} disabled={busy}>
        Check against the log
      </Button>
      <ConfirmDialog
        trigger={
          <Button variant="primary" disabled={busy}>
            Rebuild the views
          </Button>
        }
        title="Rebuild the views from the log?"
        description="Every event is read again and folded beside the live views. What differs is then replaced at once; what the log no longer holds is kept. Events may come in meanwhile, and you can stop it: then nothing has changed."
        confirmLabel="Rebuild the views"
        onConfirm={() => start.mutateAsync(false)}
      />
    </div>
  );
}

function Rebuilds({ rebuilds, canRebuild }: { rebuilds: ViewRebuild[]; canRebuild: boolean }) {
  const running = rebuilds.find(isUnderWay);
  const ended = rebuilds.filter((rebuild) => !isUnderWay(rebuild));
  const [latest] = ended;
  if (!running && !latest)
    return (
      <NothingYet icon={<ListChecks aria-hidden />} title="Never checked">
        Views are kept up to date event by event. A check folds the whole log again and says whether they are the same, to the byte.
      </NothingYet>
    );
  return (
    <div className="flex flex-col gap-6">
      {running ? <RebuildProgress rebuild={running} canStop={canRebuild} /> : null}
      {latest ? <RebuildResult rebuild={latest} /> : null}
      {ended.length > 1 ? <RebuildHistory rebuilds={ended.slice(1)} /> : null}
    </div>
  );
}
