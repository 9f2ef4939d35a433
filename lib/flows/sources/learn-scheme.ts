import { env } from "#lib/config/env";
import { AppError } from "#lib/contracts/api/app-error";
import type { SourceId, WorkspaceId } from "#lib/contracts/api/ids";
import type { SourceLearning } from "#lib/contracts/sources/sources";
import { type Fit, fitsOf, type UnknownRequest, undecided, whyNothingFits } from "#lib/platform/diagnosis/learn-scheme";
import { keptQuery, requestUrl } from "#lib/platform/schemes/sender-requests";
import { TEMPLATES } from "#lib/platform/schemes/templates";
import { findQuarantineBodies, listQuarantine } from "#lib/quarantine/quarantine-store";
import { Pauses } from "#lib/time/waits";
import { openHeaders } from "#lib/vault/sealed-values";
import { readSource } from "./read-sources.ts";

/** Newest requests that are tried: each costs a check by every scheme. */
const MAX_TRIED = 20;

const NONE_YET = {
  verdict: "No request has arrived yet.",
  fix: "Send one from the sender to this source's URL within ten minutes, then try again.",
};

/** Tries a secret by every scheme on kept requests; stores nothing. @throws AppError `not_found`; `conflict` when the sender is known */
export async function learnScheme(workspaceId: WorkspaceId, sourceId: SourceId, secret: string): Promise<SourceLearning> {
  const source = await readSource(workspaceId, sourceId);
  if (source.template !== "unknown") throw new AppError("conflict", `The sender of ${source.name} is already known: ${source.sender}.`);
  const requests = await listRequests(workspaceId, source.name);
  const fits = new Map<string, Fit & { requests: number }>();
  const pauses = new Pauses();
  for (const each of requests) {
    for (const fit of fitsOf(each, secret)) {
      const key = JSON.stringify([fit.template, fit.scheme]);
      const before = fits.get(key);
      fits.set(key, { ...fit, likeness: Math.max(fit.likeness, before?.likeness ?? 0), requests: (before?.requests ?? 0) + 1 });
    }
    await pauses.afterPiece();
  }
  const [newest] = requests;
  const sorted = [...fits.values()].sort((one, other) => other.requests - one.requests || other.likeness - one.likeness);
  return {
    tried: requests.length,
    fits: sorted.map(({ template, scheme, requests: fitting }) => ({
      template,
      scheme,
      requests: fitting,
      title: TEMPLATES[template].title,
    })),
    hint: fits.size > 0 ? undecided(sorted) : newest ? whyNothingFits(newest, secret) : NONE_YET,
  };
}

async function listRequests(workspaceId: WorkspaceId, source: string): Promise<UnknownRequest[]> {
  const { data } = await listQuarantine(workspaceId, { source, state: "quarantined" }, { limit: MAX_TRIED });
  const ids = data.map(({ id }) => id);
  const bodies = await findQuarantineBodies(workspaceId, ids);
  const opened = await Promise.all(data.map((each) => openHeaders(each.headers, each)));
  return data.flatMap(({ id, bodyBytes, remoteAddress, receivedAt }, index) => {
    const [body, headers = {}] = [bodies.get(id), opened[index]];
    if (!body) return [];
    const url = requestUrl(env().WEBHOOK_URL, source, keptQuery(headers));
    const request = { body, headers, url, remoteAddress, maxBytes: env().WEBHOOK_MAX_BYTES };
    return [{ request, cut: body.length !== bodyBytes, receivedAt: receivedAt.getTime() }];
  });
}
