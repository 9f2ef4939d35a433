import { expect } from "vitest";
import type { Actor } from "#lib/auth/actor";
import { findTokens } from "#lib/connections/tokens/grant-store";
import { openToken } from "#lib/connections/tokens/token-spool";
import type { ConnectionId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";
import { disconnectConnection } from "#lib/flows/connections/connections";
import { refreshConnection } from "#lib/flows/connections/refresh-connection";
import { revokeWaiting } from "#lib/flows/connections/tokens";
import { makeAccount } from "#tests/support/account";
import { contextOf } from "#tests/support/context";
import { actorOf, begin, comeBack } from "#tests/support/platform-connection";
import type { TokenServer } from "#tests/support/token-server";
import { paused, type Step, step, unanswered } from "./steps.ts";

/** One connection, and a platform that knows its grants by the tokens that it gave out for them. */
export class TokenWorld {
  private readonly actor: Actor;
  private readonly id: ConnectionId;
  private readonly platform: TokenServer;
  /** The grant of each refresh token, and the grants that were ended. */
  private readonly grants = new Map<string, number>();
  private readonly ended = new Set<number>();
  private granted = 0;
  private revokes = true;

  private constructor(actor: Actor, id: ConnectionId, platform: TokenServer) {
    this.actor = actor;
    this.id = id;
    this.platform = platform;
  }

  static async make(platform: TokenServer): Promise<TokenWorld> {
    const actor = await actorOf(await makeAccount());
    const { connectionId, state } = await begin(actor);
    const world = new TokenWorld(actor, connectionId, platform);
    platform.answer = ({ path, fields }) => world.answer(path, fields);
    await comeBack(actor, { code: "c", state });
    return world;
  }

  private answer(path: string, fields: Record<string, string>) {
    if (path === "/revoke") {
      if (!this.revokes) return { status: 503, body: {} };
      this.ended.add(this.grants.get(fields.token ?? "") ?? -1);
      return { body: {} };
    }
    const grant = this.grants.get(fields.refresh_token ?? "") ?? this.granted++;
    if (this.ended.has(grant)) return { status: 400, body: { error: "invalid_grant" } };
    const token = `rt_${this.grants.size}`;
    this.grants.set(token, grant);
    return { body: { access_token: `at_${token}`, refresh_token: token, expires_in: 600, token_type: "Bearer", scope: "documents:read" } };
  }

  async reconnect(): Promise<void> {
    const { state } = await begin(this.actor, { connectionId: this.id });
    await comeBack(this.actor, { code: "c", state });
  }

  async disconnect(): Promise<void> {
    await disconnectConnection(contextOf(this.actor), this.id);
  }

  async refresh(): Promise<void> {
    await pool().query("UPDATE connections SET claimed_until = NULL, retry_after_until = NULL WHERE id = $1", [this.id]);
    await refreshConnection(this.actor.workspaceId, this.id);
  }

  async revoke(): Promise<void> {
    await pool().query("UPDATE token_revocations SET due_at = now() - interval '1 ms' WHERE state = 'waiting'");
    await revokeWaiting();
  }

  setRevokes(on: boolean): void {
    this.revokes = on;
  }

  /** The only grant that lives at the platform is the one that is stored, and that one does. */
  async settle(): Promise<void> {
    this.setRevokes(true);
    for (let round = 0; round < 5; round += 1) await this.revoke();
    const tokens = await findTokens(this.actor.workspaceId, this.id);
    const stored = tokens?.refreshSealed ? await openToken(this.actor.workspaceId, this.id, "refresh", tokens.refreshSealed) : null;
    const living = [...new Set(this.grants.values())].filter((grant) => !this.ended.has(grant));
    expect(living, "grants that live at the platform").toEqual(stored === null ? [] : [this.grants.get(stored)]);
    this.platform.requests.length = 0;
  }
}

const connect = step<TokenWorld>("connect again", (world) => world.reconnect());
const disconnect = step<TokenWorld>("disconnect", (world) => world.disconnect());
const refresh = step<TokenWorld>("renew", (world) => world.refresh());
const revoke = step<TokenWorld>("a worker revokes", (world) => world.revoke());

export const TOKEN_STEPS: Step<TokenWorld>[] = [
  connect,
  disconnect,
  refresh,
  revoke,
  step("the platform confirms no revocation", async (world) => world.setRevokes(false)),
  step("the platform confirms revocations", async (world) => world.setRevokes(true)),
  unanswered(disconnect, /DELETE FROM connection_tokens/),
  unanswered(connect, /INSERT INTO "public"."connection_tokens"/),
  unanswered(refresh, /UPDATE connection_tokens/),
  unanswered(revoke, /UPDATE ("public".)?"?token_revocations/),
  paused(refresh, /UPDATE connection_tokens/, disconnect),
  paused(disconnect, /DELETE FROM connection_tokens/, refresh),
  paused(connect, /INSERT INTO "public"."connection_tokens"/, disconnect),
  paused(revoke, /UPDATE "public"."token_revocations" SET "state"/, disconnect),
];
