import { writeFileSync } from "node:fs";
import type { EventTypeList } from "../../../../lib/contracts/events/event-types.ts";
import type { Session } from "../commands/session.ts";
import { CliError } from "../output/exit.ts";
import { typesOf } from "./typescript.ts";

export async function writeTypes({ output, api, target }: Session, file: string | undefined): Promise<void> {
  const { data } = await api().get<EventTypeList>("/api/v1/event-types");
  const text = typesOf(data, target.url);
  if (file === undefined) {
    process.stdout.write(text);
    return;
  }
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new CliError(`${file} can't be written: ${(error as Error).message}`);
  }
  output.note(`${data.length} types in ${file}.`);
}
