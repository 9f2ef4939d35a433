import { type DueRequest, findDueHeads, type MeasuredDelivery, type Stretch } from "./due-delivery-store.ts";

type WalkRequest = {
  request: DueRequest;
  /** Asked before each stretch: a walk past many subjects takes time. */
  mayGoOn: () => boolean;
};

/** Stretches of 1,000 subjects per look: a look must end, and the next goes on from there. */
const MAX_STRETCHES = 10;

/** Walks round the subjects of one destination, so that each has its turn. */
export class SubjectWalk {
  private last = "";
  private stretchesLeft = 0;

  /** For when fewer were taken than found: the next look goes on after this one. */
  goOnAfter(subject: string): void {
    this.last = subject;
  }

  /** Walks on until some are due, all subjects were looked at, or the stretches are used up. */
  async findDue(walk: WalkRequest): Promise<MeasuredDelivery[]> {
    const from = this.last;
    this.stretchesLeft = MAX_STRETCHES;
    const found = await this.findWithin(walk, { after: from, upTo: null });
    return found.length > 0 || from === "" ? found : this.findWithin(walk, { after: "", upTo: from });
  }

  private async findWithin({ request, mayGoOn }: WalkRequest, { after, upTo }: Stretch): Promise<MeasuredDelivery[]> {
    for (let at: string | null = after; at !== null && this.stretchesLeft > 0 && mayGoOn(); ) {
      this.stretchesLeft -= 1;
      const { deliveries, last } = await findDueHeads(request, { after: at, upTo });
      this.last = last ?? "";
      if (deliveries.length > 0) return deliveries;
      at = last;
    }
    return [];
  }
}
