import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { QuarantineCauseFilter } from "#lib/contracts/filters/quarantine-filters";
import type { QuarantineDiagnoses } from "#lib/contracts/quarantine";
import { type DiagnosisGroup, listDiagnosisGroups } from "#lib/quarantine/diagnosis-group-store";
import { diagnosisWords } from "./diagnosis-labels.ts";

export async function readDiagnoses(workspaceId: WorkspaceId, filter: QuarantineCauseFilter): Promise<QuarantineDiagnoses> {
  const groups = await listDiagnosisGroups(workspaceId, filter);
  return { total: groups[0]?.total ?? 0, data: groups.map(groupOf) };
}

const WAITING = { verdict: "Not diagnosed yet.", fix: "The worker diagnoses them within seconds, newest first." };

function groupOf({ diagnosis, firstAt, lastAt, ...group }: DiagnosisGroup): QuarantineDiagnoses["data"][number] {
  const { verdict, fix } = diagnosis ?? WAITING;
  const { total: _, ...rest } = group as typeof group & { total?: number };
  return {
    ...rest,
    title: diagnosisWords(group.code, group.about),
    verdict,
    fix,
    evidence: diagnosis?.evidence ?? [],
    firstAt: firstAt.toISOString(),
    lastAt: lastAt.toISOString(),
  };
}
