import * as z from "zod/mini";
import { idText } from "./parameters.ts";

/**
 * Branded ids: a workspace's id can't be handed where a connection's is wanted.
 * Ours look like `con_4kq…`; the platform's (`evt_…`, `doc_…`) are kept as they come.
 */
export const workspaceId = z.string().brand<"WorkspaceId">();
export const userId = z.string().brand<"UserId">();
export const connectionId = z.string().brand<"ConnectionId">();
export const sourceId = z.string().brand<"SourceId">();

export type WorkspaceId = z.infer<typeof workspaceId>;
export type UserId = z.infer<typeof userId>;
export type ConnectionId = z.infer<typeof connectionId>;
export type SourceId = z.infer<typeof sourceId>;

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * A new id: the prefix and 20 random characters (103 bits).
 *
 * @param prefix for example `con`
 */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  let text = "";
  for (const byte of bytes) if (byte < 252 && text.length < 20) text += ALPHABET[byte % 36];
  return text.length === 20 ? `${prefix}_${text}` : newId(prefix);
}

/** The `{id}` of an address: ours, or the platform's as it came. */
export const idParams = z.object({ id: idText });
