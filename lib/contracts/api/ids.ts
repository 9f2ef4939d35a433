import * as z from "zod/mini";
import { idText } from "./parameters.ts";

/** Branded: a workspace's ID can't be passed as a connection's. The platform's IDs (`evt_…`, `doc_…`) are kept as they come. */
export const workspaceId = z.string().brand<"WorkspaceId">();
export const userId = z.string().brand<"UserId">();
export const connectionId = z.string().brand<"ConnectionId">();
export const sourceId = z.string().brand<"SourceId">();

export type WorkspaceId = z.infer<typeof workspaceId>;
export type UserId = z.infer<typeof userId>;
export type ConnectionId = z.infer<typeof connectionId>;
export type SourceId = z.infer<typeof sourceId>;

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Returns the prefix and 20 random characters (103 bits). */
export function newId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  let text = "";
  for (const byte of bytes) if (byte < 252 && text.length < 20) text += ALPHABET[byte % 36];
  return text.length === 20 ? `${prefix}_${text}` : newId(prefix);
}

export const idParams = z.object({ id: idText });
