import type { DestinationMode } from "#lib/contracts/forwarding/destinations";
import { openSigningSecrets } from "../destination-secret-store.ts";
import type { LeasedDestination } from "./sender-lease-store.ts";

/** Secrets that were opened are used for so long, so that a rotation and its end take effect. Milliseconds. */
const FRESH_MS = 2000;

/** How requests are signed now. In signed mode there is one secret at least. */
export type Signing = { mode: DestinationMode; secrets: readonly string[] };

/** The opened secrets of one destination, kept for a short time. */
export class SigningSecrets {
  private opened: { secrets: string[]; at: number } | null = null;
  private timesForgotten = 0;

  /** The destination may have changed: its secrets are read again before the next request. */
  forget(): void {
    this.opened = null;
    this.timesForgotten += 1;
  }

  /**
   * @returns the secrets that sign now, newest first; none in pass-through mode
   * @throws Error when there is none in signed mode: a request without a signature is never sent
   */
  async signingOf({ id, workspaceId, mode }: LeasedDestination): Promise<Signing> {
    if (mode !== "signed") return { mode, secrets: [] };
    const at = performance.now();
    if (this.opened && at - this.opened.at < FRESH_MS) return { mode, secrets: this.opened.secrets };
    const before = this.timesForgotten;
    const secrets = await openSigningSecrets(workspaceId, id);
    if (secrets.length === 0) throw new Error("it has no signing secret: rotate it");
    // Forgotten meanwhile: they may be from before the change, so they aren't kept.
    if (before === this.timesForgotten) this.opened = { secrets, at };
    return { mode, secrets };
  }
}
