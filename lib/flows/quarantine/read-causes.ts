import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineCauses } from "#lib/contracts/quarantine";
import { countByCause } from "#lib/quarantine/cause-store";

/** Returns what is in quarantine and matches, by cause, with exact counts. */
export async function readCauses(workspaceId: WorkspaceId, filter: QuarantineCauseFilter): Promise<QuarantineCauses> {
  const causes = await countByCause(workspaceId, filter);
  return {
    total: causes.reduce((sum, { count }) => sum + count, 0),
    data: causes.map(({ firstAt, lastAt, ...cause }) => ({
      ...cause,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
  };
}
