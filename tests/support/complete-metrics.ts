import { readMetrics } from "#lib/flows/installation/read-metrics";
import { until } from "./forwarding/senders.ts";

/** Returns what `/metrics` answers once the database has given its figures in time: a busy machine leaves them out first. */
export const readCompleteMetrics = async (): Promise<string> =>
  (await until(readMetrics, ({ text }) => /^signalbox_database_up 1$/m.test(text))).text;
