import type { WorkspaceId } from "#lib/contracts/api/ids";
import { pool } from "#lib/db/pool";

/** Rows per statement: each ends well within its time limit, however much is held. */
const CHUNK = 10_000;

const FINISH = `UPDATE forward_deliveries SET state = $4, finished_at = now(), last_code = $4, last_text = $5
  WHERE workspace_id = $1 AND id = ANY (ARRAY(`;

const finishing = (held: string) => `${FINISH} ${held} LIMIT $3)) AND state = 'pending'`;

const EVERY = finishing("SELECT id FROM forward_deliveries WHERE destination_id = $2 AND state = 'pending' ORDER BY due_at, id");

/** All but the newest of each subject. */
const OVERTAKEN = finishing(
  `SELECT f.id FROM forward_deliveries f WHERE f.destination_id = $2 AND f.state = 'pending' AND EXISTS (
     SELECT 1 FROM forward_deliveries n WHERE n.destination_id = f.destination_id AND n.subject = f.subject AND n.state = 'pending'
       AND n.seq > f.seq)`,
);

export type Finish = { state: "skipped" | "cancelled"; text: string; keepNewest: boolean };

/** Finishes held deliveries without sending them, a chunk at a time. Returns their number. */
export async function finishHeld(workspaceId: WorkspaceId, destinationId: string, { state, text, keepNewest }: Finish): Promise<number> {
  let finished = 0;
  for (;;) {
    const values = [workspaceId, destinationId, CHUNK, state, text];
    const { rowCount } = await pool().query(keepNewest ? OVERTAKEN : EVERY, values);
    finished += rowCount ?? 0;
    if ((rowCount ?? 0) < CHUNK) return finished;
  }
}
