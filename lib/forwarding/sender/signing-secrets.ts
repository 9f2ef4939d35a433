import type { OwnHeader } from "#lib/contracts/forwarding/own-headers";
import { openUrl } from "#lib/vault/sealed-values";
import type { Signing } from "../attempt/outgoing-request.ts";
import { openSigningSecrets, urlPlace } from "../destination-store.ts";
import { openOwnHeaders } from "../own-headers-store.ts";
import type { LeasedDestination } from "./sender-lease-store.ts";

/** Time for which opened secrets are used, so that a rotation and its end take effect. Milliseconds. */
const FRESH_MS = 2000;

export type SigningTo = Signing & { url: string };

/** True while a destination's URL is the same, as far as its row tells. */
export const leadsToSame = (one: LeasedDestination, other: LeasedDestination): boolean =>
  one.url === other.url && one.urlSealed === other.urlSealed;

export class SigningSecrets {
  private opened: { secrets: string[]; at: number } | null = null;
  private target: { of: LeasedDestination; url: string } | null = null;
  private own: { of: LeasedDestination; headers: OwnHeader[] } | null = null;
  private timesForgotten = 0;

  /** Has the secrets read again before the next request: the destination may have changed. */
  forget(): void {
    this.opened = null;
    this.timesForgotten += 1;
  }

  /** @throws Error without any secret: no request is sent unsigned, or without its headers; VaultError when something can't be opened */
  async signingOf(destination: LeasedDestination): Promise<SigningTo> {
    const { mode } = destination;
    const url = await this.urlOf(destination);
    const own = await this.ownHeadersOf(destination, url);
    return { mode, url, own, secrets: mode === "pass_through" ? [] : await this.secretsOf(destination) };
  }

  private async ownHeadersOf(destination: LeasedDestination, url: string): Promise<OwnHeader[]> {
    const known = this.own;
    if (known && leadsToSame(known.of, destination) && known.of.headersSealed === destination.headersSealed) return known.headers;
    const headers = await openOwnHeaders(destination, destination, url);
    this.own = { of: destination, headers };
    return headers;
  }

  private async urlOf(destination: LeasedDestination): Promise<string> {
    if (this.target && leadsToSame(this.target.of, destination)) return this.target.url;
    const url = await openUrl(destination, urlPlace(destination.workspaceId, destination.id));
    this.target = { of: destination, url };
    return url;
  }

  private async secretsOf({ id, workspaceId }: LeasedDestination): Promise<readonly string[]> {
    const at = performance.now();
    if (this.opened && at - this.opened.at < FRESH_MS) return this.opened.secrets;
    const before = this.timesForgotten;
    const secrets = await openSigningSecrets(workspaceId, id);
    if (secrets.length === 0) throw new Error("it has no signing secret. Rotate it");
    // Forgotten meanwhile: they may be from before the change, so they aren't kept.
    if (before === this.timesForgotten) this.opened = { secrets, at };
    return secrets;
  }
}
