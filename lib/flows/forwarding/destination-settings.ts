import type pg from "pg";
import { invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import type { ChangeDestinationBody } from "#lib/contracts/forwarding/destinations";
import type { DestinationSettings } from "#lib/forwarding/destination-store";
import { checkTarget } from "#lib/forwarding/target/check-target";
import { whyNotReSigned } from "#lib/platform/schemes/re-sign";
import { listSenders, listSources } from "#lib/sources/source-store";

/** Checks the given settings and leaves out the others. @param present URL that is not checked again @throws AppError `invalid_request` */
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

/** @throws AppError `invalid_request` in re-sign mode without sources, or with one that can't be signed for */
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
