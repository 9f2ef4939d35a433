import type pg from "pg";
import { invalidField } from "#lib/contracts/api/app-error";
import type { WorkspaceId } from "#lib/contracts/api/ids";
import { enterAgainWords, leadsElsewhere } from "#lib/contracts/forwarding/entered-again";
import { findHeaderProblem, type GivenHeader, type OwnHeader, sameName } from "#lib/contracts/forwarding/own-headers";
import { findOwnHeaders, openOwnHeaders } from "#lib/forwarding/own-headers-store";
import { type SourceSender, setHeaders } from "#lib/platform/schemes/sender-requests";
import { isVaultError } from "#lib/vault/vault";

type Change = {
  before: { url: string; headerNames: string[] };
  after: { url: string };
  /** Left out: they stay. */
  given: readonly GivenHeader[] | undefined;
};

/** `replaced`: names that were there and have another value now. */
type Changed = { headers: OwnHeader[]; replaced: string[] };

/** Returns a destination's headers after a change; null if they stay. @throws AppError `invalid_request` where a value is missing, or is
 * that of another host */
export async function headersAfter(
  client: pg.PoolClient,
  owner: { workspaceId: WorkspaceId; id: string },
  { before, after, given }: Change,
): Promise<Changed | null> {
  const moves = leadsElsewhere(before.url, after.url);
  if (given === undefined) {
    if (moves && before.headerNames.length > 0) throw invalidField("headers", againWords(before.headerNames));
    return null;
  }
  const isKnown = (name: string) => before.headerNames.some((each) => sameName(each, name));
  const keepsSome = given.some(({ value }) => value === undefined);
  for (const [index, { name, value }] of given.entries()) {
    if (value !== undefined) continue;
    if (!isKnown(name)) throw invalidField(`headers.${index}.value`, `Enter a value: the destination has no header ${name} yet.`);
    if (moves) throw invalidField(`headers.${index}.value`, againWords([name]));
  }
  const kept = keepsSome ? await openKept(client, owner, before.url, given) : [];
  const headers = given.map(({ name, value }) => ({ name, value: value ?? kept.find((each) => sameName(each.name, name))?.value ?? "" }));
  const problem = findHeaderProblem(headers);
  if (problem) throw invalidField(["headers", ...problem.path].join("."), problem.message);
  return { headers, replaced: given.filter(({ name, value }) => value !== undefined && isKnown(name)).map(({ name }) => name) };
}

const againWords = (names: readonly string[]): string =>
  enterAgainWords(names.length === 1 ? `value of ${names[0]}` : `values of ${names.join(", ")}`);

async function openKept(
  client: pg.PoolClient,
  owner: { workspaceId: WorkspaceId; id: string },
  url: string,
  given: readonly GivenHeader[],
): Promise<OwnHeader[]> {
  try {
    return await openOwnHeaders(owner, await findOwnHeaders(owner.workspaceId, owner.id, client), url);
  } catch (error) {
    if (!isVaultError(error)) throw error;
    const index = given.findIndex(({ value }) => value === undefined);
    throw invalidField(`headers.${index}.value`, "The value can't be decrypted, or was entered for another host. Enter it again.");
  }
}

/** @throws AppError `invalid_request` for a header that a sender sets: its own value would be lost, or the sender's */
export function assertNotTheSenders(names: readonly string[], senders: readonly SourceSender[], mode: "pass_through" | "re_sign"): void {
  const set = senders.map((sender) => setHeaders(sender, mode));
  for (const [index, name] of names.entries())
    if (set.some((each) => each.has(name.toLowerCase())))
      throw invalidField(
        `headers.${index}.name`,
        `${name} is a header by which the sender signs or names its events. Choose another, or have Signalbox sign.`,
      );
}
