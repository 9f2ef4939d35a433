import type { AlertCondition } from "#lib/alerts/episode-store";
import { issueFailure } from "#lib/flows/issues/issue-failure";
import type { Sighting } from "#lib/issues/issue-ledger-store";

export function issueConditions(sightings: Sighting[]): AlertCondition[] {
  const newest = [...new Map(sightings.map((each) => [each.issueId, each])).values()];
  return newest.map((sighting) => {
    const { issueId, workspaceId, origin } = sighting;
    const { what, fix } = issueFailure(sighting);
    const count = sightings.filter((each) => each.issueId === issueId).length;
    return {
      ...{ workspaceId, rule: "issue", subject: issueId, path: `/issues/${issueId}`, action: "View issue" },
      title: origin === "platform" ? `The platform reports: ${what}` : `Events fail: ${what}`,
      detail: fix,
      count,
      unit: "failures",
    };
  });
}
