import type pg from "pg";
import { invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ChangeDestinationBody } from "#lib/contracts/forwarding/destinations";
import type { DestinationSettings } from "#lib/forwarding/destination-store";
import { checkTarget } from "#lib/forwarding/target/check-target";
import { whyNotReSigned } from "#lib/platform/schemes/re-sign";
import { listSenders, listSources } from "#lib/sources/source-store";

/**
 * Returns what a request sets of a destination, checked; what it does not name is left out, and stays as it is.
 *
 * @param present the URL that the destination has: it is not checked again
 * @throws AppError `invalid_request` when its URL may not be called, or a source is unknown
 */
export async function checkedSettings(
  workspaceId: WorkspaceId,
  present: string,
  { sources, ...change }: ChangeDestinationBody,
): Promise<Partial<DestinationSettings>> {
  const given: Partial<DestinationSettings> = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings = { ...given, ...(sources && { sourceIds: await sourceIdsOf(workspaceId, sources) }) };
  if (settings.url === undefined || settings.url === present) return settings;
  const checked = await checkTarget(settings.url);
  // A name that is not known yet may be known when something is sent: nothing is called now.
  if (!checked.ok && checked.code === "refused") throw invalidField("url", checked.reason);
  return { ...settings, url: checked.ok ? checked.target.href : settings.url.trim() };
}

/** @throws AppError `invalid_request` in re-sign mode where a source can't be signed for, or none is named */
export async function assertSignable(
  client: pg.PoolClient,
  workspaceId: WorkspaceId,
  { mode, sourceIds }: DestinationSettings,
): Promise<void> {
  if (mode !== "re_sign") return;
  if (sourceIds.length === 0)
    throw invalidField("sources", "Choose the sources whose events are re-signed: each sender signs in its own way.");
  const senders = await listSenders(workspaceId, client);
  for (const id of sourceIds) {
    const sender = senders.get(id);
    const reason = sender ? whyNotReSigned(sender) : null;
    if (reason !== null) throw invalidField("sources", `${reason} Leave it out, or choose another mode.`);
  }
}

async function sourceIdsOf(workspaceId: WorkspaceId, names: string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const known = await listSources(workspaceId);
  return names.map((name) => {
    const source = known.find((each) => each.name === name);
    if (!source) throw invalidField("sources", `There is no source named ${name}.`);
    return source.id;
  });
}
