"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Panel, PanelBody, PanelHeader } from "#components/ui/layout/panel";
import { lazyComponent } from "#components/ui/lists/lazy-component";
import { invalidate, KEYS } from "#lib/client/queries/keys";
import { newestOperationQuery } from "#lib/client/queries/operations";

const ReleaseProgress = lazyComponent(() => import("./release-progress.tsx").then((module) => module.ReleaseProgress));

/** Shows the newest release of many requests unless it is finished, for users who come back to the page. */
export function NewestRelease({ canRelease }: { canRelease: boolean }) {
  const queries = useQueryClient();
  const { data } = useQuery(newestOperationQuery("release"));
  const state = data?.state;
  useEffect(() => {
    if (state !== "finished") return;
    void invalidate(queries, KEYS.quarantine, KEYS.quarantined, KEYS.events, KEYS.overview, KEYS.counts);
  }, [state, queries]);
  if (!data || data.state === "finished") return null;
  return (
    <Panel>
      <PanelHeader title="Releasing quarantined requests" hint="Requests released so far stay released." />
      <PanelBody>
        <ReleaseProgress operation={data} allowed={canRelease} />
      </PanelBody>
    </Panel>
  );
}
