import type { JsonType, SchemaField } from "#lib/contracts/event-types";
import { formatNumber } from "#lib/contracts/format-count";

/** What a field is in the one that holds it. */
export type FieldRole = { kind: "key"; key: string } | { kind: "element" } | { kind: "entry" };

/** Returns a field's place by its path, where a key that could be taken for `[]` or `*` is quoted. */
export function roleOf({ path, parent }: Pick<SchemaField, "path" | "parent">): FieldRole {
  const last = path.slice(parent?.length ?? 0);
  if (last === "[]") return { kind: "element" };
  if (last === ".*") return { kind: "entry" };
  const key = last.startsWith(".") ? last.slice(1) : last;
  return { kind: "key", key: key.startsWith('"') ? (JSON.parse(key) as string) : key };
}

/** Writes a key that is not plain as a JSON string, so that the path can be read back. */
export const keyPath = (parent: string, key: string): string =>
  `${parent}.${/^[\p{L}\p{N}_$:/-]+$/u.test(key) ? key : JSON.stringify(key)}`;

/** The fields of a learnt schema, by the field that holds them. */
export class FieldTree {
  readonly root: SchemaField | undefined;
  private readonly byParent = new Map<string, SchemaField[]>();

  constructor(fields: SchemaField[]) {
    this.root = fields.find(({ parent }) => parent === null);
    for (const field of fields) {
      if (field.parent === null) continue;
      const siblings = this.byParent.get(field.parent);
      if (siblings) siblings.push(field);
      else this.byParent.set(field.parent, [field]);
    }
  }

  childrenOf({ path }: SchemaField): SchemaField[] {
    return this.byParent.get(path) ?? [];
  }

  keysOf(field: SchemaField): [key: string, field: SchemaField][] {
    return this.childrenOf(field).flatMap((child) => {
      const role = roleOf(child);
      return role.kind === "key" ? [[role.key, child] as [string, SchemaField]] : [];
    });
  }

  elementOf(field: SchemaField): SchemaField | undefined {
    return this.childrenOf(field).find((child) => roleOf(child).kind === "element");
  }

  entryOf(field: SchemaField): SchemaField | undefined {
    return this.childrenOf(field).find((child) => roleOf(child).kind === "entry");
  }
}

export const occurrencesOf = ({ types }: SchemaField, type: JsonType) => types.find((each) => each.type === type);

/** True if every number of the field was whole. */
export const isWhole = ({ formats }: SchemaField): boolean =>
  formats.some(({ format }) => format === "int") && !formats.some(({ format }) => format === "decimal");

/** So many must have had a field before it counts as always there. */
export const ALWAYS_AFTER = 300;

export const isAlways = ({ seen, present }: SchemaField): boolean => present === seen && seen >= ALWAYS_AFTER;

/** `in 9,112 of 9,112`, for files. */
export const countedPresence = ({ seen, present }: SchemaField): string => `in ${formatNumber(present)} of ${formatNumber(seen)}`;

/** `in all of 9,112`, `in 31%`, for pages. */
export function presenceWords({ seen, present }: Pick<SchemaField, "seen" | "present">): string {
  if (present >= seen) return `in all of ${formatNumber(seen)}`;
  if (present === 0) return `in none of ${formatNumber(seen)}`;
  const share = (present / seen) * 100;
  // Rounded, a field that was missing once would be in 100%.
  if (share >= 99.5) return `in all but ${formatNumber(seen - present)} of ${formatNumber(seen)}`;
  return share < 1 ? `in ${formatNumber(present)} of ${formatNumber(seen)}` : `in ${Math.round(share)}%`;
}
