import { env } from "#lib/config/env";
import { sourceId as toSourceId, type WorkspaceId } from "#lib/contracts/api/ids";
import type { ChangeSourceBody, CreateSourceBody } from "#lib/contracts/sources/sources";
import type { SourceTemplateName } from "#lib/contracts/sources/templates";
import { pool } from "#lib/db/pool";
import { readQuarantine, readQuarantined } from "#lib/flows/quarantine/quarantine";
import { changeSource, createSource, rotateSourceSecret } from "#lib/flows/sources/manage-sources";
import { schemeOf } from "#lib/platform/schemes/templates";
import { unaudited } from "#tests/support/context";
import { ownerOf } from "./forwarding/destinations.ts";
import type { TestReceiver } from "./receivers.ts";
import { makeWorkspace } from "./webhooks.ts";

/** A signature as somebody describes it. */
export const HMAC = {
  header: "x-acme-signature",
  format: "plain",
  prefix: "",
  algorithm: "sha256",
  encoding: "hex",
  key: "text",
  content: "{body}",
  toleranceSeconds: null,
} as const;

const SECRETS: Partial<Record<SourceTemplateName, string>> = {
  stripe: "whsec_the-secret-of-stripe",
  gitlab: "whsec_dGhlIHNpZ25pbmcgdG9rZW4gb2YgR2l0TGFicw==",
  slack: "the-secret-of-slack",
  shopify: "the-secret-of-shopify",
  linear: "the-secret-of-linear",
  twilio: "the-token-of-twilio",
  square: "the-key-of-square",
  zoom: "the-token-of-zoom",
  meta: "the-secret-of-meta",
  x: "the-secret-of-x",
  dropbox: "the-secret-of-dropbox",
};
let made = 0;

/** Senders whose webhooks a receiver gets. */
export function useSenders(receiver: TestReceiver) {
  /** A workspace with a platform source and one of another sender, and how that sender sends. */
  async function makeSender(template: SourceTemplateName, over: Partial<CreateSourceBody> = {}) {
    const workspace = await makeWorkspace();
    made += 1;
    const name = `${template}-${made}-${workspace.source.slice(-8)}`;
    const owner = ownerOf(workspace.workspaceId);
    const given = SECRETS[template];
    const source = await createSource(unaudited(owner), { name, template, ...(given && { secret: given }), ...over });
    const secret = over.secret ?? given ?? source.secret ?? "";
    receiver.renew();
    const post = (body: string, headers: Record<string, string>, query = "") => receiver.send(`${name}${query}`, { body, headers });
    const send = (body: string, headers: Record<string, string> = {}, at = new Date(), key = secret) => {
      const url = `${env().WEBHOOK_URL}/webhooks/${name}`;
      const proof = schemeOf(template, over.scheme ?? {}).sign({ body: Buffer.from(body), secret: key, url, id: `msg-${made}`, now: at });
      return post(body, { ...headers, ...proof });
    };
    const ask = (query: string, method = "GET") => receiver.send(`${name}${query}`, { method });
    const sourceId = toSourceId.parse(source.id);
    const change = (given: ChangeSourceBody) => changeSource(unaudited(owner), sourceId, given);
    const rotate = (given: Parameters<typeof rotateSourceSecret>[2]) => rotateSourceSecret(unaudited(owner), sourceId, given);
    return { ...workspace, owner, name, created: source, sourceId, secret, send, post, ask, change, rotate };
  }

  /** The newest quarantined request, as the API shows it. */
  const newestQuarantined = async (workspaceId: WorkspaceId) => {
    const [newest] = (await readQuarantine(workspaceId, {}, { limit: 1 }, new Date())).data;
    return newest && (await readQuarantined(workspaceId, newest.id, new Date()));
  };
  return { makeSender, newestQuarantined };
}

/** Rows of a table that belong to a workspace. */
export const countOf = async (table: string, workspaceId: WorkspaceId) => {
  const { rows } = await pool().query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table} WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  return rows[0]?.count;
};
