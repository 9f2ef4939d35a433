import { LoadingState } from "#components/ui/empty-state";
import { PageBody } from "#components/ui/page-body";
import { Skeleton } from "#components/ui/skeleton";

export default function DashboardLoading() {
  return (
    <PageBody>
      <Skeleton className="h-8 w-48" />
      <LoadingState what="the page" rows={12} />
    </PageBody>
  );
}
