import type { StoredSource } from "#lib/sources/source-store";

/** True if fields can be mapped: another sender's events are read as its template says. */
export const isMappable = ({ template, records }: Pick<StoredSource, "template" | "records">): boolean =>
  template === "platform" || records === "platform";
