import { inTransaction, pool } from "#lib/db/pool";
import { forgetValues } from "#lib/event-types/history-store";
import type { FieldPath, SchemaTree } from "#lib/event-types/schema";
import { findSchemas, type KeptSince, listKeptSince, lockSchemas, saveTold } from "#lib/event-types/schema-store";

const PIECE = 20;

/** Takes the values out of schemas that no event of the log has any more. Versions keep theirs: a person published them. Returns how many. */
export async function forgetExpiredValues(): Promise<number> {
  let [after, forgotten] = ["", 0];
  for (;;) {
    const page = await listKeptSince(after, PIECE);
    const last = page.at(-1);
    if (!last) return forgotten;
    after = last.id;
    const stored = new Map((await findSchemas(page.map(({ id }) => id))).map((schema) => [schema.id, schema]));
    for (const one of page) {
      const schema = stored.get(one.id);
      if (schema && expiredIn(schema.tree, one).length > 0) forgotten += await forgetIn(one);
    }
  }
}

async function forgetIn(one: KeptSince): Promise<number> {
  return inTransaction(pool("worker"), async (client) => {
    const [schema] = await lockSchemas(client, [one.id]);
    if (!schema) return 0;
    const expired = expiredIn(schema.tree, one);
    const fields = { ...schema.tree.fields };
    for (const { path, hashes, texts } of expired) {
      const stats = fields[path];
      if (!stats?.values) continue;
      fields[path] = { ...stats, values: Object.fromEntries(Object.entries(stats.values).filter(([hash]) => !hashes.includes(hash))) };
      await forgetValues(client, one.id, path, texts);
    }
    await saveTold(client, { ...schema, tree: { ...schema.tree, fields } });
    return expired.reduce((sum, { hashes }) => sum + hashes.length, 0);
  });
}

type Expired = { path: FieldPath; hashes: string[]; texts: string[] };

function expiredIn({ fields }: SchemaTree, { keptSince }: KeptSince): Expired[] {
  return Object.entries(fields).flatMap(([path, { values }]) => {
    const gone = Object.entries(values ?? {}).filter(([, { last }]) => keptSince === null || last[1] < keptSince.getTime());
    const texts = gone.flatMap(([, { text }]) => text ?? []);
    return gone.length === 0 ? [] : [{ path, hashes: gone.map(([hash]) => hash), texts }];
  });
}
