import { PageLoading } from "#components/shell/page-loading";

export default function DashboardLoading() {
  return <PageLoading />;
}
