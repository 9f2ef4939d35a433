import { type Actor, callerIdOf, callerOf } from "#lib/auth/actor";
import type { Context } from "#lib/auth/audit/audit";
import { can } from "#lib/auth/permissions";
import { AppError, expectFound } from "#lib/contracts/api/app-error";
import {
  type ChangeSavedFilterBody,
  type CreateSavedFilterBody,
  findFilterProblems,
  type SavedFilter,
  type SavedFilterList,
} from "#lib/contracts/saved-filters";
import {
  deleteSavedFilter as deleteStored,
  findSavedFilter,
  insertSavedFilter,
  listSavedFilters,
  type Owner,
  type StoredFilter,
  updateSavedFilter,
} from "#lib/saved-filters/saved-filter-store";

/** Fits into a navigation, and keeps a program from filling the table. */
const MAX_FILTERS = 100;

export async function readSavedFilters(actor: Actor): Promise<SavedFilterList> {
  const owner = callerOf(actor);
  const stored = await listSavedFilters(actor.workspaceId, owner.id);
  return { data: stored.map((each) => shownTo(owner, each)), nextCursor: null, mayShare: can(actor.role, "saved_filters.share") };
}

/** @throws AppError `invalid_request` for what the list does not take, `forbidden` to share without the right, `conflict` at the limit */
export async function createSavedFilter({ actor, audit }: Context, body: CreateSavedFilterBody): Promise<SavedFilter> {
  assertTaken(body.page, body.filter);
  if (body.shared) assertMayShare(actor);
  const owner = callerOf(actor);
  const stored = await insertSavedFilter(actor.workspaceId, owner, body, MAX_FILTERS);
  if (!stored) throw new AppError("conflict", `You have ${MAX_FILTERS} saved filters. Delete one first.`);
  await audit.record({ action: "saved_filter.created", target: targetOf(stored), after: toldOf(stored) });
  return shownTo(owner, stored);
}

/** @throws AppError `not_found`; `forbidden` where it is or becomes shared without the right; `invalid_request` */
export async function changeSavedFilter({ actor, audit }: Context, id: string, body: ChangeSavedFilterBody): Promise<SavedFilter> {
  const owner = callerOf(actor);
  const before = await findOwnOrShared(actor, id);
  const { name = before.name, filter = before.filter, shared = before.shared } = body;
  // One that an earlier release took can still be renamed.
  if (body.filter) assertTaken(before.page, filter);
  if (before.shared || shared) assertMayShare(actor);
  // Else it would vanish from the list of the one who did it.
  if (before.shared && !shared && before.ownerId !== owner.id)
    throw new AppError("forbidden", `Only ${before.ownerName}, who saved this filter, can make it private.`);
  const stored = await expectFound(updateSavedFilter(actor.workspaceId, id, { name, filter, shared }), SAVED_FILTER);
  const [told, now] = [toldOf(before), toldOf(stored)];
  if (JSON.stringify(told) === JSON.stringify(now)) audit.unchanged();
  else await audit.record({ action: "saved_filter.changed", target: targetOf(stored), before: told, after: now });
  return shownTo(owner, stored);
}

/** @throws AppError `not_found`; `forbidden` for a shared one without the right */
export async function deleteSavedFilter({ actor, audit }: Context, id: string): Promise<void> {
  const stored = await findOwnOrShared(actor, id);
  if (stored.shared) assertMayShare(actor);
  await deleteStored(actor.workspaceId, id);
  await audit.record({ action: "saved_filter.deleted", target: targetOf(stored), before: toldOf(stored) });
}

const SAVED_FILTER = "saved filter with that ID";

const findOwnOrShared = (actor: Actor, id: string): Promise<StoredFilter> =>
  expectFound(findSavedFilter(actor.workspaceId, callerIdOf(actor), id), SAVED_FILTER);

function assertTaken(page: SavedFilter["page"], filter: SavedFilter["filter"]): void {
  const errors = findFilterProblems(page, filter);
  if (errors.length > 0)
    throw new AppError("invalid_request", errors.map(({ path, message }) => `${path}: ${message}`).join(" "), { errors });
}

function assertMayShare(actor: Actor): void {
  if (!can(actor.role, "saved_filters.share"))
    throw new AppError("forbidden", `Your role, ${actor.role}, can't share filters or change shared ones. Save it for yourself instead.`);
}

const shownTo = (owner: Owner, { ownerId, ...stored }: StoredFilter): SavedFilter => ({ ...stored, own: ownerId === owner.id });
const targetOf = ({ id, name }: StoredFilter) => ({ kind: "saved_filter", id, name });
const toldOf = ({ name, page, filter, shared }: StoredFilter) => ({ name, page, filter, shared });
