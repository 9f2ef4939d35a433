"use client";

import { usePathname } from "next/navigation";
import { LoadingState } from "#components/ui/layout/empty-state";
import { PageBody } from "#components/ui/layout/page-body";
import { PageHeader } from "#components/ui/layout/page-header";
import { Skeleton } from "#components/ui/primitives/skeleton";
import { navGroups } from "./navigation/navigation.tsx";

/** A page that is being fetched: its title at once, where the navigation knows it. */
export function PageLoading() {
  const title = titleOf(usePathname());
  return (
    <PageBody>
      {title === null ? <Skeleton className="h-8 w-48" /> : <PageHeader title={title} />}
      <div data-page-loading>
        <LoadingState what="the page" rows={12} />
      </div>
    </PageBody>
  );
}

/** The overview's title is its sentence, and the settings have one for all their pages. */
function titleOf(path: string): string | null {
  if (path === "/") return null;
  if (path.startsWith("/settings")) return "Settings";
  const items = navGroups(true).flatMap((group) => group.items);
  return items.find(({ href }) => href === path)?.label ?? null;
}
