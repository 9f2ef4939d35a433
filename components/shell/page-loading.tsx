import { LoadingState } from "#components/ui/layout/empty-state";
import { PageBody } from "#components/ui/layout/page-body";
import { Skeleton } from "#components/ui/primitives/skeleton";

export function PageLoading() {
  return (
    <PageBody>
      <Skeleton className="h-8 w-48" />
      <LoadingState what="the page" rows={12} />
    </PageBody>
  );
}
