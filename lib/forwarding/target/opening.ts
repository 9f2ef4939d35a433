import type { Socket } from "node:net";
import type { AttemptOutcome } from "#lib/contracts/forwarding/deliveries";
import { ForwardError } from "../attempt/outcomes.ts";

/** A connection that is being made: its sockets, and the outcome if time ends now. */
export class Opening {
  private readonly sockets: Socket[] = [];
  private isGivenUp = false;
  private late: [AttemptOutcome, string] = ["connect_timeout", "No connection"];

  /** Takes a socket. One that comes after the connection was given up is destroyed at once: it would never be closed. */
  keep<S extends Socket>(socket: S): S {
    // Never removed: an error of a socket without a listener would end the process.
    socket.on("error", () => undefined);
    this.sockets.push(socket);
    if (this.isGivenUp) socket.destroy();
    return socket;
  }

  /** Closes present and future sockets. */
  giveUp(): void {
    this.isGivenUp = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** @throws Error when it was given up: then nothing more is begun */
  assertWanted(): void {
    if (this.isGivenUp) throw new Error("the connection was given up");
  }

  /** Sets the failure if time ends now. @param what text that "within 5 seconds" may follow */
  waitFor(outcome: AttemptOutcome, what: string): void {
    this.late = [outcome, what];
  }

  lateness(limitMs: number): ForwardError {
    const [outcome, what] = this.late;
    return new ForwardError(outcome, `${what} within ${limitMs / 1000} seconds`);
  }
}
