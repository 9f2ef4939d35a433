import type { Source } from "../../../lib/contracts/sources/sources.ts";
import type { Session } from "./commands/session.ts";
import { CliError } from "./exit.ts";
import type { Column } from "./terminal.ts";
import { localTime } from "./time.ts";

export async function listSources({ output, api }: Session): Promise<void> {
  const { data } = await api().get<{ data: Source[] }>("/api/v1/sources");
  output.table(data, COLUMNS, ({ name }) => name);
}

export async function pauseSource({ output, api }: Session, name: string, paused: boolean): Promise<void> {
  const { data } = await api().get<{ data: Source[] }>("/api/v1/sources");
  const found = data.find((source) => source.name === name);
  if (!found) throw new CliError(`There is no source named ${name}.`, { hint: "signalbox sources ls lists them." });
  const source = await api().patch<Source>(`/api/v1/sources/${encodeURIComponent(found.id)}`, { paused });
  output.item(source, () => `${source.name} is ${stateOf(source)} now.`, source.name);
}

const stateOf = ({ archivedAt, pausedAt }: Source) => (archivedAt !== null ? "archived" : pausedAt !== null ? "paused" : "receiving");

const COLUMNS: Column<Source>[] = [
  { title: "NAME", value: ({ name }) => name },
  { title: "SENDER", value: ({ sender }) => sender },
  {
    title: "STATE",
    value: (source) => `${stateOf(source)}${source.held > 0 ? `, ${source.held > 1000 ? "1000+" : source.held} held` : ""}`,
  },
  { title: "LAST", value: ({ lastEventAt }) => (lastEventAt === null ? "" : localTime(lastEventAt)), color: () => "dim" },
  { title: "URL", value: ({ url }) => url },
];
