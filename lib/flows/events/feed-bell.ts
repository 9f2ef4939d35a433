import type { WorkspaceId } from "#lib/contracts/api/ids";
import { listen } from "#lib/db/notify/listen";

/** Without a notification the log is looked at this often: a lost one costs this much time. Milliseconds. */
const IDLE_MS = 2000;
/** A commit can be hidden for a moment by an older open transaction: look again soon. Milliseconds. */
const AGAIN_MS = 150;

/** Wakes a reader of the log: soon after a notification, a while later without one. */
export class FeedBell {
  private readonly unsubscribe: (() => void)[];
  private applied = false;
  private rights = false;
  private rung = false;
  private rungAt = 0;
  private wake = () => {};

  constructor(workspaceId: WorkspaceId, signal: AbortSignal) {
    const concerns = (payload: string) => payload === "" || payload === workspaceId;
    this.unsubscribe = [
      listen("appended", (payload) => concerns(payload) && this.ring()),
      listen("applied", (payload) => {
        if (!concerns(payload)) return;
        this.applied = true;
        this.wake();
      }),
      listen("rights", (payload) => {
        if (!concerns(payload)) return;
        this.rights = true;
        this.wake();
      }),
    ];
    signal.addEventListener("abort", () => this.wake(), { once: true });
  }

  private ring(): void {
    this.rung = true;
    this.rungAt = Date.now();
    this.wake();
  }

  takeRing(): void {
    this.rung = false;
  }

  takeApplied(): boolean {
    const was = this.applied;
    this.applied = false;
    return was;
  }

  takeRights(): boolean {
    const was = this.rights;
    this.rights = false;
    return was;
  }

  async wait(): Promise<void> {
    if (this.applied || this.rung || this.rights) return;
    const recent = Date.now() - this.rungAt < 2 * AGAIN_MS;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, recent ? AGAIN_MS : IDLE_MS);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  close(): void {
    for (const stop of this.unsubscribe) stop();
  }
}
