/**
 * Returns whether a row of `event_keys` belongs to a workspace, as a condition by which IDs are looked up: the primary key leads
 * with the source, and a workspace has few.
 *
 * @param keys the name that `event_keys` has
 * @param workspace an SQL expression
 */
export const keyOfSql = (keys: string, workspace: string): string =>
  `${keys}.workspace_id = ${workspace} AND ${keys}.source_id IN (SELECT o.id FROM sources o WHERE o.workspace_id = ${workspace})`;
