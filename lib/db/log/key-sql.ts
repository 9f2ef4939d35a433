/** Returns a condition on `event_keys` by workspace: the primary key leads with the source, of which a workspace has few. */
export const keyOfSql = (keys: string, workspace: string): string =>
  `${keys}.workspace_id = ${workspace} AND ${keys}.source_id IN (SELECT o.id FROM sources o WHERE o.workspace_id = ${workspace})`;
