import { addSourceHref, type SourceDialogName, sourceHref } from "#lib/client/format/resource-links";
import type { DiagnosisCode } from "#lib/contracts/quarantine";

type FixLink = { label: string; href: string };

/** The dialog in which each is fixed; null where there is only something to compare. */
const LINKS: Partial<Record<DiagnosisCode, [label: string, dialog: SourceDialogName | null]>> = {
  secret_sent: ["Rotate the secret", "rotate"],
  secret_trimmed: ["Correct the secret", "set-secret"],
  secret_decoded: ["Open the source", null],
  secret_of_another_source: ["Compare the sources' URLs", null],
  no_match: ["Set the secret", "set-secret"],
  malformed: ["Open the source", null],
  url_changed: ["Compare the source's URL", null],
  network_unknown: ["Add the network", "edit"],
};

type Diagnosed = { code: DiagnosisCode; about: string | null; source: string };

/** Links to the fix of what nothing can be released of yet. Who may not change sources is led to the source. */
export function fixLinkOf({ code, about, source }: Diagnosed, canManage: boolean): FixLink | undefined {
  if (code === "other_sender") return { label: `Add a source for ${about ?? "it"}`, href: addSourceHref(about ?? "") };
  const [label, dialog] = LINKS[code] ?? [];
  if (label === undefined || dialog === undefined) return undefined;
  if (dialog === null || canManage) return { label, href: sourceHref(source, dialog) };
  return { label: "Open the source", href: sourceHref(source) };
}
