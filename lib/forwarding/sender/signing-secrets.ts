import { openUrl } from "#lib/vault/sealed-url";
import type { Signing } from "../attempt/signing.ts";
import { openSigningSecrets } from "../destination-secret-store.ts";
import { urlPlace } from "../destination-store.ts";
import type { LeasedDestination } from "./sender-lease-store.ts";

/** Secrets that were opened are used for so long, so that a rotation and its end take effect. Milliseconds. */
const FRESH_MS = 2000;

/** Present signing and URL of requests. If they are signed, there is one secret at least. */
export type SigningTo = Signing & { url: string };

/** True while a destination's URL is the same, as far as its row tells. */
export const leadsToSame = (one: LeasedDestination, other: LeasedDestination): boolean =>
  one.url === other.url && one.urlSealed === other.urlSealed;

/** The opened secrets of one destination, its URL among them, kept for a short time. */
export class SigningSecrets {
  private opened: { secrets: string[]; at: number } | null = null;
  private target: { of: LeasedDestination; url: string } | null = null;
  private timesForgotten = 0;

  /** The destination may have changed: its secrets are read again before the next request. */
  forget(): void {
    this.opened = null;
    this.timesForgotten += 1;
  }

  /**
   * @returns the secrets that sign now, newest first; none in pass-through mode
   * @throws Error when there is none to sign with: a request without a signature is never sent
   * @throws VaultError when something of it can't be opened
   */
  async signingOf(destination: LeasedDestination): Promise<SigningTo> {
    const { mode } = destination;
    return { mode, url: await this.urlOf(destination), secrets: mode === "pass_through" ? [] : await this.secretsOf(destination) };
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
