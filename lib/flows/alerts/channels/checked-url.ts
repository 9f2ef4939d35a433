import { invalidField } from "#lib/contracts/api/app-error";
import { checkTarget } from "#lib/forwarding/target/check-target";

/**
 * A channel's URL, checked as a destination's is: a name that is not known yet may be known when something is sent.
 *
 * @throws AppError `invalid_request` when it may not be called
 */
export async function checkedUrl(url: string): Promise<string> {
  const checked = await checkTarget(url);
  if (!checked.ok && checked.code === "refused") throw invalidField("url", checked.reason);
  return checked.ok ? checked.target.href : url.trim();
}
