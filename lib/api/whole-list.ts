import * as z from "zod/mini";
import { cursorText, limitNumber, type Page } from "#lib/contracts/api/parameters";
import { Cursor } from "#lib/db/cursor";
import { isSchema, type RouteDeclaration } from "./route-declaration.ts";

const CURSOR = new Cursor("whole", { at: "integer" });

/** Without `limit` the list is whole, as before there was one. */
const wholeQuery = { limit: z.optional(limitNumber), cursor: z.optional(cursorText) };

type Paged<D> = D & { take: (answer: unknown, query: unknown, route: string) => unknown };

/**
 * Lets a list that is short and answered whole take `limit` and `cursor`, as all lists do.
 *
 * @returns the declaration with both, and `take`, which cuts the page that was asked for out of what the handler answers
 */
export function withPages<D extends RouteDeclaration>(declaration: D): Paged<D> {
  if (!isWhole(declaration)) return { ...declaration, take: (answer) => answer };
  const query = z.extend((declaration.query as z.ZodMiniObject | undefined) ?? z.object({}), wholeQuery);
  const take = (answer: unknown, asked: unknown, route: string) => pageOf(answer as Page<unknown>, asked as Asked, route);
  return { ...declaration, query, take };
}

/** True for a list that has no pages of its own. */
function isWhole({ answers, query, body }: RouteDeclaration): boolean {
  const answer = answers[200];
  const shapeOf = (schema: z.ZodMiniType) => (schema as Partial<z.ZodMiniObject>).shape ?? {};
  return !body && !!answer && isSchema(answer) && "nextCursor" in shapeOf(answer) && !(query && "limit" in shapeOf(query));
}

type Asked = { limit?: number; cursor?: string };

function pageOf<T>(list: Page<T>, { limit = list.data.length, cursor, ...filter }: Asked, route: string): Page<T> {
  const of = { route, ...filter };
  const { at } = CURSOR.decode(cursor, of) ?? { at: 0 };
  const end = at + limit;
  return {
    ...list,
    data: list.data.slice(Math.max(0, at), end),
    nextCursor: end < list.data.length ? CURSOR.encode({ at: end }, of) : null,
  };
}
