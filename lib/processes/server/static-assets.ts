import type { IncomingMessage, ServerResponse } from "node:http";
import { STATIC_HEADERS } from "#lib/http/security-headers";
import { type CompressedAsset, readCompressedAssets } from "#lib/installation/compressed-assets";
import { ROOT } from "#lib/installation/process-environment";

/** Returns true if it has answered. */
type AnswerAsset = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Answers requests for scripts and stylesheets with what the build has compressed. Next compresses them anew for each request, less well
 * and on the loop that receives webhooks. It still answers clients that don't take Brotli, as browsers over plain http on another host.
 */
export function assetHandler(assets: Map<string, CompressedAsset> = readCompressedAssets(ROOT)): AnswerAsset {
  return ({ method, url = "", headers }, response) => {
    const plain = (method === "GET" || method === "HEAD") && OF_OTHERS.every((name) => headers[name] === undefined);
    const asset = plain && takesBrotli(headers["accept-encoding"]) ? assets.get(url.split("?", 1)[0] ?? "") : undefined;
    if (asset === undefined) return false;
    response.writeHead(200, {
      ...STATIC_HEADERS,
      "content-type": asset.type,
      "content-encoding": "br",
      "content-length": asset.body.length,
      "cache-control": "public, max-age=31536000, immutable",
      vary: "Accept-Encoding",
    });
    response.end(method === "HEAD" ? undefined : asset.body);
    return true;
  };
}

/** Requests with a body or for a part are left to those who know them. */
const OF_OTHERS = ["range", "content-length", "transfer-encoding"];

/** RFC 9110 section 12.5.3: `q=0` refuses a coding. */
function takesBrotli(accepted: string | string[] = ""): boolean {
  return String(accepted)
    .split(",")
    .map((each) => each.split(";").map((part) => part.trim().toLowerCase()))
    .some(([coding, weight = ""]) => coding === "br" && !/^q=0(\.0*)?$/.test(weight));
}
