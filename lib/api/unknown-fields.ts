import type * as z from "zod/mini";
import type { core } from "zod/mini";
import { AppError } from "#lib/contracts/api/app-error";
import { isObject } from "#lib/contracts/exact-json";
import { shownName, unknownName } from "#lib/contracts/unknown-name";

type Unknown = { path: string; message: string };

/** Rejects undeclared parameters: ignored, a mistyped filter would return everything. @throws AppError `invalid_request` */
export function assertKnownParameters(query: z.ZodMiniType | undefined, names: string[]): void {
  const known = Object.keys((query as Partial<z.ZodMiniObject> | undefined)?.shape ?? {});
  reject(
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({ path: shownName(name), message: unknownName("parameter", shownName(name), name, known) })),
  );
}

/** Rejects undeclared fields at any depth: with a mistyped `dryRun` a request would take effect. @throws AppError `invalid_request` */
export function assertKnownFields(schema: z.ZodMiniType | undefined, body: unknown): void {
  reject(
    unknownFields(schema, body).map(({ path, known }) => {
      const shown = path.map(shownName).join(".");
      return { path: shown, message: unknownName("field", shown, path.at(-1) ?? "", known) };
    }),
  );
}

function reject(errors: Unknown[]): void {
  if (errors.length > 0) throw new AppError("invalid_request", errors.map(({ message }) => message).join(" "), { errors });
}

type UnknownField = { path: string[]; known: string[] };

/** Most fields in one answer: a body of a megabyte can hold a hundred thousand. */
const MAX_FIELDS = 10;

/** Returns undeclared fields at any depth. Parts that the schema leaves open, such as an event's data, may hold anything. */
function unknownFields(schema: core.$ZodType | undefined, body: unknown): UnknownField[] {
  return schema ? (inValue(schema, body, []) ?? []).slice(0, MAX_FIELDS) : inObject({}, undefined, body, []);
}

type Found = UnknownField[] | null;
type Shape = Readonly<Record<string, core.$ZodType>>;

/** Returns the unknown fields in the value; null if the schema doesn't describe such a value. */
function inValue(schema: core.$ZodType, value: unknown, path: string[]): Found {
  const { def } = (schema as core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return isObject(value) ? inObject(def.shape, def.catchall, value, path) : null;
    case "array":
      return Array.isArray(value) ? inParts(value.entries(), () => def.element, path) : null;
    case "record":
      return isObject(value) ? inParts(Object.entries(value), () => def.valueType, path) : null;
    case "union":
      return inUnion(def, value, path);
    case "pipe":
      return inValue(def.in, value, path);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "readonly":
    case "catch":
      return inValue(def.innerType, value, path);
    case "unknown":
    case "any":
    case "transform":
    case "custom":
      return [];
    default:
      return isObject(value) ? null : [];
  }
}

function inObject(shape: Shape, catchall: core.$ZodType | undefined, value: unknown, path: string[]): UnknownField[] {
  if (!isObject(value)) return [];
  const known = Object.keys(shape);
  const open = catchall !== undefined && (catchall as core.$ZodTypes)._zod.def.type !== "never";
  const unknown = open ? [] : Object.keys(value).filter((name) => !known.includes(name));
  const fields = Object.entries(value).filter(([name]) => known.includes(name));
  const within = inParts(fields, (name) => shape[name] as core.$ZodType, path);
  return [...unknown.slice(0, MAX_FIELDS).map((name) => ({ path: [...path, name], known })), ...within];
}

function inParts<K extends string | number>(
  parts: Iterable<[K, unknown]>,
  schemaOf: (name: K) => core.$ZodType,
  path: string[],
): UnknownField[] {
  const found: UnknownField[] = [];
  for (const [name, value] of parts) {
    if (found.length >= MAX_FIELDS) break;
    found.push(...(inValue(schemaOf(name), value, [...path, String(name)]) ?? []));
  }
  return found;
}

/** Compares with the variant that the discriminator names, else with the one that knows most of the value. */
function inUnion(def: core.$ZodUnionDef & { discriminator?: string }, value: unknown, path: string[]): Found {
  const { discriminator } = def;
  const named = discriminator === undefined ? undefined : def.options.find((option) => isNamed(option, discriminator, value));
  if (named) return inValue(named, value, path);
  const found = def.options.map((option) => inValue(option, value, path)).filter((each) => each !== null);
  return found.sort((a, b) => a.length - b.length)[0] ?? null;
}

const isNamed = (option: core.$ZodType, discriminator: string, value: unknown): boolean =>
  isObject(value) && (option._zod.propValues?.[discriminator]?.has(value[discriminator] as core.util.Primitive) ?? false);
