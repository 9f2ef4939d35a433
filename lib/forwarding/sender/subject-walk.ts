import { type DueRequest, findDueHeads, type MeasuredDelivery, type Stretch } from "./due-delivery-store.ts";

/** Request of a walk. */
type WalkRequest = {
  request: DueRequest;
  /** Asked before each stretch: a walk past many subjects takes time. */
  mayGoOn: () => boolean;
};

/** One look goes past so many thousand subjects at most, and the next goes on from there: a look must end. */
const MAX_STRETCHES = 10;

/** The way from subject to subject of one destination, over the end and on from the first, so that each has its turn. */
export class SubjectWalk {
  private last = "";
  private stretchesLeft = 0;

  /** Fewer were taken than were found: the next look goes on after the last of them. */
  goOnAfter(subject: string): void {
    this.last = subject;
  }

  /** Goes on from the subject that was looked at last, until some are due, it has been round once or has looked at many. */
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
