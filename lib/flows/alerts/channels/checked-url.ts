import { invalidField } from "#lib/contracts/api/app-error";
import { checkTarget } from "#lib/forwarding/target/check-target";

/** Checks a URL like a destination's: a name that can't be resolved yet is allowed. @throws AppError `invalid_request` */
export async function checkedUrl(url: string): Promise<string> {
  const checked = await checkTarget(url);
  if (!checked.ok && checked.code === "refused") throw invalidField("url", checked.reason);
  return checked.ok ? checked.target.href : url.trim();
}
