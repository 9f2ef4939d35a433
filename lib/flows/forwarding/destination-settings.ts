import { AppError } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ChangeDestinationBody } from "#lib/contracts/forwarding/destinations";
import type { DestinationSettings } from "#lib/forwarding/destination-store";
import { checkTarget } from "#lib/forwarding/target/check-target";
import { listSources } from "#lib/sources/source-store";

/**
 * Settings with a change made to them.
 *
 * @throws AppError `invalid_request` for a source that the workspace lacks, or a URL that may not be called
 */
export async function changedSettings(
  workspaceId: WorkspaceId,
  before: DestinationSettings,
  { sources, ...change }: ChangeDestinationBody,
): Promise<DestinationSettings> {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings: DestinationSettings = { ...before, ...given, ...(sources && { sourceIds: await sourceIdsOf(workspaceId, sources) }) };
  if (settings.url === before.url) return settings;
  const checked = await checkTarget(settings.url);
  // A name that is not known yet may be known when something is sent: nothing is called now.
  if (!checked.ok && checked.code === "refused") throw invalid("url", checked.reason);
  return { ...settings, url: checked.ok ? checked.target.href : settings.url.trim() };
}

async function sourceIdsOf(workspaceId: WorkspaceId, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const known = await listSources(workspaceId);
  return names.map((name) => {
    const source = known.find((each) => each.name === name);
    if (!source) throw invalid("sources", `There is no source named ${name}.`);
    return source.id;
  });
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid_request", `${path}: ${message}`, { errors: [{ path, message }] });
}
